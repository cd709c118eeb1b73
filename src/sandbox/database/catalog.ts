import { type Binary, Int32, UUID } from "bson";
import { Collection } from "./collection.js";
import { check, DatabaseError } from "./errors.js";
import { buildIndex, completeSpec, exists, type Index } from "./index-specs.js";
import { toNumber } from "./numbers.js";
import type { Storage } from "./storage.js";
import { type Document, decode, encode, type NumberValue } from "./values.js";

const CATALOG = 0;
/** Where the next store's number is kept; sorts before every namespace. */
const COUNTER = Buffer.of(0);

/** Which collections and indexes there are. Kept in memory, written through; store numbers are never used twice. */
export class Catalog {
  /** By namespace. Replaced, never changed, so that a write that is abandoned is taken back. */
  private known: ReadonlyMap<string, Collection> = new Map();
  private nextStore = 1;

  constructor(private readonly storage: Storage) {
    this.load();
  }

  /** Runs one write: it happens as a whole or not at all, in memory too. Resolves when it is on disk. */
  async write<T>(action: () => T): Promise<T> {
    try {
      return await this.storage.write(() => {
        const before = this.known;
        try {
          return action();
        } catch (error) {
          this.known = before;
          throw error;
        }
      });
    } catch (error) {
      if (!(error instanceof DatabaseError)) this.load();
      throw error;
    }
  }

  /** Later reads see everything committed so far. */
  refresh(): void {
    this.storage.refresh();
  }

  private load(): void {
    this.refresh();
    const [, ...entries] = this.storage.range(CATALOG);
    this.nextStore = this.storage.get(CATALOG, COUNTER)?.readUInt32BE() ?? 1;
    const collections = entries.map(({ value }) => this.restored(decode(value)));
    this.known = new Map(collections.map((collection) => [collection.namespace, collection]));
  }

  private restored({ database, name, uuid, store, indexes }: Document): Collection {
    const kept = indexes as { store: NumberValue; spec: Document; multikey: boolean[]; cut: boolean }[];
    const built = kept.map(({ store, spec, multikey, cut }) => buildIndex(toNumber(store), spec, multikey, cut));
    return this.collection(String(database), String(name), uuid as Binary, toNumber(store as NumberValue), built);
  }

  private collection(database: string, name: string, uuid: Binary, store: number, indexes: Index[]): Collection {
    return new Collection(database, name, uuid, store, indexes, this.storage, (learned) => this.save(learned));
  }

  private save({ database, name, uuid, store, indexes, namespace }: Collection): void {
    const kept = indexes.map(({ store, spec, multikey, cut }) => ({ store, spec, multikey, cut }));
    this.storage.put(CATALOG, Buffer.from(namespace), encode({ database, name, uuid, store, indexes: kept }));
  }

  private takeStore(): number {
    const store = this.nextStore;
    this.nextStore += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.nextStore);
    this.storage.put(CATALOG, COUNTER, counter);
    return store;
  }

  databaseNames(): string[] {
    return [...new Set(this.collections().map(({ database }) => database))].sort();
  }

  collections(database?: string): Collection[] {
    return [...this.known.values()].filter((collection) => database === undefined || collection.database === database);
  }

  find(database: string, name: string): Collection | undefined {
    return this.known.get(`${database}.${name}`);
  }

  /** Inside a write. @throws DatabaseError 73 for names MongoDB refuses. */
  findOrCreate(database: string, name: string): Collection {
    const found = this.find(database, name);
    if (found !== undefined) return found;
    const namespace = `${database}.${name}`;
    const valid = /^[^/\\. "$\0]+$/.test(database) && /^[^.$\0]([^$\0]*[^.$\0])?$/.test(name);
    check(valid && Buffer.byteLength(namespace) <= 255, 73, `Invalid namespace specified '${namespace}'`);
    const byId = buildIndex(this.takeStore(), { v: new Int32(2), key: { _id: new Int32(1) }, name: "_id_" });
    const collection = this.collection(database, name, new UUID(), this.takeStore(), [byId]);
    this.known = new Map([...this.known, [namespace, collection]]);
    this.save(collection);
    return collection;
  }

  /** Inside a write. */
  drop({ namespace, store, indexes }: Collection): void {
    this.storage.remove(CATALOG, Buffer.from(namespace));
    this.storage.clear(store, ...indexes.map((index) => index.store));
    this.known = new Map([...this.known].filter(([name]) => name !== namespace));
  }

  /** Inside a write: adds the indexes that are not there. @throws DatabaseError, the write must then be abandoned. */
  createIndexes(collection: Collection, specs: readonly unknown[]): void {
    const indexes = [...collection.indexes];
    for (const given of specs) {
      const spec = completeSpec(given);
      if (exists(indexes, spec)) continue;
      const index = buildIndex(this.takeStore(), spec);
      collection.fill(index);
      indexes.push(index);
    }
    collection.indexes = indexes;
    this.save(collection);
  }

  /** Inside a write. */
  dropIndexes(collection: Collection, dropped: readonly Index[]): void {
    this.storage.clear(...dropped.map(({ store }) => store));
    collection.indexes = collection.indexes.filter((index) => !dropped.includes(index));
    this.save(collection);
  }
}
