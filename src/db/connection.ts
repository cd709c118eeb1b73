import mongoose, { type Connection, mongo } from "mongoose";
import type { Models } from "../models/index.js";
import { failWritesOfClosedConnections } from "./driver-faults.js";

/**
 * Opens the server's own connection. Every operation fails within 2.5 s while the database is unavailable. The driver's
 * own retries are off, because they would double that time. `db.transaction` retries transactions.
 * @param options `patient` sets no time limits, because building an index over much data takes long.
 */
export async function openDatabase(uri: string, options: { patient?: boolean } = {}): Promise<Connection> {
  failWritesOfClosedConnections();
  const connection = mongoose.createConnection(uri, {
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
    monitorCommands: true,
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: options.patient ? 0 : 2_000,
    socketTimeoutMS: options.patient ? 0 : 2_500,
    waitQueueTimeoutMS: options.patient ? 0 : 2_000,
    maxPoolSize: options.patient ? 4 : 50,
    retryReads: false,
    retryWrites: false,
  });
  return connection.asPromise();
}

/**
 * Whether the database has transactions. A replica set and a sharded cluster have them, a standalone server does not.
 */
export async function hasTransactions(connection: Connection): Promise<boolean> {
  const { setName, msg } = (await connection.db?.command({ hello: 1 })) ?? {};
  return setName !== undefined || msg === "isdbgrid";
}

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
