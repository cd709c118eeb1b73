import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { Models } from "../../models/index.js";

/** The revision is the sum over so many documents: changes that meet at one moment seldom write the same one. */
const parts = 8;
const partName = (part: number): string => `catalog:${part}`;
const partNames = Array.from({ length: parts }, (_, part) => partName(part));

/** Creates the documents, so that no transaction has to. Instances may start at the same moment. */
export async function createCatalogRevision({ CatalogRevision: Revisions }: Models): Promise<void> {
  for (const _id of partNames) await Revisions.updateOne({ _id }, { $setOnInsert: { revision: 0 } }, { upsert: true });
}

/**
 * Tells every instance that what the catalog shows of a course, other than its figures, or of an educator has changed.
 * Called in the transaction that changes it.
 */
export async function touchCatalog(db: Db, session: ClientSession): Promise<void> {
  const part = partName(Math.floor(Math.random() * parts));
  await bare(db.CatalogRevision).updateOne({ _id: part }, { $inc: { revision: 1 } }, { session });
}

/** Two equal answers mean that no change was committed in between. */
export async function readCatalogRevision(db: Db): Promise<number> {
  const found = await bare(db.CatalogRevision)
    .find({ _id: { $in: partNames } })
    .batchSize(2 * parts)
    .toArray();
  return found.reduce((sum, { revision }) => sum + revision, 0);
}
