import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import type { Path } from "../../models/paths/path.js";
import { purchaseStates } from "../../models/payments/purchase.js";
import type { CourseManager } from "../courses/managed-course.js";
import { recordEvents } from "../events/record-event.js";
import { findManagedPath } from "./managed-path.js";

export const PathHasLearners = failure("path_has_learners", 409, "Path has learners");

/**
 * Deletes a path that nobody has or had, with its certificate template. Who opens a purchase of it, or gives it, at the
 * same moment writes the path (`keepPath`), so that one of the two transactions runs again.
 * @throws PathNotFound, NotTheOwner, PathHasLearners.
 */
export function deletePath(db: Db, pathId: string, manager: CourseManager): Promise<void> {
  return db.transaction(async (session) => {
    const { _id, isPublished, version, educatorId } = await findManagedPath<Path>(db, pathId, manager, {}, session);
    if (await isInUse(db, _id, session)) throw PathHasLearners();
    await db.Path.deleteOne({ _id }, { session });
    await db.CertificateTemplate.deleteOne({ _id }, { session });
    const data = { pathId: _id, version: version + 1 };
    await recordEvents(db, session, isPublished ? [{ type: "path.unpublished", data, educatorId }] : []);
  });
}

const lastingStates = purchaseStates.filter((state) => state !== "failed");

/** Whether somebody holds or held a path, or has begun to buy it. */
async function isInUse(db: Db, pathId: Types.ObjectId, session: ClientSession): Promise<boolean> {
  const found =
    (await db.PathEnrollment.exists({ pathId }).session(session)) ??
    (await db.Grant.exists({ pathId, $or: [{ state: { $ne: "ended" } }, { userId: { $ne: null } }] }).session(
      session,
    )) ??
    (await db.Purchase.exists({ pathId, status: { $in: lastingStates } }).session(session));
  return found !== null;
}
