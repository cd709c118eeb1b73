import type { Response } from "express";
import type { AlreadySent } from "../route.js";
import { streamBody } from "./stream-body.js";

export type Cell = string | number | Date | null;

export interface CsvExport {
  /** Without extension. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]>;
}

/**
 * Streams a table as CSV (RFC 4180, UTF-8 with a byte order mark) that a spreadsheet takes for text and never for
 * formulas.
 * @param signal ends it when the reader goes away.
 */
export function sendCsv(res: Response, signal: AbortSignal, table: CsvExport): Promise<AlreadySent> {
  const headers = {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${table.name}.csv"`,
  };
  return streamBody(res, signal, headers, linesOf(table));
}

async function* linesOf({ columns, batches }: CsvExport): AsyncGenerator<string> {
  let before = `\uFEFF${line(columns)}`;
  for await (const rows of batches) {
    yield before + rows.map(line).join("");
    before = "";
  }
  yield before;
}

const line = (cells: readonly Cell[]): string => `${cells.map(cell).join(",")}\r\n`;

/**
 * Where a formula would start, in this file or in one that a spreadsheet opens with `;` or a tab as its separator: it
 * then takes quotation marks in the middle of a cell, and line breaks after them, literally.
 */
const formulaStart = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[" ]*[=+\-@])/g;

/** A quote keeps a spreadsheet from reading what follows as a formula (OWASP, CSV injection). */
function cell(value: Cell): string {
  if (typeof value === "number") return String(value);
  const plain = value instanceof Date ? value.toISOString() : (value ?? "");
  const text = plain.replaceAll(formulaStart, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
