import { once } from "node:events";
import { connect } from "node:net";
import { mongo } from "mongoose";

type Document = mongo.BSON.Document;

const opMsg = 2013;
/** Offset of the document after header, flags and section kind. */
const documentAt = 16 + 4 + 1;
/** Keeps a transaction number a long, because the server does not accept it as a double. */
const asSent = { promoteLongs: false };
/** Codes of ended transactions: TransactionTooOld, NoSuchTransaction, TransactionCommitted. */
const ended = [225, 251, 256];

/**
 * Tracks the transactions that were begun through a proxy. A database keeps a dead client's transactions until their
 * timeout, in MongoDB a minute. Aborting them saves the wait.
 */
export class OrphanedTransactions {
  private readonly begun = new Map<string, Document>();

  /** Reads a message on its way to the database. */
  note(message: Buffer): void {
    if (message.readInt32LE(12) !== opMsg || !message.includes("autocommit")) return;
    const end = documentAt + message.readInt32LE(documentAt);
    const { lsid, txnNumber, autocommit } = mongo.BSON.deserialize(message.subarray(documentAt, end), asSent);
    this.begun.set(`${lsid.id.toString("hex")}:${txnNumber}`, { lsid, txnNumber, autocommit });
  }

  /** Aborts all open transactions. */
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
