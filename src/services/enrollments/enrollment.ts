import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Failure } from "../../lib/errors.js";
import { type Enrollment, isInForce } from "../../models/enrollments/enrollment.js";
import {
  addGrants,
  addPurchase,
  findActiveEnrollment,
  removePurchase,
  storeAccess,
} from "../../models/enrollments/enrollment-queries.js";
import type { CourseGrant, Grant } from "../../models/enrollments/grant.js";
import { givingCourses, type Purchase } from "../../models/payments/purchase.js";
import { type NewEvent, recordEvents } from "../events/record-event.js";
import { pairKey } from "../learners/lecture-counts.js";
import { startLearning } from "../learners/start-learning.js";
import { isPseudonym } from "../privacy/pseudonym.js";
import { type AccessSale, accessOf, completionOf, saleFields, saleOfCourse } from "./access.js";
import {
  activatedFacts,
  type EnrollmentEnd,
  enrollmentEnd,
  expiredFacts,
  grantedFacts,
  notEnded,
  overdue,
} from "./enrollment-facts.js";

type Pair = Pick<Enrollment, "userId" | "courseId">;
type Sale = AccessSale & Pick<Purchase, "_id" | "userId" | "isOwn">;

/** An enrollment before it was changed. */
export interface EnrollmentBefore {
  /** Whether the number of the course's students stays: it included the learner before, or leaves out an erased user. */
  readonly counted: boolean;
  /** Whether the learner has other completed purchases that give the course. */
  readonly hasOtherSales: boolean;
  /** Reports the enrollment if the learner had no access, and first the end of an access whose time was over. */
  readonly facts: readonly NewEvent[];
}

/**
 * Adds a completed purchase, of a course or of a path that holds it, to the learner's enrollment in the course. Creates,
 * reactivates or extends the enrollment. Only who was enrolled before, or teaches the course, can have worked in it.
 */
export async function enroll(
  db: Db,
  session: ClientSession,
  sale: Sale,
  courseId: Types.ObjectId,
): Promise<EnrollmentBefore> {
  const { _id, userId, pathId } = sale;
  const [newId, isErased, pair] = [new Types.ObjectId(), isPseudonym(userId), { userId, courseId }];
  const own = saleOfCourse(sale, courseId);
  const alone = accessOf([own], [], completionOf(own));
  const added = { ...alone, newId, isErased, viaPath: pathId !== undefined };
  const before = await addPurchase(db, pair, added, session);
  const sales = before && before.purchases !== 0 ? await findSales(db, session, pair) : [];
  const others = sales.filter((one) => !one._id.equals(_id));
  // The job ends an access that is over already, as it does after a single sale: what was counted is taken back there.
  if (others.length > 0) await recountAccess(db, session, pair, [...others, own], { isActive: !isErased });
  const isCounted = before?.active ?? false;
  const state = { counted: isCounted || isErased, hasOtherSales: others.length > 0 };
  if (before && isInForce(before)) return { ...state, facts: [] };
  const hasWorked = before !== null || sale.isOwn === true;
  const completed = hasWorked && !isErased ? await startLearning(db, [{ userId, courseId, isCounted }], session) : [];
  const expired = await expiredFacts(db, session, overdue(before ? [before] : []));
  const kind = alone.kind ?? "purchase";
  const begun = activatedFacts({ enrollmentId: before?._id ?? newId, userId, courseId, kind });
  return { ...state, facts: [...expired, ...begun, ...completed] };
}

/** Fields of an enrollment that tell whether a grant begins an access. */
export const countedFields = { userId: 1, courseId: 1, kind: 1, active: 1, expiresAt: 1 } as const;
export type CountedEnrollment = Pick<Enrollment, "_id" | keyof typeof countedFields>;

/**
 * Enrolls learners by grants, and counts them in their courses. Call it last in a transaction.
 * @param counted enrollments of the learners that the courses count already, read just now. Their time may be over.
 */
