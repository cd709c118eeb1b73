import type { ClientSession, mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { Enrollment } from "../../models/enrollment.js";
import type { Purchase } from "../../models/purchase.js";

type Bought = Pick<Purchase, "userId" | "courseId">;

/** Completed purchases of the learner and course. An enrollment older than this number was made by one. */
const purchases = { $ifNull: ["$purchases", { $cond: ["$active", 1, 0] }] };

/**
 * Counts one more completed purchase in the learner's enrollment in its course, and creates or reactivates it.
 * @returns whether it was active before: then this purchase was one too many.
 */
export async function enroll(db: Db, session: ClientSession, { userId, courseId }: Bought): Promise<boolean> {
  const now = new Date();
  const before = await change(
    db,
    session,
    { userId, courseId },
    { upsert: true },
    {
      purchases: { $add: [purchases, 1] },
      active: true,
      enrolledAt: { $cond: ["$active", "$enrolledAt", now] },
      revokedAt: null,
      createdAt: { $ifNull: ["$createdAt", now] },
      updatedAt: now,
    },
  );
  return before?.active ?? false;
}

/**
 * Takes one completed purchase out of the learner's enrollment in its course, which ends with the last of them.
 * @returns whether it ended by this call.
 */
export async function endEnrollment(db: Db, session: ClientSession, { userId, courseId }: Bought): Promise<boolean> {
  const now = new Date();
  const isLast = { $lte: [purchases, 1] };
  const before = await change(
    db,
    session,
    { userId, courseId },
    { upsert: false },
    {
      purchases: { $max: [0, { $subtract: [purchases, 1] }] },
      active: { $cond: [isLast, false, "$active"] },
      revokedAt: { $cond: [isLast, now, "$revokedAt"] },
      updatedAt: now,
    },
  );
  return before?.active === true && (before.purchases ?? 1) <= 1;
}

/** @returns the enrollment as it was before. */
function change(
  db: Db,
  session: ClientSession,
  pair: Bought,
  { upsert }: { upsert: boolean },
  fields: mongo.Document,
): Promise<Enrollment | null> {
  const options = { session, upsert, returnDocument: "before" } as const;
  return bare(db.Enrollment).findOneAndUpdate(pair, [{ $set: { ...fields, purchasedAt: null } }], options);
}
