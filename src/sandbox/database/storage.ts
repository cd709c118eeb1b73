import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { type Database, open } from "lmdb";
import { lockFolder } from "./folder-lock.js";
import { setAsideIfDamaged } from "./inspection.js";

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

/** Entries read at a time, growing from the first number to the second. */
const [SMALLEST_CHUNK, LARGEST_CHUNK] = [4, 512];

/**
 * Ordered byte stores in one LMDB file. Each entry lies under `[store number][key]` and carries a checksum of both, so that
 * a damaged file is noticed when it is opened (zero: written by a Node.js before 20.15, which has no `crc32`).
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
      const path = join(folder, "lyceum.mdb");
      setAsideIfDamaged(path, warn);
      rmSync(`${path}-lock`, { force: true });
      const bytes = { keyEncoding: "binary", encoding: "binary" } as const;
      const env = open<Buffer, Buffer>({ path, noSubdir: true, overlappingSync: false, maxReaders: 16, ...bytes });
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
   * Runs `action` in a write transaction and resolves once its writes are on disk; writes of one event-loop turn share a
   * commit. `action` is synchronous and sees its own writes; when it throws, nothing of it stays.
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
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(zlib.crc32 === undefined ? 0 : zlib.crc32(value, zlib.crc32(full)));
    this.env.put(full, Buffer.concat([checksum, value]));
  }

  remove(store: number, key: Buffer): void {
    this.env.remove(fullKey(store, key));
  }

  count(store: number): number {
    return this.env.getKeysCount({ start: fullKey(store), end: fullKey(store + 1) });
  }

  /** Removes every entry of the stores. */
  clear(...stores: number[]): void {
    for (const store of stores) {
      for (const { key } of this.range(store)) this.remove(store, key);
    }
  }

  /** Entries in key order. Holds nothing between steps, so it may be left and taken up again while others write. */
  *range(store: number, { start, end, reverse = false }: Range = {}): Generator<Entry> {
    let [low, high] = [fullKey(store, start), end === undefined ? fullKey(store + 1) : fullKey(store, end)];
    for (let limit = SMALLEST_CHUNK; ; limit = Math.min(limit * 4, LARGEST_CHUNK)) {
      const bounds = reverse
        ? { start: high, exclusiveStart: true, end: low, inclusiveEnd: true, reverse }
        : { start: low, end: high };
      const chunk = [...this.env.getRange({ ...bounds, limit })];
      for (const { key, value } of chunk) yield { key: key.subarray(4), value: value.subarray(4) };
      const last = chunk.at(-1);
      if (last === undefined || chunk.length < limit) return;
      if (reverse) high = last.key;
      else low = Buffer.concat([last.key, Buffer.of(0)]);
    }
  }

  async close(): Promise<void> {
    await this.env.flushed;
    await this.env.close();
    this.release();
  }
}

function fullKey(store: number, key: Buffer = Buffer.alloc(0)): Buffer {
  const full = Buffer.allocUnsafe(4 + key.length);
  full.writeUInt32BE(store);
  key.copy(full, 4);
  return full;
}
