import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { distinct } from "../../lib/distinct.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { recordEvents } from "../events/record-event.js";
import { removeLecturesOf } from "../learners/lecture-counts.js";
import { expiredFacts } from "./enrollment-facts.js";

const batchSize = 200;

type ExpiredEnrollment = Pick<Enrollment, "_id" | "userId" | "courseId">;
type EndedEnrollment = ExpiredEnrollment & Pick<Enrollment, "kind">;

/**
 * Ends enrollments and grants whose time is over, so that courses no longer count their learners. The learners lost
 * access at the moment of expiry.
 * @returns how many enrollments were ended.
 */
export async function endExpired(db: Db, signal: AbortSignal): Promise<number> {
  let ended = 0;
  let found: ExpiredEnrollment[];
  do {
    found = await db.Enrollment.find({ active: true, expiresAt: { $lte: new Date() } }, { userId: 1, courseId: 1 })
      .sort({ expiresAt: 1 })
      .limit(batchSize)
      .lean<ExpiredEnrollment[]>();
    for (const courseId of distinct(found.map((one) => one.courseId))) {
      if (signal.aborted) return ended;
      const own = found.filter((one) => one.courseId.equals(courseId));
      ended += await endInCourse(db, courseId, own);
    }
  } while (found.length === batchSize && !signal.aborted);
  await turnIntoGrants(db);
  await db.Grant.updateMany({ state: "waiting", expiresAt: { $lte: new Date() } }, { $set: { state: "ended" } });
  return ended;
}

/** Turns an enrollment whose purchases have ended, but not its grant, into an enrollment by grant. */
async function turnIntoGrants(db: Db): Promise<void> {
  const outlived = { active: true, kind: { $in: ["purchase" as const, "free" as const] } };
  await db.Enrollment.updateMany(
    { ...outlived, boughtUntil: { $lte: new Date() } },
    [{ $set: { kind: "grant", purchasedAt: "$enrolledAt" } }],
    { updatePipeline: true },
  );
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
