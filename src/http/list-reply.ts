import { z } from "zod";
import { type CursorKey, cutPage, type OrderedList, readBatches } from "../lib/read-batches.js";
import { streamBody, withFirst } from "./replies/stream-body.js";
import type { AlreadySent, RouteRequest } from "./route.js";

/** Rows of a page when only `after` is given. */
const defaultPageRows = 100;

interface PageQuery<K> {
  readonly limit?: number | undefined;
  readonly after?: K | undefined;
}

/** Reads one page of a list, and the cursor of the next page: null at the end. */
export async function readPage<Row, K extends CursorKey, Item>(
  list: OrderedList<Row, K, Item>,
  { limit = defaultPageRows, after }: PageQuery<K>,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const { rows, hasMore } = cutPage(await list.find(after, limit + 1), limit);
  const last = rows.at(-1);
  const items = await list.describe(rows);
  return { items, nextCursor: hasMore && last !== undefined ? encodeCursor(list.keyOf(last)) : null };
}

/** Writes the values that a list is ordered by as `nextCursor`. */
export function encodeCursor(key: CursorKey): string {
  const parts = key.map((part) => {
    if (part instanceof Date) return part.getTime();
    return typeof part === "object" ? String(part) : part;
  });
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

type Replying = Pick<RouteRequest<unknown, unknown, unknown, "public">, "res" | "signal" | "write">;

/**
 * Answers with a whole list, written in batches as the reader takes them.
 * @param wrap creates a reply with some of the items. In a reply without items, no other array is empty. Fields behind
 *   the list may change from batch to batch; the reply has their last values.
 */
export function sendWholeList<Item>(
  { res, signal, write }: Replying,
  batches: AsyncIterable<Item[]>,
  wrap: (items: Item[]) => object,
): Promise<AlreadySent> {
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  const pieces = textOf(batches, (items) => write(wrap(items)));
  return streamBody(res, signal, headers, pieces);
}

/** Joins the texts of the batches, each without the text around its list. Most lists are one batch. */
async function* textOf<Item>(batches: AsyncIterable<Item[]>, write: (items: Item[]) => string): AsyncGenerator<string> {
  const source = batches[Symbol.asyncIterator]();
  const first = await source.next();
  const second = first.done ? first : await source.next();
  if (first.done || second.done) {
    yield write(first.done ? [] : first.value);
    return;
  }
  const empty = write([]);
  const start = empty.indexOf("[]") + 1;
  const end = () => write([]).slice(start);
  let text = empty.slice(0, start);
  let isFirst = true;
  for await (const items of withFirst([first.value, second.value], { [Symbol.asyncIterator]: () => source })) {
    if (items.length === 0) continue;
    if (!isFirst) yield text;
    text = (isFirst ? text : ",") + write(items).slice(start, -end().length);
    isFirst = false;
  }
  yield text + end();
}

/**
 * Describes a list: the schema of its reply, and the answer.
 * @param nextCursor the field beside the list, by its kind of page (pages.ts). Absent: always the whole list.
 */
export function listReply<Name extends string, Item extends z.ZodType>(name: Name, item: Item, nextCursor?: z.ZodType) {
  type Reply = Record<Name, z.input<Item>[]>;
  const fields = { [name]: z.array(item), ...(nextCursor && { nextCursor }) };
  return {
    schema: z.object(fields) as unknown as z.ZodObject<Record<Name, z.ZodArray<Item>>>,
    answer: <Row, K extends CursorKey>(request: Listing<K>, list: OrderedList<Row, K, z.input<Item>>) =>
      answerList(request, list, (items, page) => ({ [name]: items, ...page }) as Reply),
  };
}

type Listing<K> = Replying & { readonly query: PageQuery<K> | undefined };

/** Answers with a page when `limit` or `after` is given, otherwise with the whole list. */
export async function answerList<Row, K extends CursorKey, Item, R extends object>(
  request: Listing<K>,
  list: OrderedList<Row, K, Item>,
  wrap: (items: Item[], page: { nextCursor?: string | null }) => R,
): Promise<R | AlreadySent> {
  const { query = {} } = request;
  if (query.limit === undefined && query.after === undefined) {
    return sendWholeList(request, describedBatches(list), (items: Item[]) => wrap(items, {}));
  }
  const { items, nextCursor } = await readPage(list, query);
  return wrap(items, { nextCursor });
}

/** Reads the items of a whole list in batches. */
export async function* describedBatches<Row, K extends CursorKey, Item>(
  list: OrderedList<Row, K, Item>,
): AsyncGenerator<Item[]> {
  for await (const rows of readBatches(list)) yield await list.describe(rows);
}
