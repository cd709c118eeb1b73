import { randomUUID } from "node:crypto";
import { Binary, Int32 } from "bson";
import { Collection, type Index } from "./collection.js";
import { DatabaseError } from "./errors.js";
import { buildIndex, completeSpec, exists } from "./index-specs.js";
import { toNumber } from "./numbers.js";
import type { Storage } from "./storage.js";
import { type Document, decode, encode, isNumber } from "./values.js";

const CATALOG = 0;
/** Sorts before every namespace. */
const COUNTER = Buffer.from([0]);
const CLEARED_AT_ONCE = 1000;

/** Which collections and indexes there are. Kept in memory, written through; store numbers are never used twice. */
export class Catalog {
  private readonly databases = new Map<string, Map<string, Collection>>();
  private nextStore = 1;
  private readonly dropped: number[] = [];
  private clearing: Promise<void> | undefined;
  private closed = false;

  constructor(private readonly storage: Storage) {
    this.load();
    const live = new Set([
      CATALOG,
      ...this.collections().flatMap(({ store, indexes }) => [store, ...indexes.map((index) => index.store)]),
    ]);
    this.dropped.push(...storage.stores().filter((store) => !live.has(store)));
    this.clearDropped();
  }

  /** Runs one write; when it fails unexpectedly, memory is brought back to what is stored. */
  async write<T>(action: () => T): Promise<T> {
    try {
      return await this.storage.write(action);
    } catch (error) {
      if (!(error instanceof DatabaseError)) {
        this.dropped.length = 0;
        this.load();
      }
      throw error;
    } finally {
      this.clearDropped();
    }
  }

  private load(): void {
    this.databases.clear();
    this.storage.refresh();
    for (const { key, value } of this.storage.range(CATALOG)) {
      if (key.equals(COUNTER)) {
        this.nextStore = value.readUInt32BE();
      } else {
        this.remember(decode(value));
      }
    }
  }

  private remember({ database, name, uuid, store, indexes }: Document): void {
    const built = (indexes as Document[]).map(({ store: number, spec, multikey, cut }) =>
      buildIndex(numberOf(number), spec as Document, multikey as boolean[], cut === true),
    );
    const bytes = Buffer.from((uuid as Binary).buffer);
    this.add(
      new Collection(String(database), String(name), bytes, numberOf(store), built, this.storage, (it) =>
        this.save(it),
      ),
    );
  }

  private add(collection: Collection): void {
    const collections = this.databases.get(collection.database) ?? new Map<string, Collection>();
    collections.set(collection.name, collection);
    this.databases.set(collection.database, collections);
  }

  private save({ database, name, uuid, store, indexes, namespace }: Collection): void {
    const entry: Document = {
      database,
      name,
      uuid: new Binary(uuid, Binary.SUBTYPE_UUID),
      store: new Int32(store),
      indexes: indexes.map((index) => ({
        store: new Int32(index.store),
        spec: index.spec,
        multikey: index.multikey,
        cut: index.cut,
      })),
    };
    this.storage.put(CATALOG, Buffer.from(namespace), encode(entry));
  }

