import mongoose, { type Connection } from "mongoose";
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
