import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { distinct } from "../../lib/distinct.js";
import { failure } from "../../lib/errors.js";
import type { Course } from "../../models/courses/course.js";
import { type Enrollment, isAhead } from "../../models/enrollments/enrollment.js";
import type { ActiveEnrollment } from "../../models/enrollments/enrollment-queries.js";
import type { Grant } from "../../models/enrollments/grant.js";
import { coursesOf, givingCourses, type Purchase } from "../../models/payments/purchase.js";
import { type AccessRun, type AccessSale, boughtAccess, saleFields, saleOfCourse } from "../enrollments/access.js";
import { findPathHoldings, type PathHolding } from "../enrollments/path-holdings.js";
import { findCompletedCourses } from "./complete-paths.js";

export const CourseLocked = failure("course_locked", 403, "Complete the previous course first");

/** The course that a learner has to complete before a locked one, and the path that says so. */
export interface LockedBy {
  readonly pathId: Types.ObjectId;
  readonly courseId: Types.ObjectId;
  readonly courseTitle: string;
}

/** An enrollment in force, and who owns its course if it may be the learner. */
type LockableCourse = Pick<ActiveEnrollment, "viaPath" | "courseCompletedAt"> & CourseOfEnrollment;
type CourseOfEnrollment = Pick<Enrollment, "courseId"> & Partial<Pick<Course, "educatorId">>;

/**
 * Finds which courses of a learner are locked. A course is, while paths in order alone give access to it, and in each of
 * them a course before it is not completed. It reads nothing without paths.
 * @returns the locked courses by their ids.
 */
export async function findCourseLocks(
  db: Db,
  userId: string,
  courses: readonly LockableCourse[],
  session: ClientSession | null = null,
): Promise<Map<string, LockedBy>> {
  const asked = courses.filter(
    ({ viaPath, courseCompletedAt, educatorId }) => viaPath && !courseCompletedAt && educatorId !== userId,
  );
  const [first, ...others] = asked;
  if (!first) return new Map();
  const courseIds = asked.map(({ courseId }) => courseId);
  const hasOther = await findOtherAccess(db, userId, courseIds, session);
  const which = others.length === 0 ? { courseId: first.courseId } : undefined;
  const holdings = await findPathHoldings(db, userId, which, session);
  const bound = courseIds.flatMap((courseId) => {
    const giving = holdings.filter((holding) => gives(holding, courseId));
    return hasOther(courseId) || giving.some(({ inOrder }) => !inOrder) ? [] : [{ courseId, giving }];
  });
  if (bound.length === 0) return new Map();
  const all = bound.flatMap(({ giving }) => giving);
  const completed = await findCompletedCourses(db, userId, all.flatMap(coursesIn), session);
  // An educator may have switched the order off since.
  const switchedOff = { _id: { $in: distinct(all.map(({ pathId }) => pathId)) }, inOrder: false };
  const free = new Set(
    (await db.Path.find(switchedOff, { _id: 1 }).session(session).lean()).map(({ _id }) => String(_id)),
  );
  const locks = bound.flatMap(({ courseId, giving }) => {
    const firstOpen = giving.map((holding) => ({
      pathId: holding.pathId,
      courseId: free.has(String(holding.pathId)) ? courseId : firstToComplete(holding, completed, courseId),
    }));
    const isLocked = firstOpen.every((open) => !open.courseId.equals(courseId));
    return firstOpen[0] && isLocked ? [{ locked: courseId, ...firstOpen[0] }] : [];
  });
  return withTitles(db, locks, session);
}

const coursesIn = ({ courses }: PathHolding): Types.ObjectId[] => courses.map(({ courseId }) => courseId);

/** Whether a holding gives access to a course now. */
const gives = ({ courses }: PathHolding, wanted: Types.ObjectId): boolean =>
  courses.some(({ courseId, until }) => courseId.equals(wanted) && isAhead(until));

/** The first course of a list that is not completed; the wanted one if it is completed. */
const firstToComplete = (holding: PathHolding, completed: ReadonlyMap<string, Date>, wanted: Types.ObjectId) =>
  completed.has(String(wanted))
    ? wanted
    : (coursesIn(holding).find((courseId) => !completed.has(String(courseId))) ?? wanted);

/** Finds for which courses a learner has access by a sale or a grant of the course itself. */
async function findOtherAccess(
  db: Db,
  userId: string,
  courseIds: readonly Types.ObjectId[],
  session: ClientSession | null,
) {
  const sold = { userId, status: "completed" as const, ...givingCourses(courseIds) };
  const sales = await db.Purchase.find(sold, saleFields)
    .session(session)
    .lean<(AccessSale & Pick<Purchase, "courseId">)[]>();
  const own = { userId, courseId: { $in: [...courseIds] } };
  const alone = { ...own, state: "active" as const, pathGrantId: { $exists: false } };
  const grants = await db.Grant.find(alone, { courseId: 1, expiresAt: 1 })
    .session(session)
    .lean<Pick<Grant, "courseId" | "expiresAt">[]>();
  return (wanted: Types.ObjectId): boolean => {
    const giving = sales.filter((sale) => coursesOf(sale).some((courseId) => courseId.equals(wanted)));
    const bought = boughtAccess(giving.map((sale) => saleOfCourse(sale, wanted)));
    const given = grants.filter(({ courseId }) => courseId?.equals(wanted));
    const isOwn = ({ sales: [sale], until }: AccessRun) => !sale?.pathId && isAhead(until);
    return bought?.runs.some(isOwn) || given.some(({ expiresAt }) => isAhead(expiresAt));
  };
}

async function withTitles(
  db: Db,
  locks: readonly (Pick<LockedBy, "pathId" | "courseId"> & { readonly locked: Types.ObjectId })[],
  session: ClientSession | null,
): Promise<Map<string, LockedBy>> {
  if (locks.length === 0) return new Map();
  const _id = { $in: distinct(locks.map(({ courseId }) => courseId)) };
  const found = await db.Course.find({ _id }, { courseTitle: 1 }).session(session).lean();
  const titleOf = new Map(found.map((course) => [String(course._id), course.courseTitle]));
  return new Map(
    locks.map(({ locked, pathId, courseId }) => [
      String(locked),
      { pathId, courseId, courseTitle: titleOf.get(String(courseId)) ?? "" },
    ]),
  );
}

/** Finds what locks a course for a learner who is enrolled in it; undefined when it is open. */
export const findCourseLock = async (
  db: Db,
  enrollment: ActiveEnrollment,
  course: CourseOfEnrollment,
  session: ClientSession | null = null,
): Promise<LockedBy | undefined> =>
  (await findCourseLocks(db, enrollment.userId, [{ ...enrollment, ...course }], session)).get(String(course.courseId));

/** @throws CourseLocked */
export async function requireUnlocked(...asked: Parameters<typeof findCourseLock>): Promise<void> {
  if (await findCourseLock(...asked)) throw CourseLocked();
}
