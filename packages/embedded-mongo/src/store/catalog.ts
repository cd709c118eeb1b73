import { Int32 } from "bson";
import { check, DatabaseError } from "../errors.js";
import { toNumber } from "../language/numbers.js";
import { type Document, decode, EMPTY_ARRAY, encode, type NumberValue } from "../language/values.js";
import { buildIndex, completeSpec, exists, type Index } from "./indexes.js";
import { documentKeys, MAX_KEY_BYTES } from "./keys.js";
import { CATALOG_STORE, type Storage } from "./storage.js";
import type { View } from "./view.js";

/** The stored definition of a collection. */
interface Definition {
  database: string;
  name: string;
  store: NumberValue;
  indexes: { store: NumberValue; spec: Document; multikey: boolean }[];
}

export interface Stored {
  /** A record number of six bytes. It rises in insertion order. */
  record: Buffer;
  document: Document;
}

/** The documents and index entries of one collection. Every change belongs to one storage write. */
export class Collection {
  readonly definition: Definition;
  readonly namespace: string;
  /** Number of the store with the documents by record. */
  readonly store: number;
  indexes: readonly Index[];

  /** @param saved the stored definition. */
  constructor(
    readonly storage: Storage,
    public saved: Buffer,
  ) {
    this.definition = decode(saved) as unknown as Definition;
    const { database, name, store, indexes } = this.definition;
    this.namespace = `${database}.${name}`;
    this.store = toNumber(store);
    this.indexes = indexes.map((kept) => buildIndex(toNumber(kept.store), kept.spec, kept.multikey));
  }

  /** Stores the definition after a change of the collection or of its indexes' notes. */
  save(how: "put" | "note" = "put"): void {
    const indexes = this.indexes.map(({ store, spec, multikey }) => ({ store, spec, multikey }));
    this.saved = encode({ ...this.definition, indexes });
    this.storage[how](CATALOG_STORE, Buffer.from(this.namespace), this.saved);
  }

  /** Notes that an index has arrays. */
  learn(index: Index): void {
    if (index.multikey) return;
    index.multikey = true;
    this.save("note");
  }

  /** Lists the stores of the documents and index entries. */
  get stores(): number[] {
    return [this.store, ...this.indexes.map(({ store }) => store)];
  }

  count(): number {
    return this.storage.count(this.store);
  }

  get(record: Buffer): Stored | undefined {
    const bytes = this.storage.get(this.store, record);
    return bytes && { record, document: decode(bytes) };
  }

  /** Yields every document in insertion order. */
  *scan(): Generator<Stored> {
    for (const { key, value } of this.storage.range(this.store)) yield { record: key, document: decode(value) };
  }

  insert(document: Document): void {
    const record = Buffer.alloc(6);
    record.writeUIntBE(this.storage.takeNumber(this.store), 0, 6);
    this.change(record, undefined, document);
  }

  /** Replaces a document. @returns false when it is unchanged. */
  replace({ record, document }: Stored, after: Document): boolean {
    if (encode(after).equals(encode(document))) return false;
    this.change(record, document, after);
    return true;
  }

  remove({ record, document }: Stored): void {
    this.change(record, document, undefined);
  }

  /**
   * Checks a document and its keys before a write. @throws DatabaseError 10334, 11000 or 17280, and 112 in a
   * transaction.
   */
  private change(record: Buffer, before: Document | undefined, after: Document | undefined): void {
    const bytes = after && encode(after);
    this.reindex(record, before, after);
    if (bytes) this.storage.put(this.store, record, bytes);
    else this.storage.remove(this.store, record);
  }

