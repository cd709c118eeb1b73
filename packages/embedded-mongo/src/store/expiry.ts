import { toNumber } from "../language/numbers.js";
import { Effort, prepare } from "../language/query.js";
import { isNumber } from "../language/values.js";
import type { Catalog } from "./catalog.js";

/** Documents of an index that one write removes. */
const REMOVED_AT_ONCE = 5000;

/** Removes documents that expired before `now`, through their TTL index. A value that is no date never expires. */
export async function removeExpired(catalog: Catalog, now: Date): Promise<number> {
  let removed = 0;
  for (const { definition, indexes } of catalog.collections()) {
    for (const { spec, fields, store } of indexes.filter(({ spec }) => isNumber(spec.expireAfterSeconds))) {
      const seconds = isNumber(spec.expireAfterSeconds) ? toNumber(spec.expireAfterSeconds) : 0;
      const over = { [fields[0]?.name ?? ""]: { $lte: new Date(now.getTime() - seconds * 1000) } };
      const filter = { $and: [over, spec.partialFilterExpression ?? {}] };
      removed += await catalog.storage.write(() => {
        const collection = catalog.find(definition.database, definition.name);
        if (!collection?.indexes.some((index) => index.store === store)) return 0; // the index was dropped in the meantime
        const found = [...prepare(collection, { filter, limit: REMOVED_AT_ONCE }).run(new Effort())];
        for (const one of found) collection.remove(one);
        return found.length;
      });
    }
  }
  return removed;
}
