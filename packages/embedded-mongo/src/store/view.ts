import type { Transaction } from "lmdb";

/** A range of keys: `start` is included, `end` is not. Without both it is the whole store. */
export interface Range {
  start?: Buffer;
  end?: Buffer;
  reverse?: boolean;
  /** Number of entries that are read at a time. */
  readAhead?: number;
}

export interface Entry {
  key: Buffer;
  value: Buffer;
}

/** A transaction's writes in one store. Keys are latin1 text, which sorts like their bytes; null is a removal. */
interface Own {
  keys: string[];
  values: Map<string, Buffer | null>;
}

/** The view of one transaction: its own writes over a snapshot. */
export class View {
  /** Resolves when the transaction has ended. */
  readonly ended: Promise<void>;
  end: () => void = () => undefined;
  /** The full keys of its writes, and the keys that it has locked against changes by others. */
  readonly intents: string[] = [];
  readonly shared = new Set<string>();
  private readonly stores = new Map<number, Own>();

  /** @param since the snapshot shows all writes up to this number. */
  constructor(
    readonly snapshot: Transaction,
    readonly since: number,
  ) {
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /** True when the transaction has written to the store, or to any store. */
  hasWritten(store?: number): boolean {
    return store === undefined ? this.stores.size > 0 : this.stores.has(store);
  }

  set(store: number, key: Buffer, value: Buffer | null): void {
    const own = this.stores.get(store) ?? { keys: [], values: new Map() };
    this.stores.set(store, own);
    const text = key.toString("latin1");
    if (!own.values.has(text)) own.keys.splice(positionOf(own.keys, text), 0, text);
    own.values.set(text, value);
  }

  /** Reads an own write: undefined without one, null for a removal. */
  get(store: number, key: Buffer): Buffer | null | undefined {
    return this.stores.get(store)?.values.get(key.toString("latin1"));
  }

  /** Lists all own writes. */
  *own(): Generator<{ store: number; key: Buffer; value: Buffer | null }> {
    for (const [store, { values }] of this.stores) {
      for (const [text, value] of values) yield { store, key: Buffer.from(text, "latin1"), value };
    }
  }

  /** Yields a range of the snapshot merged with own writes, even those made during the iteration. */
  *merged(store: number, { start, end, reverse = false }: Range, snapshot: Iterator<Entry>): Generator<Entry> {
    const [low, high] = [start?.toString("latin1") ?? "", end?.toString("latin1")];
    let { value: kept }: { value?: Entry | undefined } = snapshot.next();
    for (let last: string | undefined; ; ) {
      const own = this.stores.get(store);
      const mine = own && (reverse ? before(own.keys, low, last ?? high) : firstKeyAfter(own.keys, last, low, high));
      const theirs = kept?.key.toString("latin1");
      const ownFirst = mine !== undefined && (theirs === undefined || mine === theirs || mine < theirs !== reverse);
      last = ownFirst ? mine : theirs;
      if (last === undefined) return;
      const value = ownFirst ? own?.values.get(last) : kept?.value;
      if (last === theirs) ({ value: kept } = snapshot.next());
      if (value) yield { key: Buffer.from(last, "latin1"), value };
    }
  }
}

/** Finds the position of a key in a sorted list. */
function positionOf(keys: readonly string[], wanted: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the first key after `last`, or from `low` on, that is before `high`. */
function firstKeyAfter(keys: readonly string[], last: string | undefined, low: string, high: string | undefined) {
  const key = keys[positionOf(keys, last === undefined ? low : `${last}\0`)];
  return key !== undefined && (high === undefined || key < high) ? key : undefined;
}

/** Returns the last key before `high` that is not before `low`. */
function before(keys: readonly string[], low: string, high: string | undefined) {
  const key = keys[(high === undefined ? keys.length : positionOf(keys, high)) - 1];
  return key !== undefined && key >= low ? key : undefined;
}
