import { mkdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Database, open, type Transaction } from "lmdb";
import { check } from "../errors.js";
import { Blocked, Conflicts } from "./conflicts.js";
import { lockFolder } from "./folder-lock.js";
import { checksum, setAsideIfDamaged } from "./inspection.js";
import { type Entry, type Range, View } from "./view.js";

/** The store of definitions. A transaction adds definitions and notes and never changes a definition. */
export const CATALOG_STORE = 0;
/** Entries that are read at a time. */
const READ_ENTRIES = 32;
/** Limit of snapshots and other readers at a time. */
const MAX_READERS = 4096;
/** Time limit of a write that waits for open transactions. */
const MAX_WAIT_MS = 10_000;

/**
 * Stores ordered bytes in one LMDB file. Each entry lies under `[store number][key]` with a checksum of both, so that
 * opening detects a damaged file. While a statement of a transaction runs (`within`), all reads and writes use that
 * transaction's view. Its writes reach the file at the commit.
 */
export class Storage {
  private refreshed = 0;
  /** The transaction of the running statement. */
  private current: View | undefined;
  private readonly conflicts = new Conflicts();
  /** The full keys that the current write has changed. */
  private written: string[] = [];
  /** The last assigned number of each store. */
  private readonly numbers = new Map<number, number>();

  private constructor(
    private readonly env: Database<Buffer, Buffer>,
    private readonly release: () => void,
  ) {}