  /** Replaces the index entries of a document. @throws DatabaseError 11000 or 17280. */
  reindex(record: Buffer, before: Document | undefined, after: Document | undefined, indexes = this.indexes) {
    const changes = indexes.map((index) => {
      const [old, now] = [keysOf(index, before), keysOf(index, after)];
      return { index, now, removed: removeKeys(old.keys, now.keys), added: removeKeys(now.keys, old.keys) };
    });
    for (const { index, added } of changes) {
      const fit = added.every(({ length }) => length <= MAX_KEY_BYTES);
      check(fit, 17280, `a value is longer than the ${MAX_KEY_BYTES} bytes that the index ${index.name} takes`);
      for (const key of index.unique ? added : []) {
        this.storage.lock(index.store, key);
        if (this.storage.get(index.store, key)) throw this.duplicate(index, after ?? {}, key);
      }
    }
    for (const { index, now, removed, added } of changes) {
      // A unique index maps a key to its record. Another index has an entry for each record, with the record after the
      // key.
      const entry = (key: Buffer) => (index.unique ? key : Buffer.concat([key, record]));
      for (const key of removed) this.storage.remove(index.store, entry(key));
      for (const key of added) this.storage.put(index.store, entry(key), record);
      if (now.multikey) this.learn(index);
    }
  }

  private duplicate(index: Index, document: Document, key: Buffer): DatabaseError {
    const values = documentKeys(document, index.fields).valuesOf(key);
    const stored = (value: unknown) => (value === undefined || value === EMPTY_ARRAY ? null : value);
    const keyValue = Object.fromEntries(index.fields.map(({ name }, at) => [name, stored(values[at])]));
    const where = `collection: ${this.namespace} index: ${index.name} dup key: ${JSON.stringify(keyValue)}`;
    return new DatabaseError(11000, `E11000 duplicate key error ${where}`, { keyPattern: index.spec.key, keyValue });
  }
}

/** Returns the keys of a document. A sparse or partial index may have none. */
function keysOf({ partial, fields, spec }: Index, document: Document | undefined) {
  if (document === undefined || partial?.test(document) === false) return { keys: [], multikey: false };
  return documentKeys(document, fields, { sparse: spec.sparse === true });
}

function removeKeys(keys: Buffer[], others: Buffer[]): Buffer[] {
  const known = new Set(others.map((key) => key.toString("latin1")));
  return known.size === 0 ? keys : keys.filter((key) => !known.has(key.toString("latin1")));
}

/**
 * Manages collections and indexes. The stored definitions are the truth, so an aborted write leaves no trace. `known`
 * caches compiled definitions. Every change belongs to a storage write.
 */
export class Catalog {
  private readonly known = new Map<string, Collection>();
  /** A number that the process uses once, so that a cursor notices a dropped store. */
  private lastStore: number;

  constructor(readonly storage: Storage) {
    this.lastStore = Math.max(CATALOG_STORE, ...this.collections().flatMap(({ stores }) => stores));
  }

  private restore(namespace: string, saved: Buffer): Collection {
    const known = this.known.get(namespace);
    if (known?.saved.equals(saved)) return known;
    const collection = new Collection(this.storage, saved);
    this.known.set(namespace, collection);
    return collection;
  }

  collections(database?: string): Collection[] {
    // "/" follows "." in ASCII, so the range holds the namespaces of the database.
    const range = { start: Buffer.from(`${database}.`), end: Buffer.from(`${database}/`) };
    const entries = [...this.storage.range(CATALOG_STORE, database === undefined ? {} : range)];
    return entries.map(({ key, value }) => this.restore(key.toString(), value));
  }

  find(database: string, name: string): Collection | undefined {
    const namespace = `${database}.${name}`;
    const saved = this.storage.getShared(CATALOG_STORE, Buffer.from(namespace));
    return saved && this.restore(namespace, saved);
  }

