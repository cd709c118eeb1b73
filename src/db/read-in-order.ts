import type { Model, QueryFilter } from "mongoose";
import { findInOrder, type InOrder } from "../models/find-in-order.js";
import { isTimeLimit } from "./time-limit.js";

/** Rows of a batch. */
export const rowsAtATime = 200;

export interface OrderedRead<T, Row = unknown> {
  /** Holds values as they are stored: nothing is cast. */
  readonly filter: QueryFilter<T>;
  /** Fields that are read, those of the order among them; all unless given. */
  readonly fields?: Readonly<Record<string, 1>>;
  /** The order, which an index holds after the fields of the filter. Its last field is unique. */
  readonly sort: Readonly<Record<string, 1 | -1>>;
  /** Values of the order's fields: only rows after that position are read. */
  readonly after?: readonly unknown[] | undefined;
  /** Rows of a batch; `rowsAtATime` unless given. */
  readonly size?: number;
  /** Finds the first rows that fit; the documents of the model unless given. */
  readonly find?: (asked: InOrder) => Promise<Row[]>;
  /** Runs each query; for reads that wait in a queue. */
  readonly run?: <R>(query: () => Promise<R>) => Promise<R>;
}

/** A query that the database did not end in time is sent again for this part of its rows, down to so few. */
const smaller = 1 / 5;
const fewest = 20;

/**
 * Reads in the order of an index, batch by batch. Each batch is a query of its own that continues where the last one
 * ended, so that no cursor has to outlive a slow reader, and memory holds one batch. A database that is too busy for a
 * batch is asked for smaller ones: a list that is half written is not cut off.
 */
export async function* readInOrder<T extends { _id: unknown }, Row>(
  model: Model<T>,
  {
    filter,
    fields = {},
    sort,
    after,
    size = rowsAtATime,
    find = (asked) => findInOrder<T, Row>(model, asked),
    run = (query) => query(),
  }: OrderedRead<T, Row>,
): AsyncGenerator<Row[]> {
  const orderedBy = Object.keys(sort);
  const findWithin = (range: object, limit: number) =>
    run(() => find({ filter: { ...range, ...filter }, fields, sort, limit }));

  /** The rows behind a position, range by range. */
  async function readRanges(place: readonly unknown[] | undefined, wanted: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (const range of rangesAfter(sort, place)) {
      rows.push(...(await findWithin(range, wanted - rows.length)));
      if (rows.length === wanted) break;
    }
    return rows;
  }

  let place = after;
  let wanted = size;
  let tail: Tail | undefined;
  for (;;) {
    let read: { rows: Row[]; isLast: boolean };
    try {
      const next = tail && (await readBehind(tail, sort, wanted, findWithin));
      const rows = next?.rows ?? (await readRanges(place, wanted));
      read = { rows, isLast: next?.isLast ?? rows.length < wanted };
    } catch (error) {
      if (!isTimeLimit(error) || wanted <= fewest) throw error;
      wanted = Math.max(fewest, Math.floor(wanted * smaller));
      // It may have more rows than are asked for now.
      tail = undefined;
      continue;
    }
    const { rows, isLast } = read;
    if (rows.length > 0) yield rows;
    if (isLast || rows.length === 0) return;
    place = placeOf(rows.at(-1), orderedBy);
    tail = tailOf(rows, orderedBy, wanted);
  }
}

const placeOf = (row: unknown, orderedBy: readonly string[]): unknown[] =>
  orderedBy.map((field) => (row as Record<string, unknown>)[field]);

/** The last rows of a batch that are equal in the first field of the order. */
interface Tail {
  readonly first: unknown;
  /** What the last field of the order, which is unique, says of each. */
  readonly keys: ReadonlySet<string>;
}

/** Behind a longer tail, as a part of a batch, it is read range by range. */
const longestTail = 1 / 10;