  private takeStore(): number {
    const store = this.nextStore;
    this.nextStore += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.nextStore);
    this.storage.put(CATALOG, COUNTER, counter);
    return store;
  }

  /** Removes the entries of dropped stores little by little, between other writes. */
  private clearDropped(): void {
    if (this.clearing !== undefined || this.closed) {
      return;
    }
    const step = async (): Promise<void> => {
      while (this.dropped.length > 0 && !this.closed) {
        await this.storage.write(() => {
          const [store] = this.dropped;
          if (store !== undefined && this.storage.clear(store, CLEARED_AT_ONCE) < CLEARED_AT_ONCE) {
            this.dropped.shift();
          }
        });
      }
    };
    if (this.dropped.length > 0) {
      this.clearing = step().finally(() => {
        this.clearing = undefined;
      });
    }
  }

  /** Waits for a clearing step under way; what is left is cleared at the next opening. */
  async close(): Promise<void> {
    this.closed = true;
    await this.clearing;
  }

  databaseNames(): string[] {
    return [...this.databases]
      .filter(([, collections]) => collections.size > 0)
      .map(([name]) => name)
      .sort();
  }

  collections(database?: string): Collection[] {
    return database === undefined
      ? [...this.databases.values()].flatMap((collections) => [...collections.values()])
      : [...(this.databases.get(database)?.values() ?? [])];
  }

  find(database: string, name: string): Collection | undefined {
    return this.databases.get(database)?.get(name);
  }

  /** Inside a write. */
  create(database: string, name: string): Collection {
    checkNamespace(database, name);
    const uuid = Buffer.from(randomUUID().replaceAll("-", ""), "hex");
    const byId = buildIndex(this.takeStore(), { v: new Int32(2), key: { _id: new Int32(1) }, name: "_id_" });
    const collection = new Collection(database, name, uuid, this.takeStore(), [byId], this.storage, (it) =>
      this.save(it),
    );
    this.save(collection);
    this.add(collection);
    return collection;
  }

  /** Inside a write. */
  findOrCreate(database: string, name: string): Collection {
    return this.find(database, name) ?? this.create(database, name);
  }

  /** Takes back a creation whose write is abandoned. */
  forget(collection: Collection): void {
    this.databases.get(collection.database)?.delete(collection.name);
  }

  /** Inside a write. @returns false when there was none. */
  drop(database: string, name: string): boolean {
    const collection = this.find(database, name);
    if (collection === undefined) {
      return false;
    }
    this.storage.remove(CATALOG, Buffer.from(collection.namespace));
    this.databases.get(database)?.delete(name);
    this.dropped.push(collection.store, ...collection.indexes.map(({ store }) => store));
    return true;
  }

  /** Inside a write. Drops a collection of the target's name only when `dropTarget`. */
  rename(from: Collection, database: string, name: string): void {
    checkNamespace(database, name);
    this.storage.remove(CATALOG, Buffer.from(from.namespace));
    this.databases.get(from.database)?.delete(from.name);
    const moved = new Collection(database, name, from.uuid, from.store, from.indexes, this.storage, (it) =>
      this.save(it),
    );
    this.save(moved);
    this.add(moved);
  }

  /** Inside a write: adds the indexes that are not there. @throws DatabaseError, the write must then be abandoned. */
  createIndexes(collection: Collection, specs: readonly unknown[]): void {
    const built: Index[] = [];
    for (const given of specs) {
      const spec = completeSpec(given);
      if (!exists([...collection.indexes, ...built], spec)) {
        const index = buildIndex(this.takeStore(), spec);
        collection.fill(index);
        built.push(index);
      }
    }
    collection.indexes.push(...built);
    this.save(collection);
  }

  /** Inside a write. */
  dropIndex(collection: Collection, index: Index): void {
    collection.indexes.splice(collection.indexes.indexOf(index), 1);
    this.dropped.push(index.store);
    this.save(collection);
  }

  /** Inside a write: stores a changed index specification. */
  changeIndex(collection: Collection, index: Index, changes: Document): void {
    Object.assign(index.spec, changes);
    this.save(collection);
  }
}

function numberOf(value: unknown): number {
  return isNumber(value) ? toNumber(value) : Number.NaN;
}

/** @throws DatabaseError 73 for names MongoDB refuses. */
export function checkNamespace(database: string, name: string): void {
  const collection =
    name !== "" && !name.startsWith(".") && !name.endsWith(".") && !name.includes("$") && !name.includes("\0");
  if (
    !collection ||
    database === "" ||
    /[/\\. "$\0]/.test(database) ||
    Buffer.byteLength(`${database}.${name}`) > 255
  ) {
    throw new DatabaseError(73, `Invalid namespace specified '${database}.${name}'`);
  }
}
