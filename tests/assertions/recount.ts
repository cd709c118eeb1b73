import type { Db } from "../../src/db/db.js";
import type { Models } from "../../src/models/index.js";
import { missingDocuments } from "../../src/services/recount/missing.js";
import { recount } from "../../src/services/recount/recount.js";

/** Lists the counters of some models, or of all, that `npm run recount` finds wrong. */
export async function wrongCounters(db: Db, ...models: (keyof Models)[]): Promise<string[]> {
  const collections = models.map((name) => db[name].collection.collectionName);
  const wrong: string[] = [];
  for await (const { collection, id, field, stored, counted } of recount(db, { fix: false })) {
    if (models.length > 0 && !collections.includes(collection)) continue;
    wrong.push(`${field} of ${collection} ${id} is ${stored}, recount ${counted}`);
  }
  return wrong;
}

/** Lists completed purchases without an enrollment or without a day of sale. */
export async function missingRows(db: Db): Promise<string[]> {
  const missing: string[] = [];
  for await (const line of missingDocuments(db)) missing.push(line);
  return missing;
}

/** Lists all that `npm run recount` reports. */
export const allDifferences = async (db: Db): Promise<string[]> => [
  ...(await wrongCounters(db)),
  ...(await missingRows(db)),
];
