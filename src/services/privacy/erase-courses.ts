import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { anonymiseAudit } from "../audit/record-audit.js";
import { enrollmentEnd } from "../enrollments/enrollment-facts.js";
import { recordEvents } from "../events/record-event.js";
import { noFigures } from "../learners/learner-figures.js";
import { removeLecturesOf } from "../learners/lecture-counts.js";
import type { SaleDeps } from "../payments/settle-purchase.js";
import { eraseFromAudit, eraseSales } from "./erase-sales.js";
import { createPseudonym } from "./pseudonym.js";

type Pair = Pick<Enrollment, "userId" | "courseId">;

/**
 * Takes the user out of everything that counts in a course: purchases, grants, enrollment and rating go to a random id,
 * which is another one for each course. No sum of money changes, and a late refund finds its enrollment. The access ends, so
 * that the course counts a student less. The progress goes with it, and is no longer counted.
 */
export async function eraseFromCourses(deps: SaleDeps, userId: string, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  for (;;) {
    signal.throwIfAborted();
    const courseId = await findCourseOf(db, userId);
    if (!courseId) return;
    const own = { userId, courseId };
    await db.transaction((session) => eraseFromCourse(deps, own, session), { mutex: `course:${courseId}` });
  }
}

/** A course in which a user has bought, studied or rated; undefined when there is none left. */
async function findCourseOf(db: Db, userId: string): Promise<Types.ObjectId | undefined> {
  const fields = { courseId: 1 };
  const ofCourse = { userId, courseId: { $ne: null } };
  const found =
    (await db.Purchase.findOne(ofCourse, fields).lean()) ??
    (await db.Enrollment.findOne({ userId }, fields).lean()) ??
    (await db.CourseRating.findOne({ userId }, fields).lean()) ??
    (await db.Grant.findOne(ofCourse, fields).lean());
  return found?.courseId ?? undefined;
}

async function eraseFromCourse(deps: SaleDeps, own: Pair, session: ClientSession): Promise<void> {
  const { db } = deps;
  const pseudonym = createPseudonym();
  const grants = await eraseSales(deps, own, pseudonym, session);
  const options = { session, timestamps: false };
  // Purchases of paths have gone to other pseudonyms.
  const purchases = await db.Purchase.countDocuments({ ...own, userId: pseudonym, status: "completed" }).session(
    session,
  );
  const ended = { active: false, purchases, grants: 0, revokedAt: new Date() };
  const leaves = { $set: { ...noFigures, ...ended, userId: pseudonym } };
  const enrollment = await db.Enrollment.findOneAndUpdate(own, leaves, options).lean<Enrollment>();
  if (enrollment?.active) {
    await removeLecturesOf(db, [own], session);
    const grant = grants.find(({ state }) => state === "active");
    const { facts } = enrollmentEnd({ ...enrollment, ...own }, "erased", grant?._id);
    await recordEvents(db, session, facts);
    await addCourseFigures(db, own.courseId, { totalEnrolledStudents: -1 }, session);
  }
  await db.CourseProgress.deleteOne(own, { session });
  const rating = await db.CourseRating.findOneAndUpdate(own, { $set: { userId: pseudonym } }, options).lean();
  await eraseFromAudit(db, [...grants, enrollment], { userId: own.userId, to: pseudonym }, session);
  // The reason for hiding a review may name its author.
  const hidden = { targetKind: "review", targetIds: rating ? [String(rating._id)] : [] };
  await anonymiseAudit(db, hidden, undefined, session);
}
