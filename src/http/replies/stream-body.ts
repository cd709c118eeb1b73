import { once } from "node:events";
import type { Response } from "express";
import { holdReply } from "../limits/byte-budget.js";
import { type AlreadySent, alreadySent } from "../route.js";

/**
 * Memory that a streamed body counts for: `perPiece` times its first piece, because the database's reply, the
 * source and the socket each hold a piece, and at least `leastBytes`.
 */
const memory = { perPiece: 3, leastBytes: 1_048_576 };

/**
 * Writes a body piece by piece, each when the reader has taken those before it. A body of one piece has a
 * `Content-Length`. An error before the second piece is an ordinary failure; a later one cuts the connection, so that
 * half a body never looks whole.
 * @param signal aborts when the reader goes away, which ends the source.
 * @throws Overloaded when replies of several pieces hold too much memory already.
 */
export async function streamBody(
  res: Response,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>>,
  pieces: AsyncGenerator<string>,
): Promise<AlreadySent> {
  if (res.req.method === "HEAD") {
    res.set(headers).end();
    return alreadySent;
  }
  try {
    const [first, second] = [await pieces.next(), await pieces.next()];
    if (signal.aborted) return alreadySent;
    const text = first.value ?? "";
    holdReply(res, second.done ? text.length : Math.max(memory.leastBytes, memory.perPiece * text.length));
    res.set(headers);
    if (!second.done) {
      // Not by `pipeline`: with its listeners a response has more than Node allows without a warning.
      for await (const piece of withFirst([text, second.value], pieces)) {
        if (!res.write(piece)) await once(res, "drain", { signal });
      }
    }
    res.end(second.done ? text : undefined);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await pieces.return(undefined);
  }
  return alreadySent;
}

async function* withFirst(first: readonly string[], others: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* first;
  yield* others;
}

export interface JsonList {
  /** JSON text before the list's items. */
  readonly head: string;
  /** Each item as JSON text. */
  readonly batches: AsyncIterable<readonly string[]>;
  /** JSON text after the items; called after all items have been read. */
  tail(): string;
}

/** Writes a JSON body with a long list, a batch at a time. */
export function streamList(res: Response, signal: AbortSignal, list: JsonList): Promise<AlreadySent> {
  return streamBody(res, signal, { "Content-Type": "application/json; charset=utf-8" }, textOf(list));
}

async function* textOf({ head, batches, tail }: JsonList): AsyncGenerator<string> {
  let text = head;
  let separator = "";
  for await (const items of batches) {
    if (items.length === 0) continue;
    if (separator) yield text;
    text = (separator ? "" : text) + separator + items.join(",");
    separator = ",";
  }
  yield text + tail();
}
