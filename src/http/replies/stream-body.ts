import { once } from "node:events";
import type { Response } from "express";
import { type AlreadySent, alreadySent } from "../route.js";

/** A reader that takes nothing for so long is cut off. */
const stalledAfterMs = 60_000;

/**
 * Writes a body piece by piece. The next piece is made when the reader has taken the last one, so that no more than two
 * are held. An error before the second piece is an ordinary failure; a later one cuts the connection, so that half a
 * body never looks whole. A body of one piece has a `Content-Length`.
 * @param signal ends it when the reader goes away.
 */
export async function streamBody(
  res: Response,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>>,
  pieces: AsyncIterable<string>,
): Promise<AlreadySent> {
  const begin = (): void => {
    if (res.headersSent) return;
    res.set(headers);
    res.setTimeout(stalledAfterMs, () => res.destroy());
  };
  let held = "";
  try {
    for await (const piece of res.req.method === "HEAD" ? none() : pieces) {
      if (signal.aborted) return alreadySent;
      if (held !== "") {
        begin();
        if (!res.write(held)) await once(res, "drain", { signal });
      }
      held = piece;
    }
    begin();
    res.end(held);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return alreadySent;
}

async function* none(): AsyncGenerator<never> {}
