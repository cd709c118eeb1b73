import type { mongo } from "mongoose";

export type Order = Readonly<Record<string, 1 | -1>>;

interface Wanted<T> {
  readonly filter: mongo.Filter<T>;
  /** Its last field is unique among the documents, and an index has all of them in this order. */
  readonly order: Order;
  readonly projection?: mongo.Document;
  readonly batchSize?: number;
  /** Runs each read; for reads that wait their turn. */
  readonly read?: <R>(reading: () => Promise<R>) => Promise<R>;
}

/**
 * Reads all documents of a filter in an order, batch by batch. Each batch is a read of its own, which begins in the index
 * behind the last document of the batch before: no cursor stays open while a slow reader takes its time, and no read
 * takes longer than its batch.
 */
export async function* readInOrder<T extends mongo.Document>(
  collection: mongo.Collection<T>,
  { filter, order, projection, batchSize = 500, read = (reading) => reading() }: Wanted<T>,
): AsyncGenerator<mongo.WithId<T>[]> {
  const sort = { ...order };
  const options = projection ? { sort, projection } : { sort };
  const find = (range: object, limit: number) =>
    read(() => collection.find({ ...range, ...filter }, { ...options, limit, batchSize: limit + 1 }).toArray());
  let batch = await find({}, batchSize);
  for (;;) {
    if (batch.length > 0) yield batch;
    const last = batch.at(-1);
    if (!last || batch.length < batchSize) return;
    const next: mongo.WithId<T>[] = [];
    for (const range of rangesAfter(order, last)) {
      if (next.length < batchSize) next.push(...(await find(range, batchSize - next.length)));
    }
    batch = next;
  }
}

/** What comes after a document in an order, as ranges of its index, nearest first. */
function rangesAfter(order: Order, last: mongo.Document): object[] {
  const fields = Object.entries(order);
  return fields
    .map(([field, direction], n) => ({
      ...Object.fromEntries(fields.slice(0, n).map(([equal]) => [equal, last[equal]])),
      [field]: { [direction === 1 ? "$gt" : "$lt"]: last[field] },
    }))
    .reverse();
}
