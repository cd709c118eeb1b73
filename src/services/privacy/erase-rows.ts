import { randomUUID } from "node:crypto";
import type { Db } from "../../db/db.js";
import { userOwnedCollections } from "../../models/index.js";
import { anonymiseUserOwnedRows, deleteUserOwnedRows } from "../../models/user-owned-rows.js";

/** How many rows one command changes. */
const batch = 500;

/** In place of the id of an erased user. Random each time, so that rows cannot be joined by it. */
export const createPseudonym = (): string => `deleted_${randomUUID().replaceAll("-", "")}`;

/** Deletes or anonymises the rows that need no step of their own, in batches. A repetition finds what is left. */
export async function eraseRows(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  for (const collection of userOwnedCollections) {
    const { erasure } = collection;
    const eraseBatch = async (): Promise<boolean> => {
      if (erasure === "delete") return deleteUserOwnedRows(db, collection, userId, batch);
      if (erasure === "ownStep" || "keep" in erasure) return false;
      const set = erasure.anonymise;
      // A user has one row for each target, so that one pseudonym for a batch keeps unique keys unique.
      return anonymiseUserOwnedRows(db, collection, userId, { pseudonym: createPseudonym(), set, limit: batch });
    };
    do signal.throwIfAborted();
    while (await eraseBatch());
  }
}
