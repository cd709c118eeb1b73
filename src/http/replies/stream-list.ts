import { once } from "node:events";
import type { Response } from "express";
import { type AlreadySent, alreadySent } from "../route.js";

export interface JsonList {
  /** JSON text before the list's items. */
  readonly head: string;
  /** Each item as JSON text. */
  readonly batches: AsyncIterable<readonly string[]>;
  /** JSON text after them; asked for when all have been read. */
  tail(): string;
}

/** A reader that takes nothing for so long is cut off. */
const stalledAfterMs = 60_000;

/**
 * Writes a JSON body with a long list, of which no more than two batches are held: the next one is read when the reader
 * has taken the last. A list of one batch is sent in one piece. An error before the first byte is an ordinary failure, a
 * later one cuts the connection, so that half a list never looks whole.
 * @param signal ends it when the reader goes away.
 */
export async function streamList(res: Response, signal: AbortSignal, list: JsonList): Promise<AlreadySent> {
  let pending = list.head;
  let first = true;
  let whole = true;
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  try {
    for await (const items of list.batches) {
      if (signal.aborted) return alreadySent;
      if (!first && pending !== "") {
        if (whole) res.setTimeout(stalledAfterMs, () => res.destroy());
        whole = false;
        if (!res.write(pending)) await once(res, "drain", { signal });
        pending = "";
      }
      if (items.length > 0) pending += `${first ? "" : ","}${items.join(",")}`;
      first &&= items.length === 0;
    }
    pending += list.tail();
    if (whole) res.setHeader("Content-Length", Buffer.byteLength(pending));
    res.end(pending);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return alreadySent;
}
