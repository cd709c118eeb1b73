import { once } from "node:events";
import { connect } from "node:net";
import { mongo } from "mongoose";

type Document = mongo.BSON.Document;

const opMsg = 2013;
/** Header, flags and kind of section stand before the document. */
const documentAt = 16 + 4 + 1;
/** A transaction's number is a long: as a double it names none. */
const asSent = { promoteLongs: false };
/** TransactionTooOld, NoSuchTransaction, TransactionCommitted: it has ended. */
const ended = [225, 251, 256];

/**
 * The transactions that were begun through a proxy. A database keeps those of a dead client until their lifetime is over,
 * MongoDB for a minute: aborting them brings it to that point at once.
 */
export class OrphanedTransactions {
  private readonly begun = new Map<string, Document>();

  /** Looks at a message on its way to the database. */
  note(message: Buffer): void {
    if (message.readInt32LE(12) !== opMsg || !message.includes("autocommit")) return;
    const end = documentAt + message.readInt32LE(documentAt);
    const { lsid, txnNumber, autocommit } = mongo.BSON.deserialize(message.subarray(documentAt, end), asSent);
    this.begun.set(`${lsid.id.toString("hex")}:${txnNumber}`, { lsid, txnNumber, autocommit });
  }

  /** Aborts them all, save those that have ended. */
  async abort({ hostname, port }: { hostname: string; port: number }): Promise<void> {
    if (this.begun.size === 0) return;
    const socket = connect(port, hostname);
    socket.on("error", () => undefined);
    for (const transaction of this.begun.values()) {
      socket.write(messageOf({ abortTransaction: 1, ...transaction, $db: "admin" }));
      const [reply] = await Promise.race([once(socket, "data"), once(socket, "close")]);
      const { ok, code } = Buffer.isBuffer(reply) ? mongo.BSON.deserialize(reply.subarray(documentAt)) : { ok: 1 };
      if (!ok && !ended.includes(code)) throw new Error(`a transaction was not aborted: ${code}`);
    }
    this.begun.clear();
    socket.destroy();
  }
}

function messageOf(command: Document): Buffer {
  const document = mongo.BSON.serialize(command);
  const bytes = Buffer.alloc(documentAt + document.length);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(opMsg, 12);
  bytes.set(document, documentAt);
  return bytes;
}
