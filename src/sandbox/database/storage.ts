import { mkdirSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { type Database, open, type RootDatabase } from "lmdb";
import { lockFolder } from "./folder-lock.js";
import { inspectFile } from "./inspection.js";

export const FILE_NAME = "lyceum.mdb";

export interface Range {
  /** First key, included; the whole store when absent. */
  start?: Buffer;
  /** Excluded. */
  end?: Buffer;
  reverse?: boolean;
}

export interface Entry {
  key: Buffer;
  value: Buffer;
}

const SMALLEST_CHUNK = 4;
const LARGEST_CHUNK = 512;

/**
 * Ordered byte stores in one LMDB file. Each entry lies under `[store number][key]` and carries a checksum of both, so that
 * a damaged file is noticed when it is opened (zero: written by a Node.js before 20.15, which has no `crc32`). Writes of one event-loop turn are committed together.
 */
export class Storage {
  private constructor(
    private readonly env: Database<Buffer, Buffer>,
    private readonly release: () => void,
  ) {}

  /**
   * Opens the folder for this process alone. A damaged file is moved aside and `warn` is told; the storage is then empty.
   * @throws Error when another process has the folder.
   */
  static async open(folder: string, warn: (message: string) => void): Promise<Storage> {
    mkdirSync(folder, { recursive: true });
    const release = lockFolder(folder);
    try {
      const path = join(folder, FILE_NAME);
      rmSync(`${path}-lock`, { force: true });
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const damage = size > 0 ? await inspectFile(path) : undefined;
      if (damage !== undefined) {
        const aside = `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`;
        renameSync(path, aside);
        truncateSync(aside, size); // the inspection may have filled up its end
        warn(
          `The database file ${path} is damaged (${damage}). It is kept as ${aside}; starting with an empty database.`,
        );
      }
      if (size === 0) {
        rmSync(path, { force: true }); // made by a process that was killed before its first write
      }
      rmSync(`${path}-lock`, { force: true });
      const env: RootDatabase<Buffer, Buffer> = open({
        path,
        noSubdir: true,
        keyEncoding: "binary",
        encoding: "binary",
        maxReaders: 16,
      });
      return new Storage(env, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Later reads in this turn see everything committed so far. */
  refresh(): void {
    this.env.resetReadTxn();
  }

  /**
   * Runs `action` in a write transaction and resolves once its writes are on disk. `action` is synchronous and sees its own
   * writes; when it throws, nothing of it stays.
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
    const stored = Buffer.allocUnsafe(value.length + 4);
    value.copy(stored, 4);
    stored.writeUInt32BE(zlib.crc32 === undefined ? 0 : zlib.crc32(value, zlib.crc32(full)));
    this.env.put(full, stored);
  }

  remove(store: number, key: Buffer): void {
    this.env.remove(fullKey(store, key));
  }

  count(store: number): number {
    return this.env.getKeysCount({ start: fullKey(store), end: fullKey(store + 1) });
  }

  /** Entries in key order. Holds nothing between steps, so it may be left and taken up again while others write. */
  *range(store: number, { start, end, reverse = false }: Range = {}): Generator<Entry> {
    const [low, high] = [fullKey(store, start), end === undefined ? fullKey(store + 1) : fullKey(store, end)];
    let last: Buffer | undefined;
    for (let limit = SMALLEST_CHUNK; ; limit = Math.min(limit * 4, LARGEST_CHUNK)) {
      const bounds = reverse
        ? { start: last ?? high, end: low, inclusiveEnd: true, exclusiveStart: true, reverse, limit }
        : { start: last ?? low, end: high, exclusiveStart: last !== undefined, limit };
      const chunk = [...this.env.getRange(bounds)];
      for (const { key, value } of chunk) {
        yield { key: key.subarray(4), value: value.subarray(4) };
      }
      last = chunk.at(-1)?.key;
      if (chunk.length < limit || last === undefined) {
        return;
      }
    }
  }

  /** The numbers of the stores that have entries. */
  stores(): number[] {
    const found: number[] = [];
    for (let next = 0; ; ) {
      const [entry] = [...this.env.getRange({ start: fullKey(next), limit: 1 })];
      if (entry === undefined) {
        return found;
      }
      const store = entry.key.readUInt32BE();
      found.push(store);
      next = store + 1;
    }
  }

  /** Removes up to `most` entries inside a write; returns how many there were. */
  clear(store: number, most: number): number {
    const keys = [...this.env.getKeys({ start: fullKey(store), end: fullKey(store + 1), limit: most })];
    for (const key of keys) {
      this.env.remove(key);
    }
    return keys.length;
  }

  async close(): Promise<void> {
    await this.env.flushed;
    await this.env.close();
    this.release();
  }
}

function fullKey(store: number, key?: Buffer): Buffer {
  const full = Buffer.allocUnsafe(4 + (key?.length ?? 0));
  full.writeUInt32BE(store);
  key?.copy(full, 4);
  return full;
}
