import type { Catalog } from "./catalog.js";
import { rootScope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { toNumber } from "./numbers.js";
import { Effort, prepare } from "./query.js";
import { isNumber } from "./values.js";

const REMOVED_AT_ONCE = 1000;

/** Removes what TTL indexes say is over at `now`, through the index itself; values that are no dates never are. */
export async function removeExpired(catalog: Catalog, now: Date): Promise<number> {
  let removed = 0;
  for (const { database, name, indexes } of catalog.collections()) {
    for (const { spec, fields, partial } of indexes) {
      if (!isNumber(spec.expireAfterSeconds)) continue;
      const limit = new Date(now.getTime() - toNumber(spec.expireAfterSeconds) * 1000);
      const over = { [fields[0]?.name ?? ""]: { $lte: limit } };
      const filter = compileFilter(partial ? { $and: [over, spec.partialFilterExpression] } : over, rootScope());
      for (let batch = REMOVED_AT_ONCE; batch === REMOVED_AT_ONCE; removed += batch) {
        batch = await catalog.write(() => {
          const collection = catalog.find(database, name);
          const found = [...prepare(collection, { filter, limit: REMOVED_AT_ONCE }).run(new Effort())];
          for (const one of found) collection?.remove(one);
          return found.length;
        });
      }
    }
  }
  return removed;
}
