import { once } from "node:events";
import type { Response } from "express";
import { type AlreadySent, alreadySent } from "./route.js";

export type Cell = string | number | Date | null;

export interface CsvExport {
  /** Without extension. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** A reader that takes nothing for so long is sent away. */
const stalledAfterMs = 60_000;

/**
 * Streams a table as CSV (RFC 4180, UTF-8 with a byte order mark) that a spreadsheet takes for text and never for
 * formulas. No more than a batch is held: the next one is fetched when the reader has taken the last. A fault before
 * the first byte is an ordinary failure, a later one cuts the connection, so that half a table never looks whole.
 * @param signal ends it when the reader goes away.
 */
export async function sendCsv(res: Response, signal: AbortSignal, table: CsvExport): Promise<AlreadySent> {
  const batches = res.req.method === "HEAD" ? none() : table.batches;
  const begin = (): void => {
    if (res.headersSent) return;
    res.setHeader("Content-Type", "text/csv; charset=utf-8");
    res.setHeader("Content-Disposition", `attachment; filename="${table.name}.csv"`);
    res.setHeader("Cache-Control", "no-store");
    res.setTimeout(stalledAfterMs, () => res.destroy());
    res.write(`\uFEFF${line(table.columns)}`);
  };
  try {
    for await (const rows of batches) {
      begin();
      if (signal.aborted) return alreadySent;
      if (!res.write(rows.map(line).join(""))) await once(res, "drain", { signal });
    }
    begin();
    res.end();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return alreadySent;
}

async function* none(): AsyncGenerator<never> {}

const line = (cells: readonly Cell[]): string => `${cells.map(cell).join(",")}\r\n`;

/** A leading quote keeps a spreadsheet from reading the cell as a formula (OWASP, CSV injection). */
function cell(value: Cell): string {
  if (typeof value === "number") return String(value);
  const plain = value instanceof Date ? value.toISOString() : (value ?? "");
  const text = /^[=+\-@\t\r\n]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
