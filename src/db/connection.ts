import mongoose, { type Connection } from "mongoose";
import { failWritesOfClosedConnections } from "./driver-faults.js";

/**
 * Opens the server's own connection. Every operation fails within 2.5 s when the database is away, and works again when
 * it is back: nothing is queued meanwhile. The driver's own retry is off: it would double that time. A transaction is
 * repeated by `transaction`; what a write outside of one did is seen by the request that is repeated.
 * @param options `patient` waits for each operation as long as it takes: building an index over much data takes long,
 *   and a database that does so may not even accept connections.
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
 * Whether the database has transactions: it is a replica set (of one member at least) or a sharded cluster. A standalone
 * server has none.
 */
export async function hasTransactions(connection: Connection): Promise<boolean> {
  const { setName, msg } = (await connection.db?.command({ hello: 1 })) ?? {};
  return setName !== undefined || msg === "isdbgrid";
}
