import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { couponUseOf, freeSlot, unfinishedSlot } from "../../models/payments/purchase.js";
import { anonymiseAudit } from "../audit/record-audit.js";
import { enrollmentEnd } from "../enrollments/enrollment-facts.js";
import { recordEvents } from "../events/record-event.js";
import { noFigures } from "../learners/learner-figures.js";
import { removeLecturesOf } from "../learners/lecture-counts.js";
import { erased } from "../payments/facts.js";
import { purchaseFact, type SaleDeps, settle } from "../payments/settle-purchase.js";
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
  const found =
    (await db.Purchase.findOne({ userId, courseId: { $ne: null } }, fields).lean()) ??
    (await db.Enrollment.findOne({ userId }, fields).lean()) ??
    (await db.CourseRating.findOne({ userId }, fields).lean()) ??
    (await db.Grant.findOne({ userId }, fields).lean());
  return found?.courseId ?? undefined;
}

async function eraseFromCourse(deps: SaleDeps, own: Pair, session: ClientSession): Promise<void> {
  const { db } = deps;
  const pseudonym = createPseudonym();
  const grants = await db.Grant.find(own, { state: 1 }).session(session).lean();
  for (const { _id } of await db.Purchase.find(own, { _id: 1 }).session(session).lean()) {
    await settle(deps, session, _id, purchaseFact(erased));
  }
  await anonymisePurchases(db, own, pseudonym, session);
  const options = { session, timestamps: false };
  const endedGrant = { userId: pseudonym, email: null, reason: "", state: "ended" as const };
  await db.Grant.updateMany(own, { $set: endedGrant }, options);
  const leaves = { $set: { ...noFigures, userId: pseudonym, active: false, grants: 0, revokedAt: new Date() } };
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
  // An entry with the ids of the grant or enrollment and of the user would identify the user.
  const about = {
    targetKind: "enrollment",
    targetIds: [...grants, ...(enrollment ? [enrollment] : [])].map(({ _id }) => String(_id)),
  };
  await anonymiseAudit(db, about, { userId: own.userId, to: pseudonym }, session);
  // The reason for hiding a review may name its author.
  const hidden = { targetKind: "review", targetIds: rating ? [String(rating._id)] : [] };
  await anonymiseAudit(db, hidden, undefined, session);
}

async function anonymisePurchases(db: Db, own: Pair, pseudonym: string, session: ClientSession): Promise<void> {
  const { userId, courseId } = own;
  const options = { session, timestamps: false };
  for (const slotOf of [unfinishedSlot, freeSlot]) {
    const slot = slotOf(pseudonym, courseId);
    await db.Purchase.updateOne({ slot: slotOf(userId, courseId) }, { $set: { slot } }, options);
  }
  const withCoupon = { ...own, couponUse: { $exists: true } };
  for (const { _id, coupon } of await db.Purchase.find(withCoupon, { coupon: 1 }).session(session).lean()) {
    const couponUse = couponUseOf(pseudonym, coupon?.code ?? "");
    await db.Purchase.updateOne({ _id }, { $set: { couponUse } }, options);
  }
  // An invoice needs the name of the buyer. An unpaid purchase has no invoice.
  const unpaid = [{ amount: 0 }, { status: { $in: ["created", "pending", "failed"] as const } }];
  await db.Purchase.updateMany({ ...own, $or: unpaid }, { $unset: { buyer: 1 } }, options);
  await db.Purchase.updateMany(own, { $set: { userId: pseudonym } }, options);
}
