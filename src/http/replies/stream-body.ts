import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import type { Response } from "express";
import { holdReply } from "../limits/byte-budget.js";
import { type AlreadySent, alreadySent } from "../route.js";

/**
 * Memory that a streamed body counts for: `perPiece` times its first piece, because two pieces and the database's batch
 * are held, and at least this many bytes.
 */
const memory = { perPiece: 3, leastBytes: 1_048_576 };

/**
 * Writes a body piece by piece. The next piece is made when the reader has taken the last one, so that no more than two
 * are held, and other requests have their turn in between. An error before the second piece is an ordinary failure; a
 * later one cuts the connection, so that half a body never looks whole. A body of one piece has a `Content-Length`; one
 * of several is refused when large replies hold too much memory already.
 * @param signal ends it when the reader goes away.
 */
export async function streamBody(
  res: Response,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>>,
  pieces: AsyncIterable<string>,
): Promise<AlreadySent> {
  let held = "";
  try {
    for await (const piece of res.req.method === "HEAD" ? none() : pieces) {
      if (signal.aborted) return alreadySent;
      if (held !== "") {
        if (!res.headersSent) {
          holdReply(res, Math.max(memory.leastBytes, memory.perPiece * held.length));
          res.set(headers);
        }
        await (res.write(held) ? turn() : once(res, "drain", { signal }));
      }
      held = piece;
    }
    if (!res.headersSent) res.set(headers);
    res.end(held);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return alreadySent;
}

async function* none(): AsyncGenerator<never> {}

export interface JsonList {
  /** JSON text before the list's items. */
  readonly head: string;
  /** Each item as JSON text. */
  readonly batches: AsyncIterable<readonly string[]>;
  /** JSON text after them; asked for when all have been read. */
  tail(): string;
}

/** Writes a JSON body with a long list, a batch at a time. */
export function streamList(res: Response, signal: AbortSignal, list: JsonList): Promise<AlreadySent> {
  return streamBody(res, signal, { "Content-Type": "application/json; charset=utf-8" }, textOf(list));
}

async function* textOf({ head, batches, tail }: JsonList): AsyncGenerator<string> {
  let text = head;
  let any = false;
  for await (const items of batches) {
    if (items.length === 0) continue;
    if (any) {
      yield text;
      text = ",";
    }
    text += items.join(",");
    any = true;
  }
  yield text + tail();
}