/** Undefined when it is long, or when the order has one field, behind which there is one range anyway. */
function tailOf(rows: readonly unknown[], orderedBy: readonly string[], wanted: number): Tail | undefined {
  if (orderedBy.length === 1) return undefined;
  const [first] = placeOf(rows.at(-1), orderedBy);
  const isBefore = (row: unknown): boolean => !isSame(placeOf(row, orderedBy)[0], first);
  const before = rows.at(-1 - Math.floor(wanted * longestTail));
  if (before === undefined || !isBefore(before)) return undefined;
  const tail = rows.slice(rows.findLastIndex(isBefore) + 1);
  return { first, keys: new Set(tail.map((row) => String(placeOf(row, orderedBy).at(-1)))) };
}

const isSame = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : String(one) === String(other);

/**
 * The rows behind a tail by one query for `wanted` rows, which finds the tail again.
 * @returns undefined when it finds a further row that is equal in the first field: that may come before the tail's end.
 */
async function readBehind<Row>(
  { first, keys }: Tail,
  sort: OrderedRead<unknown>["sort"],
  wanted: number,
  find: (range: object, limit: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; isLast: boolean } | undefined> {
  const [[field = "", direction] = []] = Object.entries(sort);
  const found = await find({ [field]: { [direction === 1 ? "$gte" : "$lte"]: first } }, wanted);
  const behind = found.findIndex((row) => !isSame((row as Record<string, unknown>)[field], first));
  const again = behind === -1 ? found : found.slice(0, behind);
  const key = Object.keys(sort).at(-1) ?? "";
  if (again.some((row) => !keys.has(String((row as Record<string, unknown>)[key])))) return undefined;
  return { rows: found.slice(again.length), isLast: found.length < wanted };
}

/**
 * The ranges of the index after a position, in order: first the rows that equal it in all fields but the last, then in
 * fewer and fewer fields.
 */
function rangesAfter(sort: OrderedRead<unknown>["sort"], place: readonly unknown[] | undefined): object[] {
  if (!place) return [{}];
  const fields = Object.keys(sort);
  return fields
    .map((field, index) => ({
      ...Object.fromEntries(fields.slice(0, index).map((equal, i) => [equal, place[i]])),
      [field]: { [sort[field] === 1 ? "$gt" : "$lt"]: place[index] },
    }))
    .reverse();
}

/** How many of the merged reads begin at once. */
const startTogether = 16;

/**
 * Merges reads that are each in order into one in that order, in batches of `size`. Memory holds one batch of each read
 * and one of the result.
 */
export async function* mergeInOrder<Row>(
  reads: readonly AsyncGenerator<Row[]>[],
  compare: (a: Row, b: Row) => number,
  size: number,
): AsyncGenerator<Row[]> {
  const [only] = reads;
  if (only && reads.length === 1) return yield* only;
  const heads: { read: AsyncGenerator<Row[]>; rows: Row[]; at: number }[] = [];
  for (let from = 0; from < reads.length; from += startTogether) {
    const some = reads.slice(from, from + startTogether);
    const begun = await Promise.all(some.map(async (read) => ({ read, first: await read.next() })));
    for (const { read, first } of begun) if (!first.done) heads.push({ read, rows: first.value, at: 0 });
  }
  let merged: Row[] = [];
  while (heads.length > 0) {
    const least = heads.reduce((a, b) => (compare(rowOf(b), rowOf(a)) < 0 ? b : a));
    merged.push(rowOf(least));
    least.at += 1;
    if (least.at === least.rows.length) {
      const next = await least.read.next();
      if (next.done) heads.splice(heads.indexOf(least), 1);
      else Object.assign(least, { rows: next.value, at: 0 });
    }
    if (merged.length < size) continue;
    yield merged;
    merged = [];
  }
  if (merged.length > 0) yield merged;
}

const rowOf = <Row>({ rows, at }: { rows: Row[]; at: number }): Row => rows[at] as Row;
