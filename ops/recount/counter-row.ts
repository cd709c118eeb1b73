import type { ClientSession, Model, mongo } from "mongoose";
import type { Db } from "#server/db/db.js";
import type { ModelName } from "#server/models/index.js";

/** A document with counters. */
export type CounterRow = { _id: unknown } & Record<string, unknown>;

export const modelOf = (db: Db, name: ModelName): Model<CounterRow> => db[name] as unknown as Model<CounterRow>;

/** Time limit of a query that counts a batch. It is above that of a request. */
export const maxTimeMS = 60_000;

/** Counts and sums matching rows. Returns one document for each `fields._id`. */
export const groupRows = (
  db: Db,
  from: ModelName,
  match: mongo.Document,
  fields: mongo.Document,
  session?: ClientSession,
): PromiseLike<mongo.Document[]> =>
  modelOf(db, from).aggregate<mongo.Document>([{ $match: match }, { $group: { ...fields, _id: fields._id } }], {
    maxTimeMS,
    ...(session && { session }),
  });

/** A date follows from facts as a number does; null means never. */
export type Counted = number | Date | null;

/** Counters that one collection stores, and how to count their facts. */
export interface Counters {
  readonly model: ModelName;
  readonly fields: readonly string[];
  /** Fields beside `_id` by which the facts are found. */
  readonly keys?: readonly string[];
  /** Counts the facts of some documents. @returns counts and dates by `String(_id)`; a missing count is 0. */
  count(
    db: Db,
    rows: readonly CounterRow[],
    session?: ClientSession,
  ): Promise<ReadonlyMap<string, Record<string, Counted>>>;
}
