import mongoose, { type Connection } from "mongoose";

/**
 * Opens the server's own connection. Every operation fails within 2.5 s when the database is away, and works again when it
 * is back: nothing is queued meanwhile. The driver's own second try is off: it would double that time, and every write
 * of the server may be repeated by whoever asked for it.
 */
export async function openDatabase(uri: string): Promise<Connection> {
  const connection = mongoose.createConnection(uri, {
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 2_500,
    waitQueueTimeoutMS: 2_000,
    maxPoolSize: 50,
    retryReads: false,
    retryWrites: false,
  });
  return connection.asPromise();
}
