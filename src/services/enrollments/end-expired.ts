import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { recordEvents } from "../events/record-event.js";
import { removeLecturesOf } from "../learners/lecture-counts.js";
import { expiredFacts } from "./enrollment-facts.js";

/** Maximum number of enrollments of a course that end together. */
export const maxEndedTogether = 200;

type ExpiredEnrollment = Pick<Enrollment, "_id" | "userId" | "courseId">;
type EndedEnrollment = ExpiredEnrollment & Pick<Enrollment, "kind">;

/** Turns enrollments whose purchases have ended, but not their grants, into enrollments by grant. @returns how many. */
export async function turnIntoGrants(db: Db, outlived: readonly Pick<Enrollment, "_id">[]): Promise<number> {
  const now = new Date();
  const among = { _id: { $in: outlived.map(({ _id }) => _id) }, active: true, boughtUntil: { $lte: now } };
  const { modifiedCount } = await db.Enrollment.updateMany(
    // An enrollment that is over as a whole ends as what it was.
    { ...among, kind: { $in: ["purchase", "free"] }, $nor: [{ expiresAt: { $lte: now } }] },
    [{ $set: { kind: "grant", purchasedAt: "$enrolledAt" } }],
    { updatePipeline: true },
  );
  return modifiedCount;
}

/** Ends waiting grants whose time is over. They give no access, and a new grant replaces them, so they have no due date. */
export async function endWaitingGrants(db: Db): Promise<void> {
  await db.Grant.updateMany({ state: "waiting", expiresAt: { $lte: new Date() } }, { $set: { state: "ended" } });
}

/**
 * Ends enrollments of a course and their grants, whose time is over, so that the course no longer counts their learners.
 * The learners lost access at the moment of expiry. @returns how many enrollments were ended.
 */
export async function endExpired(db: Db, expired: readonly ExpiredEnrollment[]): Promise<number> {
  const [first] = expired;
  return first ? endInCourse(db, first.courseId, expired) : 0;
}

function endInCourse(db: Db, courseId: Types.ObjectId, expired: readonly ExpiredEnrollment[]): Promise<number> {
  return db.transaction(
    async (session) => {
      const now = new Date();
      const over = { _id: { $in: expired.map(({ _id }) => _id) }, active: true, expiresAt: { $lte: now } };
      // Leaves out enrollments that were extended meanwhile.
      const still = await db.Enrollment.find(over, { userId: 1, courseId: 1, kind: 1 })
        .session(session)
        .lean<EndedEnrollment[]>();
      if (still.length === 0) return 0;
      const ids = still.map(({ _id }) => _id);
      await db.Enrollment.updateMany(
        { _id: { $in: ids } },
        { $set: { active: false, grants: 0, revokedAt: now } },
        { session },
      );
      const grants = { userId: { $in: still.map(({ userId }) => userId) }, courseId, state: "active" as const };
      const facts = await expiredFacts(db, session, still);
      await db.Grant.updateMany(grants, { $set: { state: "ended" } }, { session });
      const learners = still.map(({ userId }) => ({ userId, courseId }));
      await removeLecturesOf(db, learners, session);
      await recordEvents(db, session, facts);
      await addCourseFigures(db, courseId, { totalEnrolledStudents: -still.length }, session);
      return still.length;
    },
    { mutex: `course:${courseId}` },
  );
}
