import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { PathEnrollment } from "../../models/paths/path-enrollment.js";
import { ofPath } from "../../models/payments/purchase.js";
import { turnOfSale } from "../payments/sale-transaction.js";
import type { SaleDeps } from "../payments/settle-purchase.js";
import { eraseFromAudit, eraseSales } from "./erase-sales.js";
import { createPseudonym } from "./pseudonym.js";

/**
 * Takes the user out of everything that counts in a path: purchases, grants and the hold on the path go to a random id,
 * which is another one for each path. Call it before `eraseFromCourses`, which ends the access to the courses.
 */
export async function eraseFromPaths(deps: SaleDeps, userId: string, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  for (;;) {
    signal.throwIfAborted();
    const pathId = await findPathOf(db, userId);
    if (!pathId) return;
    const own = { userId, pathId };
    const turn = turnOfSale({ courseId: null, pathId });
    await db.transaction((session) => eraseFromPath(deps, own, session), turn);
  }
}

/** A path that a user has bought or got; undefined when there is none left. */
async function findPathOf(db: Db, userId: string): Promise<Types.ObjectId | undefined> {
  const fields = { pathId: 1 };
  const found =
    (await db.Purchase.findOne({ userId, ...ofPath }, fields).lean()) ??
    (await db.PathEnrollment.findOne({ userId }, fields).lean()) ??
    (await db.Grant.findOne({ userId, ...ofPath }, fields).lean());
  return found?.pathId;
}

async function eraseFromPath(
  deps: SaleDeps,
  own: Pick<PathEnrollment, "userId" | "pathId">,
  session: ClientSession,
): Promise<void> {
  const { db } = deps;
  const pseudonym = createPseudonym();
  const options = { session, timestamps: false };
  const grants = await eraseSales(deps, own, pseudonym, session);
  const leaves = { userId: pseudonym, active: false, grants: 0, revokedAt: new Date(), completedAt: null };
  const hold = await db.PathEnrollment.findOneAndUpdate(own, { $set: leaves }, options).lean<PathEnrollment>();
  if (hold?.active) await db.Path.updateOne({ _id: own.pathId }, { $inc: { learners: -1 } }, options);
  await eraseFromAudit(db, [...grants, hold], { userId: own.userId, to: pseudonym }, session);
}
