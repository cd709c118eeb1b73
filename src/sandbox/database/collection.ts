import type { Binary } from "bson";
import { DatabaseError } from "./errors.js";
import type { Index } from "./index-specs.js";
import { documentKeys, LONGEST_KEY, storedKey } from "./keys.js";
import { valueAt } from "./paths.js";
import type { Entry, Range, Storage } from "./storage.js";
import { type Document, decode, encode } from "./values.js";

export interface Stored {
  /** A record number: six bytes, ascending in insertion order. */
  record: Buffer;
  document: Document;
  bytes: Buffer;
}

/** The keys of one document in one index, and what they teach about the documents. */
interface Keys {
  index: Index;
  keys: Buffer[];
  multikey: boolean[];
}

/** The documents and index entries of one collection. Every change is made inside one storage write. */
export class Collection {
  private lastRecord: number | undefined;

  constructor(
    readonly database: string,
    readonly name: string,
    readonly uuid: Binary,
    /** The number of the store that maps records to documents. */
    readonly store: number,
    public indexes: readonly Index[],
    private readonly storage: Storage,
    private readonly onIndexLearned: (collection: Collection) => void,
  ) {}

  get namespace(): string {
    return `${this.database}.${this.name}`;
  }

  count(): number {
    return this.storage.count(this.store);
  }

  get(record: Buffer): Stored | undefined {
    const bytes = this.storage.get(this.store, record);
    return bytes && { record, bytes, document: decode(bytes) };
  }

  /** Every document in insertion order, or against it. */
  *scan(reverse = false): Generator<Stored> {
    for (const { key, value } of this.storage.range(this.store, { reverse })) {
      yield { record: key, bytes: value, document: decode(value) };
    }
  }

  /** The entries of an index; each value is a record. */
  entries(index: Index, range: Range): Iterable<Entry> {
    return this.storage.range(index.store, range);
  }

  /** @throws DatabaseError 11000 before anything is written. */
  insert(document: Document): void {
    const bytes = encode(document);
    const added = this.indexes.map((index) => keysOf(index, document));
    for (const keys of added) this.refuseDuplicate(keys, document);
    if (this.lastRecord === undefined) {
      const [last] = this.storage.range(this.store, { reverse: true });
      this.lastRecord = last?.key.readUIntBE(0, 6) ?? 0;
    }
    this.lastRecord += 1;
    const record = Buffer.alloc(6);
    record.writeUIntBE(this.lastRecord, 0, 6);
    this.storage.put(this.store, record, bytes);
    for (const keys of added) this.putKeys(keys, record);
  }

  /** @returns false when nothing changed. @throws DatabaseError 11000 before anything is written. */
  replace(stored: Stored, document: Document): boolean {
    const bytes = encode(document);
    if (bytes.equals(stored.bytes)) return false;
    const changes = this.indexes.map((index) => {
      const [before, after] = [keysOf(index, stored.document), keysOf(index, document)];
      return [without(before, after), without(after, before)] as const;
    });
    for (const [, added] of changes) this.refuseDuplicate(added, document, stored.record);
    for (const [removed, added] of changes) {
      this.removeKeys(removed, stored.record);
      this.putKeys(added, stored.record);
    }
    this.storage.put(this.store, stored.record, bytes);
    return true;
  }

  remove({ document, record }: Stored): void {
    for (const index of this.indexes) this.removeKeys(keysOf(index, document), record);
    this.storage.remove(this.store, record);
  }

  /** Fills a new index from the documents there are. @throws DatabaseError 11000; the write must then be abandoned. */
  fill(index: Index): void {
    for (const { record, document } of this.scan()) {
      const keys = keysOf(index, document);
      this.refuseDuplicate(keys, document);
      this.putKeys(keys, record);
    }
  }

  private refuseDuplicate({ index, keys }: Keys, document: Document, self?: Buffer): void {
    const holders = index.unique ? keys.map((key) => this.storage.get(index.store, key)) : [];
    if (holders.every((holder) => holder === undefined || self?.equals(holder))) return;
    const keyValue = Object.fromEntries(index.fields.map(({ name, path }) => [name, valueAt(document, path) ?? null]));
    const shown = Object.entries(keyValue).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    const where = `collection: ${this.namespace} index: ${index.name} dup key: { ${shown.join(", ")} }`;
    throw new DatabaseError(11000, `E11000 duplicate key error ${where}`, { keyPattern: index.spec.key, keyValue });
  }

  /** Unique indexes map a key to its record; the others have an entry for each, the record behind the key. */
  private putKeys({ index, keys, multikey }: Keys, record: Buffer): void {
    for (const key of keys) this.storage.put(index.store, index.unique ? key : Buffer.concat([key, record]), record);
    const cut = keys.some(({ length }) => length > LONGEST_KEY);
    if ((cut && !index.cut) || multikey.some((many, at) => many && index.multikey[at] !== true)) {
      index.multikey = index.multikey.map((many, at) => many || multikey[at] === true);
      index.cut ||= cut;
      this.onIndexLearned(this);
    }
  }

  private removeKeys({ index, keys }: Keys, record: Buffer): void {
    for (const key of keys) this.storage.remove(index.store, index.unique ? key : Buffer.concat([key, record]));
  }
}

/** No keys when a sparse or partial index leaves the document out. */
function keysOf(index: Index, document: Document): Keys {
  if (index.partial?.test(document) === false) return { index, keys: [], multikey: [] };
  const { keys, multikey, absent } = documentKeys(document, index.fields);
  return { index, keys: index.sparse && absent ? [] : keys.map(storedKey), multikey };
}

function without(keys: Keys, others: Keys): Keys {
  const known = new Set(others.keys.map((key) => key.toString("latin1")));
  return { ...keys, keys: keys.keys.filter((key) => !known.has(key.toString("latin1"))) };
}
