import { randomUUID } from "node:crypto";
import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Models } from "../../models/index.js";
import { treatments } from "./personal-data.js";

/** How many rows one command changes. */
const batch = 500;

/** Stands for a person whom nobody can name any more. Random each time, so that rows cannot be joined by it. */
export const pseudonym = (): string => `deleted_${randomUUID().replaceAll("-", "")}`;

/** Deletes or anonymises what needs no step of its own, some rows at a time. Repeating it finds what is left. */
export async function eraseRows(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  for (const [name, treatment] of Object.entries(treatments)) {
    if (treatment.rows !== "removed" && treatment.rows !== "anonymised") continue;
    const collection = db[name as keyof Models].collection as unknown as mongo.Collection;
    const own = { [treatment.owner]: userId };
    for (;;) {
      signal.throwIfAborted();
      const rows = await collection.find(own, { projection: { _id: 1 }, limit: batch, batchSize: batch + 1 }).toArray();
      if (rows.length === 0) break;
      const some = { ...own, _id: { $in: rows.map(({ _id }) => _id) } };
      // A batch has one row of the person for each target, so that one id for all of them keeps what is unique unique.
      if (treatment.rows === "removed") await collection.deleteMany(treatment.owner === "_id" ? own : some);
      else await collection.updateMany(some, { $set: { ...treatment.set, [treatment.owner]: pseudonym() } });
    }
  }
}
