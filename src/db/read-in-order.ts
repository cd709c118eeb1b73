import type { Model, QueryFilter } from "mongoose";
import { rowsAtATime } from "../http/pages.js";
import { findInOrder, type InOrder } from "../models/find-in-order.js";
import { isTimeLimit } from "./time-limit.js";

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
  let place = after;
  let wanted = size;
  for (;;) {
    const rows: Row[] = [];
    try {
      for (const range of rangesAfter(sort, place)) {
        const limit = wanted - rows.length;
        const query = () => find({ filter: { ...range, ...filter }, fields, sort, limit });
        rows.push(...(await run(query)));
        if (rows.length === wanted) break;
      }
    } catch (error) {
      if (!isTimeLimit(error) || wanted <= fewest) throw error;
      wanted = Math.max(fewest, Math.floor(wanted * smaller));
      continue;
    }
    if (rows.length > 0) yield rows;
    const last = rows.at(-1) as Record<string, unknown> | undefined;
    if (rows.length < wanted || !last) return;
    place = Object.keys(sort).map((field) => last[field]);
  }
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

/** Gathers batches until they have at least `size` rows. */
export async function* gather<Row>(batches: AsyncIterable<Row[]>, size: number): AsyncGenerator<Row[]> {
  let held: Row[] = [];
  for await (const rows of batches) {
    held.push(...rows);
    if (held.length < size) continue;
    yield held;
    held = [];
  }
  if (held.length > 0) yield held;
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
