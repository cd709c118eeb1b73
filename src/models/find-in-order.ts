import type { Model, mongo } from "mongoose";
import { nativeCollection } from "./native-collection.js";

export interface InOrder {
  /** Holds values as they are stored: nothing is cast. */
  readonly filter: object;
  /** Fields that are read; all when there are none. */
  readonly fields: Readonly<Record<string, 1>>;
  /** The order of an index. */
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit: number;
}

/** The first documents that fit, by one command. */
export function findInOrder<T extends { _id: unknown }, Row>(
  model: Model<T>,
  { filter, fields, sort, limit }: InOrder,
): Promise<Row[]> {
  return nativeCollection(model)
    .find(filter as mongo.Filter<T>, { projection: fields, sort: { ...sort }, limit, batchSize: limit + 1 })
    .toArray() as Promise<unknown> as Promise<Row[]>;
}