  /**
   * Opens the folder for this process alone. It moves a damaged file aside, calls `warn`, and starts empty.
   * @throws Error when another process uses the folder.
   */
  static async open(folder: string, warn: (message: string) => void): Promise<Storage> {
    mkdirSync(folder, { recursive: true });
    const release = lockFolder(folder);
    try {
      const path = join(folder, "lyceum.mdb");
      setAsideIfDamaged(path, warn);
      rmSync(`${path}-lock`, { force: true });
      const bytes = { keyEncoding: "binary", encoding: "binary" } as const;
      const settings = { noSubdir: true, overlappingSync: false, maxReaders: MAX_READERS, ...bytes };
      const env = open<Buffer, Buffer>({ path, ...settings });
      env.on("aftercommit", ({ txnId }: { txnId?: number }) => txnId === undefined && endAtOnce(path));
      return new Storage(env, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Lets later reads of this event-loop turn see all commits so far. */
  refresh(): void {
    this.env.resetReadTxn();
    this.refreshed += 1;
  }

  /** Begins a transaction on a snapshot of all commits so far. The caller must commit or abort it. */
  begin(): View {
    this.refresh();
    const view = new View(this.env.useReadTransaction(), this.conflicts.shown);
    this.conflicts.begin(view);
    return view;
  }

  /** Runs one statement of a transaction. `action` is synchronous. */
  within<T>(view: View, action: () => T): T {
    this.current = view;
    try {
      return action();
    } finally {
      this.current = undefined;
    }
  }

  /** Discards the writes of a transaction. */
  abandon(view: View): void {
    this.conflicts.end(view);
    view.snapshot.done();
  }

  /**
   * Commits the writes of a transaction as one storage write and passes its notes to `learn`. It resolves when the
   * write is on disk. Other clients can write the entries before that.
   */
  async commit(view: View, learn: (key: Buffer, note: Buffer) => void): Promise<void> {
    view.snapshot.done();
    if (!view.hasWritten()) return this.conflicts.end(view);
    await this.carryOut(() => {
      for (const { store, key, value } of view.own()) {
        const full = fullKey(store, key);
        const isNote = store === CATALOG_STORE && !view.intents.includes(full.toString("latin1"));
        if (!isNote) this.set(full, value);
        else if (value !== null) learn(key, value);
      }
      this.written.push(...view.intents);
      this.conflicts.end(view);
    });
  }

  /**
   * Runs `action` in a write transaction and resolves when its writes are on disk. The writes of one event-loop turn
   * share a commit. `action` is synchronous, sees its own writes, and is rolled back when it throws. When it meets a
   * lock of a transaction, it is rolled back and retried after that transaction.
   * @param left milliseconds that it may still wait.
   * @throws DatabaseError 112 after the timeout.
   */
  async write<T>(action: () => T, left = () => Number.POSITIVE_INFINITY): Promise<T> {
    if (this.current !== undefined) return action();
    for (const end = performance.now() + MAX_WAIT_MS; ; ) {
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
   * Reads an entry and locks it against changes by others until the transaction ends.
   * @throws DatabaseError 112 in a transaction when the entry was changed after the snapshot.
   */
  getShared(store: number, key: Buffer): Buffer | undefined {
    const [found, text, { current }] = [this.get(store, key), fullKey(store, key).toString("latin1"), this];
    if (current === undefined || current.shared.has(text)) return found;
    this.conflicts.checkSnapshot(text, current);
    if (found !== undefined) this.conflicts.share(text, current);
    return found;
  }

  /** Locks the entry until the current transaction or write ends. @throws DatabaseError 112 */
  lock(store: number, key: Buffer): void {
    this.conflicts.lock(fullKey(store, key).toString("latin1"), this.current);
  }

  put(store: number, key: Buffer, value: Buffer): void {
    this.change(store, key, value);
  }

  remove(store: number, key: Buffer): void {
    this.change(store, key, null);
  }

  /** Stores a note. Notes never conflict, because `learn` of `commit` merges the notes of one entry. */
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

  /** Returns a number above all stored and assigned numbers. It is never assigned again. */
  takeNumber(store: number): number {
    const [last] = this.numbers.has(store) ? [] : this.range(store, { reverse: true });
    const number = (this.numbers.get(store) ?? last?.key.readUIntBE(0, 6) ?? 0) + 1;
    this.numbers.set(store, number);
    return number;
  }

  get isInTransaction(): boolean {
    return this.current !== undefined;
  }

  /** True when the current transaction has changed the entry. A note is no change. */
  isOwn(store: number, key: Buffer): boolean {
    return this.current?.intents.includes(fullKey(store, key).toString("latin1")) === true;
  }

  count(store: number): number {
    if (this.current) return [...this.range(store)].length;
    return this.env.getKeysCount({ start: fullKey(store), end: fullKey(store + 1) });
  }

  /** Removes all entries of an unused store, outside transactions. */
  clear(store: number): void {
    for (const { key } of this.range(store)) this.env.remove(fullKey(store, key));
  }

  /** Yields entries in key order. After a pause it continues with the current entries. */
  range(store: number, range: Range = {}): Generator<Entry> {
    const { current } = this;
    const stored = this.stored(store, range, current?.snapshot);
    return current?.hasWritten(store) ? current.merged(store, range, stored) : stored;
  }

  private *stored(store: number, range: Range, transaction: Transaction | undefined): Generator<Entry> {
    const { start, end, reverse = false, readAhead = READ_ENTRIES } = range;
    let [low, high] = [fullKey(store, start), end === undefined ? fullKey(store + 1) : fullKey(store, end)];
    for (;;) {
      const backward = { start: high, exclusiveStart: true, end: low, inclusiveEnd: true, reverse };
      const bounds = { ...(reverse ? backward : { start: low, end: high }), ...reading(transaction) };
      const chunk = [...this.env.getRange({ ...bounds, limit: readAhead })];
      const { refreshed } = this;
      const stale = () => transaction === undefined && this.refreshed !== refreshed;
      let last: Buffer | undefined;
      for (const { key, value } of chunk) {
        last = key;
        yield { key: key.subarray(4), value: value.subarray(4) };
        if (stale()) break;
      }
      if (last === undefined || (!stale() && chunk.length < readAhead)) return;
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
 * Kills this process after a failed commit, for example on a full disk, because memory and file differ. The file holds
 * all acknowledged writes. An orderly exit would wait for LMDB's writer, which waits for this function.
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
