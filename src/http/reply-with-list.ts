import type { z } from "zod";
import { type CursorKey, cutPage, rowsAtATime } from "./pages.js";
import { streamBody } from "./replies/stream-body.js";
import type { WriteReply } from "./replies/write-reply.js";
import type { AlreadySent, RouteRequest } from "./route.js";

/** Rows of a page when only `after` is given. */
const usualRows = 100;

function encode(key: CursorKey): string {
  const parts = key.map((part) => {
    if (part instanceof Date) return part.getTime();
    return typeof part === "object" ? String(part) : part;
  });
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** A list in an order that the database keeps, from any place in it. */
export interface OrderedList<Row, K extends CursorKey, Item> {
  /** Rows of a batch of the whole list; `rowsAtATime` unless given. */
  readonly rowsAtATime?: number;
  /** The rows after that place, in batches of about `size`. */
  read(after: K | undefined, size: number): AsyncIterable<Row[]>;
  /** The place of a row: what the list is ordered by. */
  keyOf(row: Row): K;
  /** What is shown of some rows, in their order. */
  describe(rows: readonly Row[]): Promise<Item[]>;
}

export interface ListReply<Row, K extends CursorKey, Item, R extends z.ZodObject> {
  readonly reply: R;
  /** Field that holds the list. */
  readonly field: string;
  /** The reply around some items; `nextCursor` only for a page. */
  wrap(items: Item[], page: { nextCursor?: string | null }): z.input<R>;
  readonly list: OrderedList<Row, K, Item>;
}

type Asked<K> = Pick<
  RouteRequest<unknown, { limit?: number | undefined; after?: K | undefined }, unknown, "public">,
  "query" | "res" | "signal" | "write"
>;

/**
 * Answers with one page when `limit` or `after` was given, otherwise with the whole list, written in batches as the
 * reader takes them.
 */
export async function replyWithList<Row, K extends CursorKey, Item, R extends z.ZodObject>(
  { query: { limit, after }, res, signal, write }: Asked<K>,
  shown: ListReply<Row, K, Item, R>,
): Promise<z.input<R> | AlreadySent> {
  if (limit === undefined && after === undefined) {
    const headers = { "Content-Type": "application/json; charset=utf-8" };
    return streamBody(res, signal, headers, textOf(shown, write));
  }
  const { list, wrap } = shown;
  const wanted = limit ?? usualRows;
  const found: Row[] = [];
  for await (const rows of list.read(after, wanted + 1)) {
    found.push(...rows);
    if (found.length > wanted) break;
  }
  const { rows, hasMore } = cutPage(found, wanted);
  const last = rows.at(-1);
  const items = await list.describe(rows);
  return wrap(items, { nextCursor: hasMore && last !== undefined ? encode(list.keyOf(last)) : null });
}

/** The bytes of the whole reply, a batch at a time: the reply around no items, cut open where they belong. */
async function* textOf<Row, K extends CursorKey, Item, R extends z.ZodObject>(
  shown: ListReply<Row, K, Item, R>,
  write: WriteReply,
): AsyncGenerator<string> {
  const empty = write(shown.wrap([], {}));
  // No string value can contain this: quotation marks in it are escaped.
  const start = empty.indexOf(`"${shown.field}":[`) + shown.field.length + 4;
  const end = empty.slice(start);
  let text = empty.slice(0, start);
  let any = false;
  for await (const rows of shown.list.read(undefined, shown.list.rowsAtATime ?? rowsAtATime)) {
    if (rows.length === 0) continue;
    const items = await shown.list.describe(rows);
    if (items.length === 0) continue;
    const more = write(shown.wrap(items, {})).slice(start, -end.length);
    if (any) {
      yield text;
      text = ",";
    }
    text += more;
    any = true;
  }
  yield text + end;
}
