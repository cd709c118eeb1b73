import { mkdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Database, open, type Transaction } from "lmdb";
import { check } from "../errors.js";
import { Blocked, Conflicts } from "./conflicts.js";
import { lockFolder } from "./folder-lock.js";
import { checksum, setAsideIfDamaged } from "./inspection.js";
import { type Entry, type Range, View } from "./view.js";

/** The store of definitions. A transaction adds definitions and notes, but never changes a definition. */
export const CATALOG = 0;
/** Entries read at a time. */
const CHUNK = 32;
/** Snapshots and other readers at once. */
const MOST_READERS = 4096;
/** How long a write waits for open transactions. */
const PATIENCE_MILLISECONDS = 10_000;

/**
 * Ordered byte stores in one LMDB file. Each entry lies under `[store number][key]` and carries a checksum of both, so
 * that a damaged file is noticed when it is opened. While a statement of a transaction runs (`within`), everything read
 * and written is that transaction's own view; nothing of it reaches the file before it commits.
 */
export class Storage {
  private refreshed = 0;
  /** The transaction whose statement runs. */
  private current: View | undefined;
  private readonly conflicts = new Conflicts();
  /** The whole keys of what the write under way has changed. */
  private written: string[] = [];
  /** The last number handed out in a store. */
  private readonly numbers = new Map<number, number>();

  private constructor(
    private readonly env: Database<Buffer, Buffer>,
    private readonly release: () => void,
  ) {}

