import { DatabaseError } from "./errors.js";
import { documentKeys, storedKey } from "./keys.js";
import type { Clause } from "./matcher.js";
import { type Path, valueAt } from "./paths.js";
import type { Entry, Range, Storage } from "./storage.js";
import { type Document, decode, encode, kindOf, setField } from "./values.js";

export interface IndexField {
  name: string;
  path: Path;
  descending: boolean;
}

/** One index, with what its entries have taught about the documents. */
export interface Index {
  /** The store of its entries: unique ones map a key to a record, the others append the record to the key. */
  store: number;
  name: string;
  /** As given to createIndexes, with `v`, `key` and `name`. */
  spec: Document;
  fields: IndexField[];
  unique: boolean;
  sparse: boolean;
  /** The compiled partialFilterExpression. */
  partial: Clause | undefined;
  /** Per field: an array was met on its path in some document. */
  multikey: boolean[];
  /** Some key was too long to be stored whole, so the order of entries is not to be relied on. */
  cut: boolean;
}

/** A record number: six bytes, ascending in insertion order. */
export type RecordId = Buffer;

export interface Stored {
  record: RecordId;
  document: Document;
  bytes: Buffer;
}

/** The documents and index entries of one collection. Every change is made inside one storage write. */
export class Collection {
  private known: number | undefined;
  private nextRecord: number | undefined;

  constructor(
    readonly database: string,
    readonly name: string,
    readonly uuid: Buffer,
    readonly store: number,
    readonly indexes: Index[],
    private readonly storage: Storage,
    private readonly onIndexLearned: (collection: Collection) => void,
  ) {}

  get namespace(): string {
    return `${this.database}.${this.name}`;
  }

  count(): number {
    this.known ??= this.storage.count(this.store);
    return this.known;
  }

  get(record: RecordId): Stored | undefined {
    const bytes = this.storage.get(this.store, record);
    return bytes && { record, bytes, document: decode(bytes) };
  }

  /** Every document in insertion order, or against it. */
  *scan(reverse: boolean): Generator<Stored> {
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
    const added = this.indexes.map((index) => this.keysIn(index, document));
    this.refuseDuplicates(added, document, undefined);
    const count = this.count();
    this.nextRecord ??= this.lastRecord() + 1;
    const record = recordId(this.nextRecord);
    this.nextRecord += 1;
    this.storage.put(this.store, record, bytes);
    for (const [at, keys] of added.entries()) {
      this.putKeys(this.indexes[at], keys, record);
    }
    this.known = count + 1;
  }

  /** @returns false when nothing changed. @throws DatabaseError 11000 before anything is written. */
  replace(stored: Stored, document: Document): boolean {
    const bytes = encode(document);
    if (bytes.equals(stored.bytes)) {
      return false;
    }
    const before = this.indexes.map((index) => this.keysIn(index, stored.document));
    const after = this.indexes.map((index) => this.keysIn(index, document));
    const added = after.map((keys, at) => without(keys, before[at] ?? []));
    this.refuseDuplicates(added, document, stored.record);
    for (const [at, keys] of before.entries()) {
      this.removeKeys(this.indexes[at], without(keys, after[at] ?? []), stored.record);
      this.putKeys(this.indexes[at], added[at] ?? [], stored.record);
    }
    this.storage.put(this.store, stored.record, bytes);
    return true;
  }

  remove(stored: Stored): void {
    const count = this.count();
    for (const index of this.indexes) {
      this.removeKeys(index, this.keysIn(index, stored.document), stored.record);
    }
    this.storage.remove(this.store, stored.record);
    this.known = count - 1;
  }

  /** Fills a new index from the documents there are. @throws DatabaseError 11000; the write must then be abandoned. */
  fill(index: Index): void {
    for (const { record, document } of this.scan(false)) {
      const keys = this.keysIn(index, document);
      this.refuseDuplicate(index, keys, document, undefined);
      this.putKeys(index, keys, record);
    }
  }

  private lastRecord(): number {
    const [last] = this.storage.range(this.store, { reverse: true });
    return last === undefined ? 0 : last.key.readUIntBE(0, 6);
  }

  /** The stored keys of a document in an index: none when a sparse or partial index leaves it out. */
  private keysIn(index: Index, document: Document): Buffer[] {
    if (index.partial !== undefined && !index.partial.test(document)) {
      return [];
    }
    const { keys, multikey, absent } = documentKeys(document, index.fields);
    if (index.sparse && absent) {
      return [];
    }
    const stored = keys.map(storedKey);
    const learned = multikey.some((many, at) => many && index.multikey[at] !== true);
    const cut = stored.some((key) => key.cut) && !index.cut;
    if (learned || cut) {
      index.multikey = index.multikey.map((many, at) => many || multikey[at] === true);
      index.cut ||= cut;
      this.onIndexLearned(this);
    }
    return stored.map(({ key }) => key);
  }

  private refuseDuplicates(added: readonly Buffer[][], document: Document, self: RecordId | undefined): void {
    for (const [at, keys] of added.entries()) {
      const index = this.indexes[at];
      if (index !== undefined) {
        this.refuseDuplicate(index, keys, document, self);
      }
    }
  }

  private refuseDuplicate(index: Index, keys: readonly Buffer[], document: Document, self: RecordId | undefined): void {
    if (!index.unique) {
      return;
    }
    for (const key of keys) {
      const holder = this.storage.get(index.store, key);
      if (holder !== undefined && (self === undefined || !holder.equals(self))) {
        throw this.duplicate(index, document);
      }
    }
  }

  private duplicate(index: Index, document: Document): DatabaseError {
    const keyValue: Document = {};
    for (const { name, path } of index.fields) {
      setField(keyValue, name, valueAt(document, path) ?? null);
    }
    const shown = Object.entries(keyValue).map(([name, value]) => `${name}: ${show(value)}`);
    return new DatabaseError(
      11000,
      `E11000 duplicate key error collection: ${this.namespace} index: ${index.name} dup key: { ${shown.join(", ")} }`,
      { keyPattern: index.spec.key, keyValue },
    );
  }

  private putKeys(index: Index | undefined, keys: readonly Buffer[], record: RecordId): void {
    for (const key of keys) {
      if (index !== undefined) {
        this.storage.put(index.store, index.unique ? key : Buffer.concat([key, record]), record);
      }
    }
  }

  private removeKeys(index: Index | undefined, keys: readonly Buffer[], record: RecordId): void {
    for (const key of keys) {
      if (index !== undefined) {
        this.storage.remove(index.store, index.unique ? key : Buffer.concat([key, record]));
      }
    }
  }
}

function recordId(number: number): RecordId {
  const record = Buffer.alloc(6);
  record.writeUIntBE(number, 0, 6);
  return record;
}

function without(keys: readonly Buffer[], others: readonly Buffer[]): Buffer[] {
  return keys.filter((key) => !others.some((other) => other.equals(key)));
}

function show(value: unknown): string {
  switch (kindOf(value)) {
    case "string":
      return JSON.stringify(value);
    case "objectId":
      return `ObjectId('${String(value)}')`;
    case "null":
      return "null";
    default:
      return String(value);
  }
}
