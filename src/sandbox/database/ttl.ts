import type { Catalog } from "./catalog.js";
import { rootScope } from "./expressions.js";
import { toNumber } from "./numbers.js";
import { Effort, prepare } from "./query.js";
import { isNumber } from "./values.js";

/** Of each index, so that a write stays short; what is left goes the next time. */
const REMOVED_AT_ONCE = 5000;

/** Removes what TTL indexes say is over at `now`, through the index itself; values that are no dates never are. */
export async function removeExpired(catalog: Catalog, now: Date): Promise<number> {
  let removed = 0;
  for (const { definition, indexes } of catalog.collections()) {
    for (const { spec, fields } of indexes.filter(({ spec }) => isNumber(spec.expireAfterSeconds))) {
      const seconds = isNumber(spec.expireAfterSeconds) ? toNumber(spec.expireAfterSeconds) : 0;
      const over = { [fields[0]?.name ?? ""]: { $lte: new Date(now.getTime() - seconds * 1000) } };
      const filter = { $and: [over, spec.partialFilterExpression ?? {}] };
      removed += await catalog.write(() => {
        const collection = catalog.find(definition.database, definition.name);
        const found = [...prepare(collection, { filter, limit: REMOVED_AT_ONCE }, rootScope()).run(new Effort())];
        for (const one of found) collection?.remove(one);
        return found.length;
      });
    }
  }
  return removed;
}
