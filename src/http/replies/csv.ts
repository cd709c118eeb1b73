import type { Options } from "csv-stringify/sync";
import type { Response } from "express";
import type { AlreadySent } from "../route.js";
import { streamBody } from "./stream-body.js";

export type Cell = string | number | Date | null;

export interface CsvExport<Row> {
  /** File name without extension. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly Row[]>;
  /** The cells of a row, in the order of `columns`. */
  cells(row: Row): Cell[];
}

/** Streams a table as CSV (RFC 4180, UTF-8 with a byte order mark). A spreadsheet reads no cell as a formula. */
export function sendCsv<Row>(res: Response, signal: AbortSignal, table: CsvExport<Row>): Promise<AlreadySent> {
  const headers = {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${table.name}.csv"`,
  };
  return streamBody(res, signal, headers, csvLines(table));
}

async function* csvLines<Row>({ columns, batches, cells }: CsvExport<Row>): AsyncGenerator<string> {
  const { stringify } = await import("csv-stringify/sync");
  const linesOf = (rows: Cell[][]): string => stringify(rows, format);
  let header = `\uFEFF${linesOf([[...columns]])}`;
  for await (const rows of batches) {
    yield header + linesOf(rows.map(cells));
    header = "";
  }
  if (header) yield header;
}

/**
 * Positions at which a formula would start. A spreadsheet that separates cells by `;` or a tab also finds formulas behind
 * these separators, and takes quotation marks inside a cell literally.
 */
const formulaStart = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[" ]*[=+\-@＝＋－＠])/g;

/** Adds an apostrophe before each formula, so that a spreadsheet reads it as text (OWASP, CSV injection). */
const withoutFormula = (text: string): string => text.replaceAll(formulaStart, "'");

const format: Options = {
  record_delimiter: "windows",
  // By itself the library quotes a cell with `\r\n`, but none with only one of the two.
  quoted_match: /[\r\n]/,
  cast: { string: withoutFormula, date: (at) => at.toISOString() },
};