export async function enrollByGrants(
  db: Db,
  session: ClientSession,
  grants: readonly CourseGrant[],
  counted: readonly CountedEnrollment[],
): Promise<void> {
  if (grants.length === 0) return;
  await addGrants(db, grants, session);
  const enrollmentOf = new Map(counted.map((enrollment) => [pairKey(enrollment), enrollment]));
  const first = new Map([...grants].reverse().map((grant) => [pairKey(grant), grant]));
  const begun = grants.filter((grant) => {
    const enrollment = enrollmentOf.get(pairKey(grant));
    return first.get(pairKey(grant)) === grant && !(enrollment && isInForce(enrollment));
  });
  const beginnings = begun.map((grant) => ({ ...grant, isCounted: enrollmentOf.has(pairKey(grant)) }));
  const completed = await startLearning(db, beginnings, session);
  const expired = await expiredFacts(db, session, overdue(counted));
  await recordEvents(db, session, [...expired, ...begun.flatMap(grantedFacts), ...completed]);
  const students = new Map<string, number>();
  for (const { courseId, isCounted } of beginnings) {
    if (!isCounted) students.set(String(courseId), (students.get(String(courseId)) ?? 0) + 1);
  }
  for (const number of new Set(students.values())) {
    const _id = { $in: [...students].flatMap(([courseId, added]) => (added === number ? [courseId] : [])) };
    const more = { $inc: { totalEnrolledStudents: number } };
    await db.Course.updateMany({ _id }, more, { session, timestamps: false });
  }
}

/**
 * Takes a purchase that is no longer completed out of the learner's enrollment in its course. The enrollment ends with the
 * last purchase or grant that gives access. The caller takes the completed lectures of what has ended out of the numbers.
 */
export async function endPurchase(
  db: Db,
  session: ClientSession,
  { userId, courseId }: Pair,
  reason: "refund" | "revoked",
): Promise<EnrollmentEnd> {
  const before = await removePurchase(db, { userId, courseId }, session);
  if (!before) return notEnded;
  if (before.purchases > 1 || before.grants > 0)
    return recountEnrollment(db, session, { userId, courseId }, { reason });
  return before.active ? enrollmentEnd(before, reason, undefined) : notEnded;
}

/**
 * Recounts the completed purchases and active grants of an enrollment, after a purchase or a grant has gone. The caller does
 * as after `endPurchase`. @param why `grantId`: the grant that has gone.
 */
export async function recountEnrollment(
  db: Db,
  session: ClientSession,
  pair: Pair,
  why: { reason: "refund" | "revoked"; grantId?: Types.ObjectId },
): Promise<EnrollmentEnd> {
  const { access, before, grants } = await recountAccess(db, session, pair, await findSales(db, session, pair));
  if (access.active || !before?.active) return notEnded;
  return enrollmentEnd(before, why.reason, why.grantId ?? grants[0]?._id);
}

async function findSales(db: Db, session: ClientSession, { userId, courseId }: Pair): Promise<Sale[]> {
  const sold = { userId, status: "completed" as const, ...givingCourses([courseId]) };
  const sales = await db.Purchase.find(sold, saleFields).session(session).lean<Sale[]>();
  return sales.map((sale) => saleOfCourse(sale, courseId));
}

/**
 * Stores what completed purchases and active grants give. The purchases of an erased user give no access.
 * @param options `isActive`: the enrollment is active even when its time is over.
 */
async function recountAccess(
  db: Db,
  session: ClientSession,
  pair: Pair,
  sales: readonly AccessSale[],
  { isActive = false }: { isActive?: boolean } = {},
) {
  const { userId, courseId } = pair;
  const grants = await db.Grant.find({ userId, courseId, state: "active" }, { expiresAt: 1 })
    .session(session)
    .lean<Pick<Grant, "_id" | "expiresAt">[]>();
  const found = accessOf(sales, grants, new Date());
  const access = { ...found, active: (found.active || isActive) && !isPseudonym(userId) };
  return { access, grants, before: await storeAccess(db, pair, access, session) };
}

/** Whether a learner is enrolled in a course now. It is read anew each time: purchases, refunds and expiries count at once. */
export async function isEnrolled(db: Db, userId: string, courseId: string | Types.ObjectId): Promise<boolean> {
  return (await findActiveEnrollment(db, { userId, courseId: new Types.ObjectId(courseId) })) !== undefined;
}

/** @throws `refused` unless the learner is enrolled, or `missing` when there is no such course. */
export async function requireEnrolled(
  db: Db,
  { userId, courseId }: { userId: string; courseId: string | Types.ObjectId },
  { missing, refused }: Record<"missing" | "refused", Failure>,
): Promise<void> {
  if (await isEnrolled(db, userId, courseId)) return;
  throw (await db.Course.exists({ _id: courseId })) ? refused() : missing();
}
