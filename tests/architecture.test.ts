import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const src = resolve("src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

/**
 * Source files that a file imports, relative to src/. Dynamic imports count too; imports of types only when asked for.
 */
function importsOf(file: string, options: { types: boolean }): string[] {
  const all = readFileSync(join(src, file), "utf8");
  const text = options.types ? all : all.replace(/^(import|export) type [^;]*;/gm, "");
  const specifiers = [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map((match) => match[1] ?? "");
  return specifiers.map((specifier) => relative(src, resolve(src, dirname(file), specifier)).replace(/\.js$/, ".ts"));
}

const graph = new Map(files.map((file) => [file, importsOf(file, { types: true })]));

/** The module a file is in: the first folder, and for the API its feature too. */
function moduleOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  if (first === "api" && second.endsWith(".ts")) return "api";
  return first === "api" ? `api/${second}` : file.includes("/") ? first : "entry";
}

const beneath = ["db", "models", "providers", "services", "http", "entry"];

/** What each module may import beside itself. Entries (files directly in src/) may import anything. */
const allowed: Record<string, string[]> = {
  http: [],
  models: [],
  db: ["models", "http"],
  providers: ["http", "entry"],
  services: ["db", "models", "providers", "http", "entry"],
  jobs: beneath,
  webhooks: beneath,
  sandbox: [],
  demo: beneath,
  cli: [...beneath, "demo", "sandbox"],
  // Shapes that several features reply with.
  api: ["http"],
};
/** Entries that modules may import: they name no other entry and start nothing. */
const importableEntries = new Set(["deps.ts", "config.ts"]);

test("imports point one way and features are strangers to one another", () => {
  const wrong: string[] = [];
  for (const [file, imports] of graph) {
    const from = moduleOf(file);
    if (from === "entry") continue;
    for (const target of imports) {
      const to = moduleOf(target);
      const may = from.startsWith("api/") ? ["api", ...beneath] : (allowed[from] ?? []);
      const entryIsFine = to !== "entry" || from === "cli" || importableEntries.has(target);
      if (to !== from && !(may.includes(to) && entryIsFine)) wrong.push(`${file} → ${target}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("there are no import cycles", () => {
  // What is only a type is gone when the program runs.
  const values = new Map(files.map((file) => [file, importsOf(file, { types: false })]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      return;
    }
    if (done.has(file)) return;
    for (const target of values.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

test("only development entries open the sandbox and the demo data", () => {
  const development = new Set(["sandbox", "demo"]);
  const openers = files.filter(
    (file) => !development.has(moduleOf(file)) && graph.get(file)?.some((target) => development.has(moduleOf(target))),
  );
  expect(openers.filter((file) => !["dev.ts", "cli/docs.ts", "cli/seed.ts", "cli/tour.ts"].includes(file))).toEqual([]);
});

test("the environment is read in one place", () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(join(src, file), "utf8")));
  expect(readers.filter((file) => !["process.ts", "sandbox/database/cli.ts"].includes(file))).toEqual([]);
});

test("nothing is called utils, helpers or common", () => {
  expect(files.filter((file) => /(^|\/)(utils?|helpers?|common)(\.ts|\/)/.test(file))).toEqual([]);
});