  /**
   * Creates a collection. @throws DatabaseError 73 for an invalid name, 112 when another transaction creates the
   * collection.
   */
  findOrCreate(database: string, name: string): Collection {
    const found = this.find(database, name);
    if (found !== undefined) return found;
    const namespace = `${database}.${name}`;
    const valid = /^(?!system\.)[^.$\0][^$\0]*$/.test(name) && Buffer.byteLength(namespace) <= 255;
    check(valid, 73, `Invalid namespace specified '${namespace}'`);
    const spec = { v: new Int32(2), key: { _id: new Int32(1) }, name: "_id_" };
    const indexes = [{ store: new Int32(this.takeStore()), spec, multikey: false }];
    const definition = { database, name, store: new Int32(this.takeStore()), indexes };
    const collection = this.restore(namespace, encode(definition));
    collection.save();
    return collection;
  }

  drop({ namespace, stores }: Collection): void {
    this.storage.remove(CATALOG_STORE, Buffer.from(namespace));
    for (const store of stores) this.storage.clear(store);
  }

  /**
   * Copies collections with their documents and indexes into another database. It leaves out writes of open
   * transactions.
   * @throws DatabaseError 48 when the target has a collection of that name.
   */
  copyDatabase(from: string, to: string): void {
    for (const { definition, store, indexes } of this.collections(from)) {
      const namespace = `${to}.${definition.name}`;
      const isNew = this.storage.getShared(CATALOG_STORE, Buffer.from(namespace)) === undefined;
      check(isNew, 48, `Collection already exists. NS: ${namespace}`);
      const copies = new Map([store, ...indexes.map((index) => index.store)].map((one) => [one, this.takeStore()]));
      const copyOf = (one: number) => new Int32(copies.get(one) ?? 0);
      const copied = indexes.map((index) => ({
        store: copyOf(index.store),
        spec: index.spec,
        multikey: index.multikey,
      }));
      const copy = { ...definition, database: to, store: copyOf(store), indexes: copied };
      this.storage.put(CATALOG_STORE, Buffer.from(namespace), encode(copy));
      // An empty collection has no index entries.
      if (this.storage.count(store) === 0) continue;
      for (const [one, other] of copies) {
        for (const { key, value } of this.storage.range(one)) this.storage.put(other, key, value);
      }
    }
  }

  /**
   * Creates missing indexes. @throws DatabaseError, after which the caller must abort the write; 263 in a transaction
   * for a collection that has documents, or that the transaction has not created.
   */
  createIndexes(collection: Collection, specs: readonly unknown[]): void {
    const missing = specs.map(completeSpec).filter((spec) => !exists(collection.indexes, spec));
    if (missing.length === 0) return;
    const isNew = this.storage.isOwn(CATALOG_STORE, Buffer.from(collection.namespace)) && collection.count() === 0;
    const where = `${collection.namespace} in a multi-document transaction, unless that created it and it is empty`;
    check(isNew || !this.storage.isInTransaction, 263, `Cannot create new indexes on ${where}`);
    const indexes = [...collection.indexes];
    for (const spec of missing) {
      check(!exists(indexes, spec), 68, `Identical index already exists: ${spec.name}`);
      const index = buildIndex(this.takeStore(), spec);
      for (const { record, document } of collection.scan()) collection.reindex(record, undefined, document, [index]);
      indexes.push(index);
    }
    collection.indexes = indexes;
    collection.save();
  }

  dropIndexes(collection: Collection, dropped: readonly Index[]): void {
    for (const { store } of dropped) this.storage.clear(store);
    collection.indexes = collection.indexes.filter((index) => !dropped.includes(index));
    collection.save();
  }

  /** Ends a transaction. It adds the transaction's notes of arrays to the current definitions. */
  commit(view: View): Promise<void> {
    return this.storage.commit(view, (key, note) => {
      const saved = this.storage.get(CATALOG_STORE, key);
      if (saved === undefined) return;
      const [now, noted] = [this.restore(key.toString(), saved), new Collection(this.storage, note)];
      for (const { store } of noted.indexes.filter(({ multikey }) => multikey)) {
        for (const index of now.indexes.filter((one) => one.store === store)) now.learn(index);
      }
    });
  }

  private takeStore(): number {
    this.lastStore += 1;
    return this.lastStore;
  }
}
