import type { ClientSession, mongo } from "mongoose";
import type { Models } from "./index.js";

/** A document with counters, or what a count of their facts gives. */
export type CounterRow = { _id: unknown } & Record<string, unknown>;

/** A batch of counts takes longer than a request may. */
const maxTimeMS = 60_000;

const collectionOf = (db: Models, model: keyof Models): mongo.Collection =>
  db[model].collection as unknown as mongo.Collection;

export const collectionName = (db: Models, model: keyof Models): string => collectionOf(db, model).collectionName;

/** Counts and sums over the rows that match: one document for each `fields._id`. */
export function groupRows(
  db: Models,
  model: keyof Models,
  match: mongo.Document,
  fields: mongo.Document,
  session?: ClientSession,
): Promise<mongo.Document[]> {
  const pipeline = [{ $match: match }, { $group: fields }];
  return collectionOf(db, model)
    .aggregate(pipeline, { maxTimeMS, ...(session ? { session } : {}) })
    .toArray();
}

/** Some rows in the order of their ids, after that of another one. */
export function readCounterRows(
  db: Models,
  model: keyof Models,
  { fields, after, limit }: { fields: readonly string[]; after: unknown; limit: number },
): Promise<CounterRow[]> {
  const place = after === undefined ? {} : { _id: { $gt: after as mongo.ObjectId } };
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  const options = { projection, sort: { _id: 1 }, limit, batchSize: limit + 1 } as const;
  return collectionOf(db, model).find(place, options).toArray() as Promise<CounterRow[]>;
}

/** @returns null when the row is gone. */
export function findCounterRow(
  db: Models,
  model: keyof Models,
  _id: unknown,
  session: ClientSession,
): Promise<CounterRow | null> {
  return collectionOf(db, model).findOne({ _id: _id as mongo.ObjectId }, { session }) as Promise<CounterRow | null>;
}

export async function setCounters(
  db: Models,
  model: keyof Models,
  _id: unknown,
  update: mongo.UpdateFilter<mongo.Document>,
  session: ClientSession,
): Promise<void> {
  await collectionOf(db, model).updateOne({ _id: _id as mongo.ObjectId }, update, { session });
}
