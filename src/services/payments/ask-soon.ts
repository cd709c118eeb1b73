import type { ClientSession, mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { Purchase } from "../../models/purchase.js";
import { mayMove } from "./purchase-states.js";

/**
 * Has the reconciler ask the provider about an unpaid purchase, unless the filter names another state, in its next run.
 * @returns whether there is one.
 */
export async function askSoon(db: Db, session: ClientSession, which: mongo.Filter<Purchase>): Promise<boolean> {
  const result = await bare(db.Purchase).updateOne(
    { ...mayMove("complete"), ...which },
    { $set: { nextCheckAt: new Date() } },
    { session },
  );
  return result.matchedCount > 0;
}
