import { Readable } from "node:stream";
import type { InfoRecord } from "csv-parse";
import { ApiError, failure } from "../../../lib/errors.js";

export const InvalidFile = failure("invalid_file", 400, "Invalid file", { errors: [] });

/** An error in one line of a file. */
interface FileError {
  readonly row: number;
  readonly message: string;
}

export const invalidFile = (...errors: FileError[]): ApiError =>
  new ApiError(InvalidFile.id, InvalidFile.status, InvalidFile.message, { extra: { errors } });

export interface TableRow {
  /** Line of the file on which the row begins, the first being 1. */
  readonly row: number;
  /** Without the spaces around them, and without empty cells at the end. */
  readonly cells: readonly string[];
}

/** Longest row in characters, so that memory stays bounded when a quotation mark is never closed. */
const maxRowLength = 10_000;

/**
 * Reads a CSV file: UTF-8 with or without a byte order mark, commas or semicolons, lines that end in LF,
 * CRLF or CR, cells in quotation marks. Skips a line `sep=;`, which spreadsheets write, and rows without any value.
 * @param columns the header that it must have, in any letter case. @throws `Invalid file` for another header, another
 *   encoding, a quotation mark that is never closed, and more rows than allowed.
 */
export async function* readTable(
  file: Readable,
  { columns, maxRows }: { columns: readonly string[]; maxRows: number },
): AsyncGenerator<TableRow> {
  const read = { lines: 0, empty_lines: 0 };
  let isFirst = true;
  /** Puts the line of a record before its cells. */
  const numbered = (record: string[], { lines, empty_lines }: InfoRecord): string[] | undefined => {
    const row = read.lines + 1 + empty_lines - read.empty_lines;
    Object.assign(read, { lines, empty_lines });
    const cells = record.map((cell) => cell.trim());
    while (cells.at(-1) === "") cells.pop();
    const text = cells.join("");
    if (text === "" || (isFirst && /^sep=.?$/i.test(text))) return undefined;
    isFirst = false;
    return [String(row), ...cells];
  };
  const { CsvError, parse } = await import("csv-parse");
  const parser = parse({
    delimiter: [",", ";"],
    max_record_size: maxRowLength,
    on_record: numbered,
    record_delimiter: "\n",
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
  const decoded = Readable.from(decodeLines(file));
  decoded.on("error", (error) => parser.destroy(error)).pipe(parser);
  let count = -1;
  try {
    for await (const [line, ...cells] of parser as AsyncIterable<string[]>) {
      const row = Number(line);
      count += 1;
      if (count === 0) requireHeader({ row, cells }, columns);
      else if (count > maxRows) throw invalidFile({ row, message: `More than ${maxRows} rows` });
      else yield { row, cells };
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalidFile({ row: read.lines + 1, message: "Not a CSV table from here on" });
    throw error;
  } finally {
    for (const stream of [decoded, parser, file]) stream.destroy();
  }
  if (count < 0) requireHeader({ row: 1, cells: [] }, columns);
}

function requireHeader({ row, cells }: TableRow, columns: readonly string[]): void {
  const isSame = cells.length === columns.length && columns.every((name, i) => isSameName(name, cells[i] ?? ""));
  if (!isSame) throw invalidFile({ row, message: `The header must be ${columns.join(",")}` });
}

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const countLines = (text: string): number => text.split("\n").length - 1;

/** Decodes a file, and ends all its lines in LF. @throws `Invalid file` for another encoding than UTF-8. */
async function* decodeLines(file: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let lines = 1;
  let held = "";
  const decode = (bytes?: Buffer): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      const [valid = ""] = new TextDecoder().decode(bytes).split("\ufffd");
      throw invalidFile({ row: lines + countLines(toLineFeeds(held + valid)), message: "Not UTF-8" });
    }
  };
  for await (const chunk of file) {
    const text = held + decode(chunk as Buffer);
    // The LF of a CRLF may be in the next chunk.
    held = text.endsWith("\r") ? "\r" : "";
    const whole = toLineFeeds(text.slice(0, text.length - held.length));
    lines += countLines(whole);
    yield whole;
  }
  yield toLineFeeds(held + decode());
}

const toLineFeeds = (text: string): string => text.replace(/\r\n?/g, "\n");
