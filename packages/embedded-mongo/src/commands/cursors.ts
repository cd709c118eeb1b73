import { randomBytes } from "node:crypto";
import { calculateObjectSize, Long } from "bson";
import { check } from "../errors.js";
import type { Effort } from "../language/query.js";
import { type Document, MAX_DOCUMENT_BYTES } from "../language/values.js";
import type { View } from "../store/view.js";

/** A cursor with the documents that are left to send. */
interface Cursor {
  namespace: string;
  documents: Iterator<Document>;
  effort: Effort;
  /** Stores that the cursor reads. Dropping one ends the cursor. */
  stores: readonly number[];
  /** The transaction that the cursor belongs to. */
  view?: View | undefined;
  /** The document that did not fit into the last batch. */
  held?: Document | undefined;
  lastUsed?: number;
}

const FIRST_BATCH_DOCUMENTS = 101;
const IDLE_MS = 10 * 60_000;
/** Bytes of a batch entry beside the document. */
const ENTRY_OVERHEAD_BYTES = 10;

const newId = (): bigint => randomBytes(8).readBigUInt64BE() >> 1n;

/** The cursors of the server. As in MongoDB, a cursor ends after ten idle minutes. */
export class Cursors {
  private readonly open = new Map<bigint, Cursor>();
  private readonly timer = setInterval(() => this.expire(Date.now()), 30_000).unref();

  /** Returns the first batch. The cursor stays open when more documents may follow. */
  start(cursor: Cursor, batchSize = FIRST_BATCH_DOCUMENTS, singleBatch = false): Document {
    return this.batch("firstBatch", singleBatch ? 0n : undefined, cursor, batchSize);
  }

  /**
   * Returns the next batch.
   * @param stores the current stores of the namespace.
   * @throws DatabaseError 43 for an unknown cursor, 13 for a cursor of another namespace, 175 when a store was dropped,
   * 50739 to 50741 for a cursor of another transaction.
   */
  next(id: bigint, namespace: string, stores: readonly number[], batchSize = Infinity, view?: View): Document {
    const cursor = this.open.get(id);
    check(cursor !== undefined, 43, `cursor id ${id} not found`);
    check(cursor.namespace === namespace, 13, `the cursor belongs to '${cursor.namespace}', not to '${namespace}'`);
    const code = cursor.view === undefined ? 50739 : view === undefined ? 50740 : 50741;
    check(cursor.view === view, code, `cursor id ${id} belongs to a transaction, or to another one`);
    this.open.delete(id);
    const whole = cursor.stores.every((store) => stores.includes(store));
    check(whole, 175, "the collection or the index that is read was dropped");
    cursor.effort.resume();
    return this.batch("nextBatch", id, cursor, batchSize);
  }

  /** Closes a cursor. @returns false when it does not exist. */
  kill(id: bigint): boolean {
    return this.open.delete(id);
  }

  /** Closes the cursors of a transaction. */
  killOf(view: View): void {
    for (const [id, cursor] of this.open) if (cursor.view === view) this.open.delete(id);
  }

  /** Closes the cursors that were idle for ten minutes before `now`. */
  expire(now: number): void {
    for (const [id, { lastUsed = 0 }] of this.open) {
      if (now - lastUsed > IDLE_MS) this.open.delete(id);
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  /**
   * Reads up to `most` documents and 16 MiB, but at least one document. The cursor stays open unless it is exhausted.
   * @param id 0 keeps the cursor closed; undefined assigns a new id.
   */
  private batch(name: string, id: bigint | undefined, cursor: Cursor, most: number): Document {
    const batch: Document[] = [];
    for (let bytes = 0; batch.length < most; ) {
      cursor.held ??= cursor.documents.next().value;
      if (cursor.held === undefined) break;
      bytes += calculateObjectSize(cursor.held, { ignoreUndefined: true }) + ENTRY_OVERHEAD_BYTES;
      if (batch.length > 0 && bytes > MAX_DOCUMENT_BYTES) break;
      batch.push(cursor.held);
      cursor.held = undefined;
    }
    const more = id !== 0n && (batch.length === most || cursor.held !== undefined);
    const openId = more ? (id ?? newId()) : 0n;
    if (more) this.open.set(openId, { ...cursor, lastUsed: Date.now() });
    return { cursor: { [name]: batch, id: Long.fromBigInt(openId), ns: cursor.namespace } };
  }
}
