import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { transform } from "esbuild";
import { expect, onTestFinished, test } from "vitest";

const text = readFileSync("CONTRIBUTING.md", "utf8");
/** Names that the recipes create. */
const isExample = (name: string) => /bookmark|subtitleLanguage|remind/i.test(name);

interface Block {
  readonly code: string;
  /** The file that the text before the block names. */
  readonly file: string | undefined;
}

const blocks = text.split(/^#+ /m).flatMap((section) => {
  const parts = section.split(/^ *```ts\n(.*?)^ *```$/ms);
  return parts.flatMap((code, index): Block[] => {
    if (index % 2 === 0) return [];
    const named = [...(parts[index - 1] ?? "").matchAll(/`((?:src|tests)\/[\w./-]+\.ts)`/g)];
    return [{ code: code.replace(/^ {3}/gm, ""), file: named.at(-1)?.[1] }];
  });
});
const isFile = ({ code }: Block) => /^(import|export) /m.test(code);

/** Inserts a line behind the bracket, or the `=` of a union, that begins what a name declares. */
function insert(file: string, name: string, line: string): void {
  const source = readFileSync(file, "utf8");
  const begin = new RegExp(`(?:const ${name}\\b[^\\n]*= [[{]|function ${name}\\([^]*?return [[{]|type ${name} =)\\n`);
  expect(source).toMatch(begin);
  writeFileSync(
    file,
    source.replace(begin, (all) => `${all}${line.replace(/,?$/, line.startsWith("|") ? "\n" : ",\n")}`),
  );
}

test("the recipes compile", { timeout: 300_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), "contributing-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["src", "tests", "development"]) cpSync(folder, join(root, folder), { recursive: true });
  for (const file of ["package.json", "tsconfig.json", "openapi.json"]) cpSync(file, join(root, file));
  for (const folder of ["node_modules", "packages", "ops"])
    symlinkSync(join(process.cwd(), folder), join(root, folder));

  const written = blocks.filter(isFile).map(({ code, file = "tests/api/recipe/recipe.test.ts" }) => {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
    return { code, path };
  });
  expect(written.length).toBeGreaterThan(4);
  const imports = /import `(\w+)` in\s+`([\w/.-]+)` and add `([^`]+)`\s+to\s+(?:the list in )?`(\w+)`/g;
  const edited = [...text.matchAll(imports)].map(([, symbol = "", file = "", line = "", name = ""]) => {
    const path = join(root, file);
    insert(path, name, line);
    const from = written.find(({ code }) => new RegExp(`export (const|function) ${symbol}\\b`).test(code))?.path ?? "";
    const specifier = `./${relative(dirname(path), from).replace(/\.ts$/, ".js")}`;
    writeFileSync(path, `import { ${symbol} } from "${specifier}";\n${readFileSync(path, "utf8")}`);
    return path;
  });
  const fields = /Add `((?:\w+:|\|) [^`]+)`\s+to\s+`(\w+)`\s+in\s+`([\w/.-]+)`/g;
  const extended = [...text.matchAll(fields)].map(([, line = "", name = "", file = ""]) => {
    insert(join(root, file), name, line);
    return join(root, file);
  });
  expect([edited.length, extended.length]).toEqual([2, 4]);

  const files = [...written.map(({ path }) => path), ...edited, ...extended];
  // Declarations of modules are imported by no file.
  const include = ["src/**/*.d.ts", "packages/*/src/*.d.ts", "tests/server/run-database.ts"];
  writeFileSync(join(root, "recipes.json"), JSON.stringify({ extends: "./tsconfig.json", files, include }));
  const compiler = join(process.cwd(), "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", "recipes.json"], { cwd: root, encoding: "utf8" });
  expect(stdout).toBe("");
});

test("a part of a list is well-formed, and calls what exists", async () => {
  const parts = blocks.filter((block) => !isFile(block));
  for (const { code } of parts) {
    await transform(`export const list = [\n${code}\n];`, { loader: "ts" });
    for (const [, name = ""] of code.matchAll(/^(\w+)\(/gm)) expect(isKnown(name), name).toBe(true);
  }
});

/** Whether a word occurs in the sources. */
const isKnown = (word: string): boolean =>
  spawnSync("git", ["grep", "-qwF", "-e", word, "--", "*.ts", "*.tsx", "*.mjs", "package.json"]).status === 0;

test("every file and every name exists", () => {
  const prose = text.replace(/^ *```.*?^ *```$/gms, "");
  const words = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word).filter((word) => !isExample(word));
  const tracked = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
  const paths = words.filter((word) =>
    /^(src|tests|ops|bench|docs|examples|packages|development|client)\/[\w./-]+$/.test(word),
  );
  expect(paths.length).toBeGreaterThan(30);
  const exists = (path: string) => existsSync(path) && tracked.some((file) => file.startsWith(path.replace(/\/$/, "")));
  expect(paths.filter((path) => !exists(path))).toEqual([]);
  const names = words.flatMap((word) => /^(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?=$|\()/.exec(word) ?? []);
  expect(names.length).toBeGreaterThan(30);
  expect([...new Set(names)].filter((name) => !isKnown(name))).toEqual([]);
});
