import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { collections, type ModelName } from "../../src/models/index.js";

type Cells = readonly string[];

/** Formats a table with aligned columns, as the document formatter does. */
function table(head: Cells, rows: readonly Cells[]): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: Cells): string => `| ${widths.map((width, i) => (cells[i] ?? "").padEnd(width)).join(" | ")} |`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line);
}

const cellsOf = (line: string): Cells =>
  line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());

function fieldsOf(name: ModelName): string {
  const fields = new Set(Object.keys(collections[name].schema.paths).map((path) => path.split(".", 1)[0]));
  return [...fields].map((field) => `\`${field}\``).join(", ");
}

function uniqueKeysOf(name: ModelName): string {
  const unique = collections[name].schema.indexes().filter(([, options]) => options?.unique);
  const keys = unique.map(([fields, options]) => {
    const isPartial = options?.partialFilterExpression !== undefined || options?.sparse === true;
    return `${Object.keys(fields).join(" + ")}${isPartial ? " (some rows)" : ""}`;
  });
  return keys.length > 0 ? keys.join(", ") : "`_id`";
}

const names = Object.keys(collections) as ModelName[];

/** Builds the table of collections from the models' declarations. */
const collectionTables = {
  "docs/privacy.md": () =>
    table(
      ["Collection", "Fields", "Holds", "Kept until"],
      names.map((name) => [name, fieldsOf(name), collections[name].holds, collections[name].kept]),
    ),
  "docs/architecture.md": () =>
    table(
      ["Model", "Unique keys", "Holds"],
      names.map((name) => [name, uniqueKeysOf(name), collections[name].holds]),
    ),
};

/** Replaces the lines between the marks of a generated part. */
function withPart(text: string, part: string, change: (lines: string[]) => string[]): string {
  const [start, end] = [`<!-- generated: ${part} -->\n\n`, "\n\n<!-- end -->"];
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end, from);
  if (from < start.length || to < 0) throw new Error(`no place for the generated table of ${part}`);
  return text.slice(0, from) + change(text.slice(from, to).split("\n")).join("\n") + text.slice(to);
}

export const withCollectionTable = (file: keyof typeof collectionTables, text: string): string =>
  withPart(text, "collections", collectionTables[file]);

/** Keeps the rows of existing items with their texts, and adds a row for each new item. */
const withRows = (text: string, part: string, newRows: ReadonlyMap<string, Cells>): string =>
  withPart(text, part, (lines) => {
    const [head = [], _rule, ...rows] = lines.map(cellsOf);
    const names = new Set([...newRows.keys()].map((name) => `\`${name}\``));
    const kept = rows.filter(([name = ""]) => names.has(name));
    const known = new Set(kept.map(([name]) => name));
    const added = [...newRows].map(([name, cells]): Cells => [`\`${name}\``, ...cells]);
    return table(head, [...kept, ...added.filter(([name]) => !known.has(name))]);
  });

/** Finds the log events in the sources: by id, with an empty cell for their author to fill in. */
async function findLogEvents(): Promise<Map<string, Cells>> {
  const found = await Promise.all(
    ["src", "ops", "development"].map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((file) => join(folder, file)),
    ),
  );
  const files = found.flat().filter((file) => file.endsWith(".ts"));
  const sources = await Promise.all(files.sort().map((file) => readFile(file, "utf8")));
  const calls = sources.flatMap((source) => [...source.matchAll(/eventId: "(\w+)"/g)]);
  return new Map(calls.map(([, id = ""]) => [id, [""]]));
}

/** Writes the tables of collections, background jobs and log events into the documents. */
export async function writeTables(jobs: readonly { readonly name: string }[]): Promise<void> {
  const jobRows = new Map(jobs.map(({ name }): [string, Cells] => [name, [""]]));
  const logEvents = await findLogEvents();
  const changes: Record<string, (text: string) => string> = {
    "docs/privacy.md": (text) => withCollectionTable("docs/privacy.md", text),
    "docs/architecture.md": (text) => withRows(withCollectionTable("docs/architecture.md", text), "jobs", jobRows),
    "docs/operations.md": (text) => withRows(text, "log events", logEvents),
  };
  for (const [file, change] of Object.entries(changes)) await writeFile(file, change(await readFile(file, "utf8")));
}
