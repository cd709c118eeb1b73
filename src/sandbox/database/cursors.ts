import { randomBytes } from "node:crypto";
import { DatabaseError } from "./errors.js";
import type { Effort } from "./query.js";
import { MAX_DOCUMENT_BYTES } from "./values.js";
import { cursorReply } from "./wire.js";

/** Encoded documents yet to be sent. */
export interface Results {
  namespace: string;
  documents: Iterator<Buffer>;
  effort: Effort;
  noTimeout: boolean;
}

interface OpenCursor extends Results {
  /** The document that did not fit the last batch. */
  held: Buffer | undefined;
  lastUsed: number;
}

const FIRST_BATCH = 101;
const IDLE_MINUTES = 10;
const MOST_CURSORS = 10_000;

/** The cursors of the whole server: given up after ten idle minutes, as MongoDB does. */
export class Cursors {
  private readonly open = new Map<bigint, OpenCursor>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly idleMilliseconds = IDLE_MINUTES * 60_000) {
    this.timer = setInterval(() => this.expire(), Math.min(this.idleMilliseconds, 30_000));
    this.timer.unref();
  }

  /** The first batch; a cursor stays when there may be more. */
  start(results: Results, batchSize: number | undefined, singleBatch: boolean): Buffer {
    const cursor: OpenCursor = { ...results, held: undefined, lastUsed: Date.now() };
    const { batch, done } = fill(cursor, batchSize ?? FIRST_BATCH);
    if (done || singleBatch) {
      return cursorReply("firstBatch", batch, 0n, results.namespace);
    }
    if (this.open.size >= MOST_CURSORS) {
      throw new DatabaseError(1, `more than ${MOST_CURSORS} cursors are open`);
    }
    const id = randomBytes(8).readBigUInt64BE() >> 1n;
    this.open.set(id, cursor);
    return cursorReply("firstBatch", batch, id, results.namespace);
  }

  /** @throws DatabaseError 43 when there is no such cursor, 13 when it belongs to another namespace. */
  next(id: bigint, namespace: string, batchSize: number | undefined): Buffer {
    const cursor = this.open.get(id);
    if (cursor === undefined) {
      throw new DatabaseError(43, `cursor id ${id} not found`);
    }
    if (cursor.namespace !== namespace) {
      throw new DatabaseError(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to '${cursor.namespace}'`,
      );
    }
    this.open.delete(id);
    cursor.lastUsed = Date.now();
    cursor.effort.resume();
    const { batch, done } = fill(cursor, batchSize ?? Number.POSITIVE_INFINITY);
    if (!done) {
      this.open.set(id, cursor);
    }
    return cursorReply("nextBatch", batch, done ? 0n : id, namespace);
  }

  /** @returns whether there was such a cursor. */
  kill(id: bigint): boolean {
    return this.open.delete(id);
  }

  get size(): number {
    return this.open.size;
  }

  close(): void {
    clearInterval(this.timer);
    this.open.clear();
  }

  private expire(): void {
    for (const [id, cursor] of this.open) {
      if (!cursor.noTimeout && Date.now() - cursor.lastUsed > this.idleMilliseconds) {
        this.open.delete(id);
      }
    }
  }
}

/** Takes documents until there are `most` of them or 16 MiB, at least one. */
function fill(cursor: OpenCursor, most: number): { batch: Buffer[]; done: boolean } {
  const batch: Buffer[] = [];
  let bytes = 0;
  let done = false;
  while (batch.length < most) {
    const next = cursor.held ?? pull(cursor);
    cursor.held = undefined;
    if (next === undefined) {
      done = true;
      break;
    }
    if (batch.length > 0 && bytes + next.length > MAX_DOCUMENT_BYTES) {
      cursor.held = next;
      break;
    }
    bytes += next.length;
    batch.push(next);
  }
  cursor.effort.pause();
  return { batch, done };
}

function pull({ documents }: OpenCursor): Buffer | undefined {
  const step = documents.next();
  return step.done === true ? undefined : step.value;
}
