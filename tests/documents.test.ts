import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { backgroundJobs } from "../src/jobs/index.js";
import { createModels } from "../src/models/index.js";
import { startTestServer } from "./server/test-server.js";

const folders = readdirSync(".", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$|^dist$/.test(entry.name))
  .map(({ name }) => name);
const paths = [".", ...folders].flatMap((folder) =>
  readdirSync(folder, { recursive: folder !== ".", encoding: "utf8" }).map((name) => normalize(join(folder, name))),
);
const existing = new Set([".", ...folders, ...paths]);
const documents = paths.filter((path) => path.endsWith(".md") && !/node_modules/.test(path));
const read = (path: string): string => readFileSync(path, "utf8");

/** The anchor that a heading gets where Markdown is shown. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\-_ ]/gu, "")
    .replaceAll(" ", "-");

function leadsSomewhere(document: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : normalize(join(dirname(document), path)).replace(/\/$/, "");
  if (!existing.has(target)) return false;
  const headings = anchor === undefined ? [] : [...read(target).matchAll(/^#+ (.+)$/gm)];
  return anchor === undefined || headings.some(([, heading = ""]) => anchorOf(heading) === anchor);
}

test("every link leads somewhere", () => {
  const broken = documents.flatMap((document) => {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    return local.filter((link) => !leadsSomewhere(document, link)).map((link) => `${document} → ${link}`);
  });
  expect(broken).toEqual([]);
});

test("a long document lists all its sections, and no cell of its tables has more than 45 words", () => {
  const pages = documents.map((document) => ({ document, text: read(document) }));
  const missing = pages
    .filter(({ document, text }) => document.startsWith("docs/") && text.split("\n").length > 300)
    .flatMap(({ document, text }) =>
      [...text.matchAll(/^## (.+)$/gm)]
        .map(([, title = ""]) => title)
        .filter((title) => !text.includes(`- [${title}](#${anchorOf(title)})`))
        .map((title) => `${document}: ${title}`),
    );
  const cells = pages.flatMap(({ text }) => [...text.matchAll(/^\|.*\|$/gm)].flatMap(([row]) => row.split("|")));
  expect({ missing, long: cells.filter((cell) => cell.trim().split(/\s+/).length > 45) }).toEqual({
    missing: [],
    long: [],
  });
});

test("every command that a document names exists, and docs/commands.md names all", () => {
  const scripts = Object.keys(JSON.parse(read("package.json")).scripts);
  const named = documents.flatMap((document) => [...read(document).matchAll(/npm run (?:-s )?([a-z:]+)/g)]);
  expect(named.length).toBeGreaterThan(10);
  expect(named.map(([, script = ""]) => script).filter((script) => !scripts.includes(script))).toEqual([]);
  const described = [...read("docs/commands.md").matchAll(/npm (?:run )?(?:-s )?([a-z:]+)/g)].map(
    ([, script]) => script,
  );
  expect(scripts.filter((script) => !described.includes(script))).toEqual([]);
});

test("no cell of a generated table is empty", () => {
  const tables = documents.flatMap((document) =>
    [...read(document).matchAll(/<!-- generated: (.+?)<!-- end -->/gs)].map(([, table = ""]) => table),
  );
  expect(tables.length).toBeGreaterThan(3);
  const rows = tables.flatMap((table) => table.split("\n")).filter((line) => line.startsWith("|"));
  expect(rows.filter((row) => /\| *\|/.test(row))).toEqual([]);
});

test("the index of decisions lists each of them", () => {
  const files = readdirSync("docs/decisions").filter((file) => file !== "README.md");
  const listed = [...read("docs/decisions/README.md").matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, file]) => file);
  expect(listed).toEqual(files.sort());
});

describe("names are those of the server", async () => {
  const server = await startTestServer({ own: "runs jobs over all rows" });
  const architecture = read("docs/architecture.md");

  test("metrics", () => {
    const sources = paths.filter((path) => path.startsWith("src/") && path.endsWith(".ts")).map(read);
    const names = sources.flatMap((source) =>
      [...source.matchAll(/"((?:lyceum|http_server|db_client)_\w+)"/g)].map(([, name]) => name),
    );
    const described = [...read("docs/operations.md").matchAll(/`((?:lyceum|http_server|db_client)_\w+)/g)].map(
      ([, name]) => name,
    );
    expect(names.length).toBeGreaterThan(5);
    expect([...new Set(described)].sort()).toEqual([...new Set(names)].sort());
  });

  test("collections", () => {
    const [, model = ""] = architecture.split("## Data model");
    const rows = [
      ...model
        .split("\n## ", 1)
        .join("")
        .matchAll(/^\| ([A-Z]\w+(?:, [A-Z]\w+)*) +\| [^K]/gm),
    ];
    const described = rows.flatMap(([, names = ""]) => names.split(", ")).filter((name) => name !== "Model");
    const undescribed = Object.keys(createModels(server.deps.database)).filter((name) => !described.includes(name));
    expect(undescribed).toEqual([]);
  });

  test("background jobs", () => {
    const [, jobs = ""] = architecture.split("## Background jobs");
    const described = [...jobs.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);
    expect(described.sort()).toEqual(
      backgroundJobs(server.deps)
        .map(({ name }) => name)
        .sort(),
    );
  });
});

describe("statements about the server", () => {
  const { paths: routes } = JSON.parse(read("openapi.json")) as { paths: Record<string, Record<string, unknown>> };
  const chapter = (name: string) => read("SECURITY.md").match(new RegExp(`^\\| ${name} .*$`, "m"))?.[0] ?? "";
  const sources = paths.filter((path) => path.startsWith("src/") && path.endsWith(".ts"));

  test("SECURITY.md names every HTML page", () => {
    const pages = Object.keys(routes).filter((path) => JSON.stringify(routes[path]).includes('"text/html"'));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.filter((path) => !chapter("V3").includes(`\`${path.replace(/\/\{.*/, "")}\``))).toEqual([]);
    expect(chapter("V3").match(/`\/[^`]+`/g)).toHaveLength(pages.length);
  });

  test("SECURITY.md names the size of every file that is uploaded", () => {
    const sizes = [...JSON.stringify(routes).matchAll(/"format":"binary","description":"[^"]*up to (\d+ MiB)/g)];
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.map(([, size = ""]) => size).filter((size) => !chapter("V5").includes(size))).toEqual([]);
  });

  test("docs/backup.md names everything that is in the media storage", () => {
    const stored: Record<string, string> = {
      "certificates/draw-certificate": "Certificate PDFs",
      "courses/store-thumbnail": "thumbnails",
      "resources/store-resource": "files of courses",
    };
    const writers = sources.filter((path) => read(path).includes("storage.put("));
    expect(writers.sort()).toEqual(Object.keys(stored).map((name) => `src/services/${name}.ts`));
    const [, sentence = ""] = /operators\. (.*?) are in the media storage/.exec(read("docs/backup.md")) ?? [];
    expect(sentence.split(/, | and /)).toEqual(Object.values(stored));
  });
});

test("the README of the embedded database names every source file", () => {
  const folder = "packages/embedded-mongo/src/";
  const files = paths.filter((path) => path.startsWith(folder) && path.endsWith(".ts"));
  const names = files.map((path) => path.slice(folder.length, -".ts".length));
  const [, table = ""] = read("packages/embedded-mongo/README.md").split("| Files ");
  const named = [...table.matchAll(/^\| `(\w+\/)`: (.+?) +\|/gm)].flatMap(([, from = "", list = ""]) =>
    [...list.matchAll(/`([\w*-]+)`/g)].map(([, name = ""]) => (from === "src/" ? name : from + name)),
  );
  const told = (name: string) =>
    named.includes(name) || named.some((one) => one.includes("*") && name.endsWith(one.replace(/^.*\*/, "")));
  const entries = ["cli", "development-database", "errors", "index"];
  expect(names.filter((name) => !told(name) && !entries.includes(name))).toEqual([]);
  expect(named.filter((name) => !name.includes("*") && !names.includes(name))).toEqual([]);
});