  /**
   * Opens the folder for this process alone. A damaged file is moved aside, `warn` is called, and the store begins empty.
   * @throws Error when another process has the folder.
   */
  static async open(folder: string, warn: (message: string) => void): Promise<Storage> {
    mkdirSync(folder, { recursive: true });
    const release = lockFolder(folder);
    try {
      const path = join(folder, "lyceum.mdb");
      setAsideIfDamaged(path, warn);
      rmSync(`${path}-lock`, { force: true });
      const bytes = { keyEncoding: "binary", encoding: "binary" } as const;
      const settings = { noSubdir: true, overlappingSync: false, maxReaders: MOST_READERS, ...bytes };
      const env = open<Buffer, Buffer>({ path, ...settings });
      env.on("aftercommit", ({ txnId }: { txnId?: number }) => txnId === undefined && endAtOnce(path));
      return new Storage(env, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Later reads in this turn see everything committed so far. */
  refresh(): void {
    this.env.resetReadTxn();
    this.refreshed += 1;
  }

  /** Begins a transaction, on a snapshot of everything committed so far. It must be committed or abandoned. */
  begin(): View {
    this.refresh();
    const view = new View(this.env.useReadTransaction(), this.conflicts.shown);
    this.conflicts.begin(view);
    return view;
  }

  /** Runs one statement of a transaction; `action` does its work before it returns. */
  within<T>(view: View, action: () => T): T {
    this.current = view;
    try {
      return action();
    } finally {
      this.current = undefined;
    }
  }

  /** Forgets what a transaction has written. */
  abandon(view: View): void {
    this.conflicts.end(view);
    view.snapshot.done();
  }

  /**
   * Ends a transaction: carries out all that it has written as one write, and gives its notes to `learn` within it.
   * Resolves once that is on disk; others may write these entries as soon as it is carried out.
   */
  async commit(view: View, learn: (key: Buffer, note: Buffer) => void): Promise<void> {
    view.snapshot.done();
    if (!view.hasWritten()) return this.conflicts.end(view);
    await this.carryOut(() => {
      for (const { store, key, value } of view.own()) {
        const full = fullKey(store, key);
        const isNote = store === CATALOG && !view.intents.includes(full.toString("latin1"));
        if (!isNote) this.set(full, value);
        else if (value !== null) learn(key, value);
      }
      this.written.push(...view.intents);
      this.conflicts.end(view);
    });
  }

  /**
   * Runs `action` in a write transaction and resolves once its writes are on disk; writes of one event-loop turn share
   * a commit. `action` is synchronous and sees its own writes; when it throws, nothing of it stays. When it meets what an
   * open transaction holds, nothing of it stays either, and it runs again when that one has ended.
   * @param left the milliseconds that it may still wait.
   * @throws DatabaseError 112 when it has waited too long.
   */
  async write<T>(action: () => T, left = () => Number.POSITIVE_INFINITY): Promise<T> {
    if (this.current !== undefined) return action();
    for (const end = performance.now() + PATIENCE_MILLISECONDS; ; ) {
      try {
        return await this.carryOut(action);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        const patience = end - performance.now();
        check(patience > 0, 112, "WriteConflict error: an open transaction has been in the way for too long");
        await error.over(Math.min(patience, left()));
      }
    }
  }

  private async carryOut<T>(action: () => T): Promise<T> {
    let number = 0;
    const result = await this.env.childTransaction(() => {
      this.written = [];
      const done = action();
      number = this.conflicts.record(this.written);
      return done;
    });
    this.conflicts.show(number);
    await this.env.flushed;
    return result;
  }

  get(store: number, key: Buffer): Buffer | undefined {
    const own = this.current?.get(store, key);
    if (own !== undefined) return own ?? undefined;
    return this.env.get(fullKey(store, key), reading(this.current?.snapshot))?.subarray(4);
  }

  /**
   * As `get`; what a transaction finds is not changed from outside before it ends.
   * @throws DatabaseError 112 in a transaction when it was changed after the snapshot.
   */
  getShared(store: number, key: Buffer): Buffer | undefined {
    const [found, text, { current }] = [this.get(store, key), fullKey(store, key).toString("latin1"), this];
    if (current === undefined || current.shared.has(text)) return found;
    this.conflicts.checkSnapshot(text, current);
    if (found !== undefined) this.conflicts.share(text, current);
    return found;
  }

  /** Locks the entry until the transaction, or the write, under way ends. @throws DatabaseError 112 */
  lock(store: number, key: Buffer): void {
    this.conflicts.lock(fullKey(store, key).toString("latin1"), this.current);
  }

  put(store: number, key: Buffer, value: Buffer): void {
    this.change(store, key, value);
  }

  remove(store: number, key: Buffer): void {
    this.change(store, key, null);
  }

  /** Puts what never conflicts: of several notes of one entry none is lost, if `learn` of `commit` adds one to another. */
  note(store: number, key: Buffer, value: Buffer): void {
    if (this.current) this.current.set(store, key, value);
    else this.set(fullKey(store, key), value);
  }

  private change(store: number, key: Buffer, value: Buffer | null): void {
    const full = fullKey(store, key);
    const text = full.toString("latin1");
    this.conflicts.lock(text, this.current);
    if (this.current) this.current.set(store, key, value);
    else {
      this.written.push(text);
      this.set(full, value);
    }
  }

  private set(full: Buffer, value: Buffer | null): void {
    if (value === null) this.env.remove(full);
    else this.env.put(full, Buffer.concat([checksum(full, value), value]));
  }

  /** A number above all that are stored or were given out, by any writer: it is never given out again. */
  takeNumber(store: number): number {
    const [last] = this.numbers.has(store) ? [] : this.range(store, { reverse: true });
    const number = (this.numbers.get(store) ?? last?.key.readUIntBE(0, 6) ?? 0) + 1;
    this.numbers.set(store, number);
    return number;
  }

  /** Outside transactions. */
  count(store: number): number {
    return this.env.getKeysCount({ start: fullKey(store), end: fullKey(store + 1) });
  }

  /** Removes all entries of a store that is no longer read; outside transactions. */
  clear(store: number): void {
    for (const { key } of this.range(store)) this.env.remove(fullKey(store, key));
  }

  /** Entries in key order. Left and taken up again after others wrote, it goes on with what there is then. */
  range(store: number, range: Range = {}): Generator<Entry> {
    const { current } = this;
    const stored = this.stored(store, range, current?.snapshot);
    return current?.hasWritten(store) ? current.merged(store, range, stored) : stored;
  }

  private *stored(store: number, range: Range, transaction: Transaction | undefined): Generator<Entry> {
    const { start, end, reverse = false } = range;
    let [low, high] = [fullKey(store, start), end === undefined ? fullKey(store + 1) : fullKey(store, end)];
    for (;;) {
      const backward = { start: high, exclusiveStart: true, end: low, inclusiveEnd: true, reverse };
      const bounds = { ...(reverse ? backward : { start: low, end: high }), ...reading(transaction) };
      const chunk = [...this.env.getRange({ ...bounds, limit: CHUNK })];
      const { refreshed } = this;
      const stale = () => transaction === undefined && this.refreshed !== refreshed;
      let last: Buffer | undefined;
      for (const { key, value } of chunk) {
        last = key;
        yield { key: key.subarray(4), value: value.subarray(4) };
        if (stale()) break;
      }
      if (last === undefined || (!stale() && chunk.length < CHUNK)) return;
      if (reverse) high = last;
      else low = Buffer.concat([last, Buffer.of(0)]);
    }
  }

  async close(): Promise<void> {
    await this.env.flushed;
    await this.env.close();
    this.release();
  }
}

/**
 * After a commit that failed, as on a full disk, this process no longer agrees with its file: it ends, and what was
 * acknowledged is in the file. It ends as if killed, because an orderly exit waits for LMDB's writer, which waits for us.
 */
function endAtOnce(path: string): void {
  writeSync(2, `The database cannot write ${path}; it ends. Everything that was acknowledged is kept.\n`);
  process.kill(process.pid, "SIGKILL");
}

const reading = (transaction: Transaction | undefined) => (transaction ? { transaction } : {});

function fullKey(store: number, key?: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(4 + (key?.length ?? 0));
  whole.writeUInt32BE(store);
  key?.copy(whole, 4);
  return whole;
}
