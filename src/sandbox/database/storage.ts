import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, open } from "lmdb";
import { checksum, setAsideIfDamaged } from "./inspection.js";

/** `start` is included, `end` is not; without them the whole store. */
export interface Range {
  start?: Buffer;
  end?: Buffer;
  reverse?: boolean;
}

/** Entries read at a time. */
const CHUNK = 64;

/**
 * Ordered byte stores in one LMDB file. Each entry lies under `[store number][key]` and carries a checksum of both, so
 * that a damaged file is noticed when it is opened.
 */
export class Storage {
  private refreshed = 0;

  private constructor(
    private readonly env: Database<Buffer, Buffer>,
    private readonly release: () => void,
  ) {}

  /**
   * Opens the folder for this process alone. A damaged file is moved aside and `warn` is told; it then begins empty.
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
      return new Storage(open({ path, noSubdir: true, overlappingSync: false, maxReaders: 16, ...bytes }), release);
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

  /**
   * Runs `action` in a write transaction and resolves once its writes are on disk; writes of one event-loop turn share
   * a commit. `action` is synchronous and sees its own writes; when it throws, nothing of it stays.
   */
  async write<T>(action: () => T): Promise<T> {
    const result = await this.env.childTransaction(action);
    await this.env.flushed;
    return result;
  }

  get(store: number, key: Buffer): Buffer | undefined {
    return this.env.get(fullKey(store, key))?.subarray(4);
  }

  put(store: number, key: Buffer, value: Buffer): void {
    const full = fullKey(store, key);
    this.env.put(full, Buffer.concat([checksum(full, value), value]));
  }

  remove(store: number, key: Buffer): void {
    this.env.remove(fullKey(store, key));
  }

  count(store: number): number {
    return this.env.getKeysCount({ start: fullKey(store), end: fullKey(store + 1) });
  }

  clear(store: number): void {
    for (const { key } of this.range(store)) this.remove(store, key);
  }

  /** Entries in key order. Left and taken up again after others wrote, it goes on with what there is then. */
  *range(store: number, { start, end, reverse = false }: Range = {}): Generator<{ key: Buffer; value: Buffer }> {
    let [low, high] = [fullKey(store, start), end === undefined ? fullKey(store + 1) : fullKey(store, end)];
    for (;;) {
      const backward = { start: high, exclusiveStart: true, end: low, inclusiveEnd: true, reverse };
      const chunk = [...this.env.getRange({ ...(reverse ? backward : { start: low, end: high }), limit: CHUNK })];
      const { refreshed } = this;
      let last: Buffer | undefined;
      for (const { key, value } of chunk) {
        last = key;
        yield { key: key.subarray(4), value: value.subarray(4) };
        if (this.refreshed !== refreshed) break;
      }
      if (last === undefined || (this.refreshed === refreshed && chunk.length < CHUNK)) return;
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

function fullKey(store: number, key: Buffer = Buffer.alloc(0)): Buffer {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(store);
  return Buffer.concat([number, key]);
}

/** Number and, where the system tells it, start of a live process: a later one may have the same number. */
function identity(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return undefined;
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : undefined;
  return stat === undefined ? `${pid}` : `${pid} ${stat.slice(stat.lastIndexOf(")")).split(" ")[20]}`;
}

/** What `act` gives, or undefined when a file is missing, or there already. */
function unlessRaced<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(EEXIST|ENOENT)$/.test(String(error.code))) return undefined;
    throw error;
  }
}

/** An unfinished takeover this old was abandoned; it lasts a moment. */
const TAKEOVER_MILLISECONDS = 2000;

/**
 * Takes the folder for this process; a lock left by a killed process is taken over. The lock appears with its content,
 * and who takes one over first gives it a second name, so of several processes that come at once one has it.
 * @returns the function that gives it back.
 * @throws Error that names the holder when it is alive.
 */
function lockFolder(folder: string): () => void {
  const [path, own] = [join(folder, "lyceum.lock"), join(folder, `lyceum.lock-${process.pid}`)];
  const takeover = `${path}-takeover`;
  const linked = (file: string, name: string) => unlessRaced(() => linkSync(file, name) ?? true) === true;
  const content = (file: string) => unlessRaced(() => readFileSync(file, "utf8"));
  writeFileSync(own, `${identity(process.pid)}`);
  try {
    while (!linked(own, path)) {
      const holder = content(path);
      const pid = Number.parseInt(holder ?? "", 10);
      if (holder !== undefined && identity(pid) === holder) {
        throw new Error(`The database folder ${folder} is in use by process ${pid}; stop it or choose another folder.`);
      }
      const mine = linked(path, takeover);
      if (mine && content(takeover) === holder) rmSync(path, { force: true });
      const since = unlessRaced(() => statSync(takeover).ctimeMs) ?? Date.now();
      if (mine || Date.now() - since > TAKEOVER_MILLISECONDS) rmSync(takeover, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(path, { force: true });
}
