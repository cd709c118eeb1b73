import { rounded } from "../measure/figures.js";
import type { Row, Section } from "../part.js";

const shown = (value: string | number | undefined): string =>
  value === undefined ? "" : typeof value === "number" ? rounded(value).toLocaleString("en-US") : value;

const columnsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

/** A table in Markdown, its columns as wide as what they hold. */
export function tableOf(rows: readonly Row[]): string {
  const names = columnsOf(rows);
  const isNumber = names.map((name) => rows.every((row) => typeof (row[name] ?? 0) === "number"));
  const cells = [names, ...rows.map((row) => names.map((name) => shown(row[name])))];
  const widths = names.map((_, i) => Math.max(3, ...cells.map((line) => line[i]?.length ?? 0)));
  const line = (values: readonly string[]): string =>
    `| ${values.map((value, i) => (isNumber[i] ? value.padStart(widths[i] ?? 0) : value.padEnd(widths[i] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, i) => (isNumber[i] ? `${"-".repeat(width - 1)}:` : "-".repeat(width)));
  const [head = [], ...body] = cells;
  return [line(head), line(rule), ...body.map(line)].join("\n");
}

export function printSection({ title, note, rows }: Section): void {
  process.stdout.write(`\n${title}\n${note ? `${note}\n` : ""}\n${tableOf(rows)}\n\n`);
}
