import { once } from "node:events";
import { connect } from "node:net";
import { mongo } from "mongoose";

type Document = mongo.BSON.Document;

/**
 * Watches which transactions a client has begun, so that they can be ended in its place. A database that keeps those of
 * a dead client until their lifetime is over, as MongoDB does for a minute, is in this way brought to that point.
 * @param client made with `monitorCommands`.
 * @returns what aborts them all at the database of `uri`.
 */
export function openTransactionsOf(client: mongo.MongoClient): (uri: string) => Promise<void> {
  const begun = new Map<string, Document>();
  client.on("commandStarted", ({ command: { lsid, txnNumber, autocommit } }) => {
    if (autocommit === false) begun.set(`${lsid.id.toString("hex")}:${txnNumber}`, { lsid, txnNumber, autocommit });
  });
  return async (uri) => {
    const { hostname, port } = new URL(uri);
    const socket = connect(Number(port || 27017), hostname);
    for (const transaction of begun.values()) {
      socket.write(message({ abortTransaction: 1, ...transaction, $db: "admin" }));
      // An error when there is none to abort.
      await Promise.race([once(socket, "data"), once(socket, "close")]);
    }
    socket.destroy();
  };
}

/** An OP_MSG with one section: its header, flags, kind of section, document. */
function message(command: Document): Buffer {
  const opMsg = 2013;
  const document = mongo.BSON.serialize(command);
  const bytes = Buffer.alloc(16 + 4 + 1 + document.length);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(opMsg, 12);
  bytes.set(document, 16 + 4 + 1);
  return bytes;
}
