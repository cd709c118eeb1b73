import type { Model, QueryFilter, Types } from "mongoose";
import type { CursorKey, OrderedList } from "../lib/read-batches.js";

type Sort = Readonly<Record<string, 1 | -1>>;

interface RowsQuery<T> {
  readonly filter: QueryFilter<T>;
  /** Fields to read; all unless given. */
  readonly fields?: Readonly<Record<string, 1>> | undefined;
  /** An order that an index holds after the fields of the filter. Its last field is unique. */
  readonly sort: Sort;
}

interface OrderedQuery<T> extends RowsQuery<T> {
  /** Values of the fields of `sort`: only rows behind this place are read. */
  readonly after?: readonly unknown[] | undefined;
  readonly limit: number;
}

interface ListQuery<T, Row, Item> extends RowsQuery<T> {
  /** Converts rows to items; without it the items are the rows. */
  readonly describe?: (rows: readonly Row[]) => Item[] | Promise<Item[]>;
}

/** A list in any order. The key of a row is its values of the fields of `sort`. */
export function orderedList<T, Row = T, Item = Row, K extends CursorKey = CursorKey>(
  model: Model<T>,
  { describe = (rows) => [...rows] as unknown[] as Item[], ...query }: ListQuery<T, Row, Item>,
): OrderedList<Row, K, Item> {
  const keys = Object.keys(query.sort) as (keyof Row)[];
  return {
    find: (after, limit) => findAfter<T, Row>(model, { ...query, after, limit }),
    keyOf: (row) => keys.map((key) => row[key]) as unknown[] as CursorKey as K,
    describe,
  };
}

interface Identified {
  readonly _id: Types.ObjectId | string;
}

/** A list of the rows created last first, by an index that ends with `createdAt` and `_id`. */
export const newestFirst = <T extends Identified, Row extends Identified = T, Item = Row>(
  model: Model<T>,
  query: Omit<ListQuery<T, Row, Item>, "sort">,
) =>
  orderedList<T, Row, Item, readonly [createdAt: Date, _id: Row["_id"]]>(model, {
    ...query,
    sort: { createdAt: -1, _id: -1 },
  });

/** The first rows of a list, or the first ones behind a place in it. */
export function findAfter<T, Row = T>(
  model: Model<T>,
  { filter, fields, sort, after, limit }: OrderedQuery<T>,
): Promise<Row[]> {
  return (
    model
      // Both conditions hold, also when the filter is about a field of the order.
      .find(after ? { $and: [filter, behind(sort, after)] } : filter, fields)
      .sort(sort)
      .limit(limit)
      .batchSize(limit + 1) // all rows in the first reply, which also closes the cursor
      .lean<Row[]>()
  );
}

/** Filters the rows behind a place. The bound of the first field is repeated outside of `$or`, because an index is searched by it. */
export function behind(sort: Sort, after: readonly unknown[] | undefined): QueryFilter<unknown> {
  const fields = Object.entries(sort);
  const [first] = fields;
  if (!after || !first) return {};
  const ranges = fields.map(([field, direction], index) => ({
    ...Object.fromEntries(fields.slice(0, index).map(([equal], i) => [equal, after[i]])),
    [field]: { [direction === 1 ? "$gt" : "$lt"]: after[index] },
  }));
  return { [first[0]]: { [first[1] === 1 ? "$gte" : "$lte"]: after[0] }, $or: ranges };
}
