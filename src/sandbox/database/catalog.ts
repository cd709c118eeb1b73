import { Int32, UUID } from "bson";
import { CATALOG, Collection } from "./collection.js";
import { check } from "./errors.js";
import { buildIndex, completeSpec, exists, type Index } from "./indexes.js";
import type { Storage } from "./storage.js";
import { encode } from "./values.js";

/**
 * Which collections and indexes there are. The stored definitions alone count, so an abandoned write leaves nothing behind;
 * `known` only spares compiling them again. What changes something happens inside a write.
 */
export class Catalog {
  private readonly known = new Map<string, Collection>();
  /** Never used twice while the process lives, because cursors may go on reading a store that was dropped. */
  private lastStore: number;

  constructor(private readonly storage: Storage) {
    const stores = this.collections().flatMap(({ store, indexes }) => [store, ...indexes.map((index) => index.store)]);
    this.lastStore = Math.max(CATALOG, ...stores);
  }

  /** Runs one write: it happens as a whole or not at all. Resolves when it is on disk. */
  write<T>(action: () => T): Promise<T> {
    return this.storage.write(action);
  }

  /** Later reads see everything committed so far. */
  refresh(): void {
    this.storage.refresh();
  }

  private restored(namespace: string, saved: Buffer): Collection {
    const known = this.known.get(namespace);
    if (known?.saved.equals(saved)) return known;
    const collection = new Collection(this.storage, saved);
    this.known.set(namespace, collection);
    return collection;
  }

  collections(database?: string): Collection[] {
    // Before the namespaces older versions kept the number of the next store.
    const entries = [...this.storage.range(CATALOG, { start: Buffer.of(1) })];
    const all = entries.map(({ key, value }) => this.restored(key.toString(), value));
    return all.filter((collection) => database === undefined || collection.definition.database === database);
  }

  find(database: string, name: string): Collection | undefined {
    const namespace = `${database}.${name}`;
    const saved = this.storage.get(CATALOG, Buffer.from(namespace));
    return saved && this.restored(namespace, saved);
  }

  /** @throws DatabaseError 73 for names MongoDB refuses. */
  findOrCreate(database: string, name: string): Collection {
    const found = this.find(database, name);
    if (found !== undefined) return found;
    const namespace = `${database}.${name}`;
    const valid = /^[^/\\. "$\0]+$/.test(database) && /^[^.$\0]([^$\0]*[^.$\0])?$/.test(name);
    check(valid && Buffer.byteLength(namespace) <= 255, 73, `Invalid namespace specified '${namespace}'`);
    const spec = { v: new Int32(2), key: { _id: new Int32(1) }, name: "_id_" };
    const indexes = [{ store: new Int32(this.takeStore()), spec, multikey: [], cut: false }];
    const definition = { database, name, uuid: new UUID(), store: new Int32(this.takeStore()), indexes };
    const collection = this.restored(namespace, encode(definition));
    collection.save();
    return collection;
  }

  drop({ namespace, store, indexes }: Collection): void {
    this.storage.remove(CATALOG, Buffer.from(namespace));
    for (const each of [store, ...indexes.map((index) => index.store)]) this.storage.clear(each);
  }

  /** Adds the indexes that are not there. @throws DatabaseError, the write must then be abandoned. */
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
    collection.save();
  }

  dropIndexes(collection: Collection, dropped: readonly Index[]): void {
    for (const { store } of dropped) this.storage.clear(store);
    collection.indexes = collection.indexes.filter((index) => !dropped.includes(index));
    collection.save();
  }

  private takeStore(): number {
    this.lastStore += 1;
    return this.lastStore;
  }
}
