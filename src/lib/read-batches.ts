import type { Types } from "mongoose";

/** Values that a list is ordered by: the place of a row in it. */
export type CursorKey = readonly (Date | Types.ObjectId | string | number | boolean)[];

/** A list that is read from any place in it. */
export interface OrderedRows<Row, K> {
  /** Reads the first rows behind a place, or from the beginning. Returns fewer than `limit` only at the end. */
  find(after: K | undefined, limit: number): Promise<Row[]>;
  /** The place of a row: the values that the list is ordered by. */
  keyOf(row: Row): K;
  /** Reads the whole list by one query, for an order in which the database has to sort it. */
  readAll?(): AsyncGenerator<Row[]>;
}

/** A list in the order of an index, whose rows are converted to items of a reply. */
export interface OrderedList<Row, K extends CursorKey, Item> extends OrderedRows<Row, K> {
  /** Converts rows to items, in their order. */
  describe(rows: readonly Row[]): Item[] | Promise<Item[]>;
}

/** Rows of a whole list that are read, described and written at a time. */
export const batchRows = 1_000;

/** Reads a list to its end. Each batch is a query of its own, so that no cursor has to outlive a slow reader. */
export async function* readBatches<Row, K>(list: OrderedRows<Row, K>, size = batchRows): AsyncGenerator<Row[]> {
  if (list.readAll) return yield* list.readAll();
  let rows: Row[] = [];
  do {
    const last = rows.at(-1);
    rows = await list.find(last === undefined ? undefined : list.keyOf(last), size);
    if (rows.length > 0) yield rows;
  } while (rows.length === size);
}

/** Collects the rows of a cursor into batches. */
export async function* inBatches<Row>(cursor: AsyncIterable<Row>, size: number): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  for await (const row of cursor) {
    rows.push(row);
    if (rows.length < size) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** Cuts rows to one page. `found` has one row more than `limit` if there is a next page. */
export function cutPage<Row>(found: readonly Row[], limit: number): { rows: Row[]; hasMore: boolean } {
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}
