import type { Model, QueryFilter } from "mongoose";

export interface OrderedQuery<T> {
  readonly filter: QueryFilter<T>;
  /** Fields to read; all unless given. */
  readonly fields?: Readonly<Record<string, 1>> | undefined;
  /** An order that an index holds after the fields of the filter. Its last field is unique. */
  readonly sort: Readonly<Record<string, 1 | -1>>;
  /** Values of the fields of `sort`: only rows behind this place are read. */
  readonly after?: readonly unknown[] | undefined;
  readonly limit: number;
}

/** The first rows of a list, or the first ones behind a place in it. */
export function findAfter<T, Row = T>(
  model: Model<T>,
  { filter, fields, sort, after, limit }: OrderedQuery<T>,
): Promise<Row[]> {
  return model
    .find({ ...filter, ...behind(sort, after) }, fields)
    .sort(sort)
    .limit(limit)
    .batchSize(limit + 1) // all rows in the first reply, which also closes the cursor
    .lean<Row[]>();
}

/** Filters the rows behind a place. The bound of the first field is repeated outside of `$or`, because an index is searched by it. */
export function behind(
  sort: OrderedQuery<unknown>["sort"],
  after: readonly unknown[] | undefined,
): QueryFilter<unknown> {
  const fields = Object.entries(sort);
  const [first] = fields;
  if (!after || !first) return {};
  const ranges = fields.map(([field, direction], index) => ({
    ...Object.fromEntries(fields.slice(0, index).map(([equal], i) => [equal, after[i]])),
    [field]: { [direction === 1 ? "$gt" : "$lt"]: after[index] },
  }));
  return { [first[0]]: { [first[1] === 1 ? "$gte" : "$lte"]: after[0] }, $or: ranges };
}
