import { LRUCache } from "lru-cache";

/**
 * Keeps the most recently used values by key, each built for one version of its source. A value of another version is
 * built again; callers that ask for the same key and version meanwhile share one build.
 */
export class VersionedCache<T> {
  readonly #values: LRUCache<string, { readonly version: string; readonly value: Promise<T> }>;

  constructor(max: number) {
    this.#values = new LRUCache({ max });
  }

  get(key: string, version: string, build: () => Promise<T>): Promise<T> {
    const cached = this.#values.get(key);
    if (cached?.version === version) return cached.value;
    const value = build();
    const entry = { version, value };
    this.#values.set(key, entry);
    value.catch(() => {
      if (this.#values.peek(key) === entry) this.#values.delete(key);
    });
    return value;
  }
}
