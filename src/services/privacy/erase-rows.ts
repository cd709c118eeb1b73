import { randomUUID } from "node:crypto";
import type { Db } from "../../db/db.js";
import type { Models } from "../../models/index.js";
import { anonymiseOwnRows, deleteOwnRows } from "../../models/own-rows.js";
import { treatments } from "./personal-data.js";

/** How many rows one command changes. */
const batch = 500;

/** In place of the id of an erased user. Random each time, so that rows cannot be joined by it. */
export const pseudonym = (): string => `deleted_${randomUUID().replaceAll("-", "")}`;

/** Deletes or anonymises what needs no step of its own, some rows at a time. Repeating it finds what is left. */
export async function eraseRows(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  for (const [name, treatment] of Object.entries(treatments)) {
    if (treatment.rows !== "removed" && treatment.rows !== "anonymised") continue;
    const own = { model: name as keyof Models, owner: treatment.owner };
    for (let more = true; more; ) {
      signal.throwIfAborted();
      if (treatment.rows === "removed") {
        more = await deleteOwnRows(db, own, userId, batch);
        continue;
      }
      // A user has one row for each target, so that one id for a whole batch keeps what is unique unique.
      const change = { to: pseudonym(), set: treatment.set ?? {}, limit: batch };
      more = await anonymiseOwnRows(db, own, userId, change);
    }
  }
}
