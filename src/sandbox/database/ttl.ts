import type { Catalog } from "./catalog.js";
import type { Collection, Index } from "./collection.js";
import { rootScope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { toNumber } from "./numbers.js";
import { Effort, prepare } from "./query.js";
import { isNumber } from "./values.js";

const EVERY_MILLISECONDS = 60_000;
const REMOVED_AT_ONCE = 1000;

/** Removes what TTL indexes say is over at `now`, through the index itself; values that are no dates never are. */
export async function removeExpired(catalog: Catalog, now: Date): Promise<number> {
  let removed = 0;
  for (const collection of catalog.collections()) {
    for (const index of collection.indexes) {
      const seconds = index.spec.expireAfterSeconds;
      if (isNumber(seconds)) {
        removed += await removeOlder(catalog, collection, index, new Date(now.getTime() - toNumber(seconds) * 1000));
      }
    }
  }
  return removed;
}

async function removeOlder(catalog: Catalog, collection: Collection, index: Index, limit: Date): Promise<number> {
  const [field] = index.fields;
  const partial = index.spec.partialFilterExpression;
  const condition = { [field?.name ?? ""]: { $lte: limit } };
  const filter = compileFilter(partial === undefined ? condition : { $and: [condition, partial] }, rootScope());
  let removed = 0;
  for (;;) {
    const batch = await catalog.write(() => {
      if (catalog.find(collection.database, collection.name) !== collection) {
        return 0;
      }
      const found = [...prepare(collection, { filter, limit: REMOVED_AT_ONCE }).run(new Effort())];
      for (const one of found) {
        collection.remove(one);
      }
      return found.length;
    });
    removed += batch;
    if (batch < REMOVED_AT_ONCE) {
      return removed;
    }
  }
}

/** Looks once a minute, as MongoDB does. @returns the function that stops it. */
export function startExpiry(catalog: Catalog, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => removeExpired(catalog, new Date()).catch(onError), EVERY_MILLISECONDS);
  timer.unref();
  return () => clearInterval(timer);
}
