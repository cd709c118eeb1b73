import { once } from "node:events";
import type { Response } from "express";
import { type AlreadySent, alreadySent } from "../route.js";
import { holdReply } from "./send-text.js";

/** Pieces that a streamed body holds at once: the database's reply, the source and the socket each hold one. */
const heldPieces = 3;
const minHeldBytes = 1_048_576;

/**
 * Writes a body in pieces, each after the reader has taken the pieces before it. A body of one piece has a
 * `Content-Length`. An error before the second piece is an ordinary failure. A later error cuts the connection, so that
 * half a body never looks complete.
 * @param signal aborts when the reader goes away, which ends the source.
 * @throws Overloaded when replies to the client hold too much memory already.
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
    holdReply(res, second.done ? text.length : Math.max(minHeldBytes, heldPieces * text.length));
    res.set(headers);
    if (!second.done) {
      // `pipeline` would add more listeners to the response than Node allows without a warning.
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

/** Puts back what was taken from the beginning of a source. */
export async function* withFirst<T>(first: readonly T[], others: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* others;
}
