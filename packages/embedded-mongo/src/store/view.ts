import type { Transaction } from "lmdb";

/** `start` is included, `end` is not; without them the whole store. */
export interface Range {
  start?: Buffer;
  end?: Buffer;
  reverse?: boolean;
}

export interface Entry {
  key: Buffer;
  value: Buffer;
}

/** What a transaction has written in one store, by key as latin1 text, which has the order of the bytes; null is a removal. */
interface Own {
  keys: string[];
  values: Map<string, Buffer | null>;
}

/** What one transaction sees: its own puts and removes over a snapshot. */
export class View {
  /** Resolves when the transaction has ended, either way. */
  readonly ended: Promise<void>;
  end: () => void = () => undefined;
  /** The whole keys of what it has written, and of what no other client may change before it ends. */
  readonly intents: string[] = [];
  readonly shared = new Set<string>();
  private readonly stores = new Map<number, Own>();

  /** @param since the number of a write: the snapshot shows it, and all before it. */
  constructor(
    readonly snapshot: Transaction,
    readonly since: number,
  ) {
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /** Whether it has written anything, or anything in one store. */
  hasWritten(store?: number): boolean {
    return store === undefined ? this.stores.size > 0 : this.stores.has(store);
  }

  set(store: number, key: Buffer, value: Buffer | null): void {
    const own = this.stores.get(store) ?? { keys: [], values: new Map() };
    this.stores.set(store, own);
    const text = key.toString("latin1");
    if (!own.values.has(text)) own.keys.splice(place(own.keys, text), 0, text);
    own.values.set(text, value);
  }

  /** Undefined when the transaction has not written this entry, null when it has removed it. */
  get(store: number, key: Buffer): Buffer | null | undefined {
    return this.stores.get(store)?.values.get(key.toString("latin1"));
  }

  /** All that it has written. */
  *own(): Generator<{ store: number; key: Buffer; value: Buffer | null }> {
    for (const [store, { values }] of this.stores) {
      for (const [text, value] of values) yield { store, key: Buffer.from(text, "latin1"), value };
    }
  }

  /** The entries of a range of the snapshot with the own ones in their places; those written meanwhile too. */
  *merged(store: number, { start, end, reverse = false }: Range, snapshot: Iterator<Entry>): Generator<Entry> {
    const [low, high] = [start?.toString("latin1") ?? "", end?.toString("latin1")];
    let { value: kept }: { value?: Entry | undefined } = snapshot.next();
    for (let last: string | undefined; ; ) {
      const own = this.stores.get(store);
      const mine = own && (reverse ? before(own.keys, low, last ?? high) : behind(own.keys, last, low, high));
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

/** Where a key is among sorted ones, or belongs. */
function place(keys: readonly string[], wanted: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first key behind `last`, or from `low` on, that is before `high`. */
function behind(keys: readonly string[], last: string | undefined, low: string, high: string | undefined) {
  const key = keys[place(keys, last === undefined ? low : `${last}\0`)];
  return key !== undefined && (high === undefined || key < high) ? key : undefined;
}

/** The last key before `high` that is not before `low`. */
function before(keys: readonly string[], low: string, high: string | undefined) {
  const key = keys[(high === undefined ? keys.length : place(keys, high)) - 1];
  return key !== undefined && key >= low ? key : undefined;
}
