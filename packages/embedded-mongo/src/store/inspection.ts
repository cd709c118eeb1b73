import assert from "node:assert/strict";
import { closeSync, openSync, readSync, renameSync, statSync } from "node:fs";
import * as zlib from "node:zlib";

/**
 * Computes the CRC-32 of key and value, which precedes each value. Node.js before 20.15 has no CRC-32 and writes zero.
 */
export function checksum(key: Buffer, value: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(zlib.crc32 === undefined ? 0 : zlib.crc32(value, zlib.crc32(key)));
  return bytes;
}

/** Moves a damaged database file aside and reports it to `warn`. */
export function setAsideIfDamaged(path: string, warn: (message: string) => void): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return; // the file is new
  const file = openSync(path, "r");
  try {
    new Pages(file).inspect();
  } catch (error) {
    const aside = `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`;
    renameSync(path, aside);
    const damage = error instanceof Error ? error.message : String(error);
    warn(`The database file ${path} is damaged (${damage}). It is kept as ${aside}; starting with an empty database.`);
  } finally {
    closeSync(file);
  }
}

/** Byte offsets in an LMDB file: the meta follows the head of a page and holds two trees. */
const PAGE_HEAD_BYTES = 24;
const META = { magic: 24, mapSize: 40, pageSize: 48, free: 48, main: 96, lastPage: 144, transaction: 152 };
const [BRANCH, LEAF, OVERFLOW] = [1, 2, 4];

/** Reads the pages of an LMDB file. A failed check throws an Error that describes the damage. */
class Pages {
  private readonly size: number;
  private readonly meta: Buffer;
  private readonly owned = new Set([0, 1]);

  constructor(private readonly file: number) {
    this.size = this.read(0, 512).readUInt32LE(META.pageSize);
    assert(this.size >= 512 && this.size <= 65_536, "it has no beginning");
    const metas = [this.read(0, 512), this.read(this.size, 512)] as const;
    for (const meta of metas) {
      const [magic, mapSize] = [meta.readBigUInt64LE(META.magic), meta.readBigUInt64LE(META.mapSize)];
      const plain = meta[META.free + 4] === 8 && meta.readUInt16LE(META.main + 4) === 0;
      assert(magic === 0x2_beef_c0den && mapSize < 2n ** 46n && plain, "its beginning makes no sense");
    }
    const ahead = metas[0].readBigUInt64LE(META.transaction) - metas[1].readBigUInt64LE(META.transaction);
    assert(ahead ** 2n <= 1n, "its two beginnings do not agree");
    this.meta = metas[ahead > 0n ? 0 : 1];
  }

  /** Reads every page in use, because LMDB does not check them and a wrong page can end the process. */
  inspect(): void {
    let [count, previous, separated] = [0, Buffer.alloc(0) as Buffer, true];
    this.entries(this.number(META.main + 40), (key, value) => {
      const order = Buffer.compare(key, previous);
      assert(order > 0 || (order === 0 && separated), "its keys are out of order");
      [previous, separated] = [key, value === undefined];
      if (value === undefined) return;
      count += 1;
      const [stored, sum] = [value.readUInt32BE(), checksum(key, value.subarray(4)).readUInt32BE()];
      assert(stored === sum || stored === 0 || sum === 0, "an entry does not match its checksum");
    });
    assert(count === this.number(META.main + 32), "entries are missing");
    this.entries(this.number(META.free + 40), (_, free) => this.ownFree(free));
    assert(this.owned.size === this.number(META.lastPage) + 1, "pages are lost");
  }

  /** Reads a list of free pages. A negative number gives the length of a run of pages; zero is empty. */
  private ownFree(list: Buffer = Buffer.alloc(8)): void {
    const listed = Number(list.readBigUInt64LE());
    for (let [at, run] = [1, 1]; at <= listed; at += 1) {
      const number = Number(list.readBigInt64LE(8 * at));
      if (number > 0) this.own(number, run);
      run = number < 0 ? -number : 1;
    }
  }

  private read(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    assert(readSync(this.file, bytes, 0, length, position) === length, "it ends too early");
    return bytes;
  }

  /** Reads a number of the newest meta. */
  private number(at: number): number {
    return Number(this.meta.readBigUInt64LE(at));
  }

  /** Checks that each page has one owner. */
  private own(first: number, pages: number): void {
    assert(first + pages - 1 <= this.number(META.lastPage), `page ${first} is beyond the end`);
    for (let page = first; page < first + pages; page += 1) {
      assert(!this.owned.has(page), `page ${page} has two owners`);
      this.owned.add(page);
    }
  }

  private page(number: number, ...kinds: number[]): Buffer {
    this.own(number, 1);
    const bytes = this.read(number * this.size, this.size);
    const [self, transaction, kind] = [bytes.readBigUInt64LE(0), bytes.readBigUInt64LE(8), bytes.readUInt16LE(18)];
    const sound = self === BigInt(number) && Number(transaction) <= this.number(META.transaction);
    assert(sound && kinds.includes(kind), `page ${number} makes no sense`);
    return bytes;
  }

  private overflow(number: number, length: number): Buffer {
    const pages = this.page(number, OVERFLOW).readUInt32LE(20);
    this.own(number + 1, pages - 1);
    return readBytes(this.read(number * this.size, pages * this.size), PAGE_HEAD_BYTES, length);
  }

  /** Visits the entries below a page in order. Between children it visits the separating keys without a value. */
  private entries(number: number, tell: (key: Buffer, value?: Buffer) => void): void {
    if (number === 2 ** 64) return; // the tree has no root
    const bytes = this.page(number, BRANCH, LEAF);
    for (let at = PAGE_HEAD_BYTES; at < PAGE_HEAD_BYTES + bytes.readUInt16LE(20); at += 2) {
      const node = PAGE_HEAD_BYTES + bytes.readUInt16LE(at);
      const [size, flags] = [bytes.readUInt32LE(node), bytes.readUInt16LE(node + 4)];
      const key = readBytes(bytes, node + 8, bytes.readUInt16LE(node + 6));
      const data = node + 8 + key.length;
      if (bytes[18] === LEAF) {
        const own = flags === 1 ? undefined : readBytes(bytes, data, size);
        tell(key, own ?? this.overflow(Number(bytes.readBigUInt64LE(data)), size));
      } else {
        if (at > PAGE_HEAD_BYTES) tell(key);
        this.entries(size + flags * 2 ** 32, tell);
      }
    }
  }
}

/** Reads bytes and checks that they lie within the file. */
function readBytes(bytes: Buffer, at: number, length: number): Buffer {
  assert(at + length <= bytes.length, "a page is too full");
  return bytes.subarray(at, at + length);
}
