import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { distinct } from "../../lib/distinct.js";
import { inForceAt } from "../../models/enrollments/enrollment-queries.js";
import type { Grant } from "../../models/enrollments/grant.js";
import type { PathEnrollment } from "../../models/paths/path-enrollment.js";
import type { NewEvent } from "../events/record-event.js";
import { completePaths } from "../paths/complete-paths.js";
import { isPseudonym } from "../privacy/pseudonym.js";
import { type AccessSale, accessOf, saleFields, saleOfPath } from "./access.js";
import { findPathHoldings } from "./path-holdings.js";

type Hold = Pick<PathEnrollment, "userId" | "pathId">;

/**
 * Brings a learner's hold on a path, and the number of its learners, to the completed purchases and active grants that the
 * learner has of it now. Completes the path if its courses are. Call it in each transaction that adds or ends one, after the
 * enrollments in the courses. @returns the facts that the caller records after those of the enrollments.
 */
export async function holdPath(db: Db, session: ClientSession, { userId, pathId }: Hold): Promise<NewEvent[]> {
  const now = new Date();
  const sales = await db.Purchase.find({ userId, pathId, status: "completed" }, saleFields)
    .session(session)
    .lean<AccessSale[]>();
  const grants = await db.Grant.find({ userId, courseId: null, pathId, state: "active" }, { expiresAt: 1 })
    .session(session)
    .lean<Pick<Grant, "expiresAt">[]>();
  const { kind, purchasedAt: _since, ...access } = accessOf(sales.map(saleOfPath), grants, now);
  const active = access.active && !isPseudonym(userId);
  const wasInForce = inForceAt(now);
  const fields = {
    ...access,
    _id: { $ifNull: ["$_id", new Types.ObjectId()] },
    active,
    kind: kind ?? { $ifNull: ["$kind", "grant"] },
    enrolledAt: { $cond: [wasInForce, "$enrolledAt", now] },
    revokedAt: active ? null : { $cond: ["$active", now, { $ifNull: ["$revokedAt", now] }] },
    completedAt: { $ifNull: ["$completedAt", null] },
    createdAt: { $ifNull: ["$createdAt", now] },
    updatedAt: now,
  };
  const options = {
    session,
    upsert: true,
    setDefaultsOnInsert: false,
    timestamps: false,
    updatePipeline: true,
  } as const;
  const change = db.PathEnrollment.findOneAndUpdate({ userId, pathId }, [{ $set: fields }], options);
  const before = await change.lean<PathEnrollment | null>();
  await addLearners(db, session, pathId, Number(active) - Number(before?.active ?? false));
  if (!active) return [];
  const holdings = await findPathHoldings(db, userId, { pathId }, session);
  const courseId = { $in: distinct(holdings.flatMap(({ courses }) => courses.map((course) => course.courseId))) };
  // An attempt that began before looks at the order of the path from now on.
  await db.AssessmentAttempt.updateMany({ userId, courseId, state: "open" }, { $set: { viaPath: true } }, { session });
  return completePaths(db, session, userId, holdings);
}

async function addLearners(db: Db, session: ClientSession, _id: Types.ObjectId, learners: number): Promise<void> {
  if (learners !== 0) await db.Path.updateOne({ _id }, { $inc: { learners } }, { session, timestamps: false });
}

/**
 * Ends holds on a path and their grants, whose time is over. The learners lost access to the courses at the moment of
 * expiry. @returns how many were ended.
 */
export function endExpiredHolds(db: Db, expired: readonly Pick<PathEnrollment, "_id" | "pathId">[]): Promise<number> {
  const [first] = expired;
  if (!first) return Promise.resolve(0);
  const { pathId } = first;
  return db.transaction(
    async (session) => {
      const now = new Date();
      const over = { _id: { $in: expired.map(({ _id }) => _id) }, active: true, expiresAt: { $lte: now } };
      const still = await db.PathEnrollment.find(over, { userId: 1 }).session(session).lean<PathEnrollment[]>();
      const among = { _id: { $in: still.map(({ _id }) => _id) } };
      await db.PathEnrollment.updateMany(among, { $set: { active: false, grants: 0, revokedAt: now } }, { session });
      const users = { $in: still.map(({ userId }) => userId) };
      const grants = { userId: users, courseId: null, pathId, state: "active" as const };
      await db.Grant.updateMany(grants, { $set: { state: "ended" } }, { session });
      await addLearners(db, session, pathId, -still.length);
      return still.length;
    },
    { mutex: `path:${pathId}` },
  );
}
