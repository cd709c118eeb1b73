import type { Db } from "../../db/db.js";
import { type UserOwnedCollection, userOwnedCollections } from "../../models/index.js";
import { rowsOf } from "../../models/user-owned-rows.js";
import { createPseudonym } from "./pseudonym.js";

/** Rows that one command changes. */
const batchSize = 500;

/** Deletes or anonymises the rows that need no step of their own, in batches. A repetition finds what is left. */
export async function eraseRows(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  for (const collection of userOwnedCollections) {
    do signal.throwIfAborted();
    while (await eraseBatch(db, collection, userId));
  }
}

/** @returns whether there may be more rows of the user. */
async function eraseBatch(db: Db, collection: UserOwnedCollection, userId: string): Promise<boolean> {
  const { erasure, owner } = collection;
  if (erasure === "ownStep" || (erasure !== "delete" && "keep" in erasure)) return false;
  const rows = rowsOf(db, collection);
  const found = await rows
    .find({ [owner]: userId }, { _id: 1 })
    .limit(batchSize)
    .lean();
  if (found.length === 0) return false;
  const own = { _id: { $in: found.map(({ _id }) => _id) }, [owner]: userId };
  if (erasure === "delete") await rows.deleteMany(own);
  // A user has one row for each target, so that one pseudonym for a batch keeps unique keys unique.
  else
    await rows.updateMany(own, { $set: { ...erasure.anonymise, [owner]: createPseudonym() } }, { timestamps: false });
  return found.length === batchSize;
}
