import { Readable } from "node:stream";
import { CsvError, type InfoRecord, type Parser, parse } from "csv-parse";
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
  /** Line of the file, the header being the first. */
  readonly row: number;
  readonly cells: readonly string[];
}

/** Longest row in characters. It bounds a quotation mark that is never closed. */
const maxRowLength = 10_000;

/**
 * Reads a CSV file while it arrives: UTF-8 with or without a byte order mark, commas or semicolons, lines that end in LF
 * or CRLF, cells in quotation marks.
 * @param columns the header that it must have. @throws `Invalid file` for another header, another encoding, a quotation
 *   mark that is never closed, and more rows than allowed.
 */
export async function* readTable(
  file: Readable,
  { columns, maxRows }: { columns: readonly string[]; maxRows: number },
): AsyncGenerator<TableRow> {
  const parser = parse({
    delimiter: [",", ";"],
    info: true,
    max_record_size: maxRowLength,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
  const decoded = Readable.from(textOf(file));
  decoded.on("error", (error) => parser.destroy(error)).pipe(parser);
  let count = -1;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
      count += 1;
      if (count === 0) requireHeader(record, columns);
      else if (count > maxRows) throw invalidFile({ row: info.lines, message: `More than ${maxRows} rows` });
      else yield { row: info.lines, cells: record };
    }
  } catch (error) {
    throw refusalOf(error, parser);
  } finally {
    decoded.destroy();
    parser.destroy();
  }
  if (count < 0) requireHeader([], columns);
}

function requireHeader(header: readonly string[], columns: readonly string[]): void {
  const same = header.length === columns.length && columns.every((name, i) => header[i] === name);
  if (!same) throw invalidFile({ row: 1, message: `The header must be ${columns.join(",")}` });
}

function refusalOf(error: unknown, { info }: Parser): unknown {
  if (error instanceof NotUtf8) return invalidFile({ row: info.lines, message: "Not UTF-8" });
  if (error instanceof CsvError) return invalidFile({ row: info.lines, message: "Not a CSV table from here on" });
  return error;
}

class NotUtf8 extends Error {}

async function* textOf(file: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw new NotUtf8("not UTF-8", { cause: error });
    }
  };
  for await (const chunk of file) yield decode(chunk as Buffer);
  yield decode();
}
