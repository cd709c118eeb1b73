import { mongo } from "mongoose";
import type { Models } from "../models/index.js";

/** The database refused indexes: other rows or other indexes are in the way. */
export class IndexesRefused extends Error {
  constructor(collection: string, cause: mongo.MongoServerError) {
    super(`the indexes of the collection ${collection} cannot be created: ${cause.message}`, { cause });
  }
}

/** Every collection has it; naming it creates a collection that has no other. */
const primary: mongo.IndexDescription = { key: { _id: 1 }, name: "_id_" };

/**
 * Creates every collection and its indexes, by one command each. Awaited before the first request: uniqueness lives in
 * them, and nothing is created inside a transaction.
 * @throws IndexesRefused.
 */
export async function ensureIndexes(models: Models): Promise<void> {
  await Promise.all(
    Object.values(models).map(async ({ schema, collection }) => {
      const own = schema.indexes().map(([key, options]) => ({ key, ...options }) as mongo.IndexDescription);
      const indexes = own.length > 0 ? own : [primary];
      await collection.createIndexes(indexes).catch((error: unknown) => {
        throw error instanceof mongo.MongoServerError ? new IndexesRefused(collection.name, error) : error;
      });
    }),
  );
}
