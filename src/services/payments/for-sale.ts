import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import type { Course } from "../../models/courses/course.js";
import type { CourseForSale } from "../../models/courses/course-queries.js";
import type { Path } from "../../models/paths/path.js";
import type { Purchase, Sold } from "../../models/payments/purchase.js";
import { findBuyerAndCourse } from "../../models/payments/purchase-queries.js";
import { type Buyer, buyerFields, buyerOf } from "../../models/users/user.js";
import { CourseNotFound, PathNotFound } from "../failures.js";

export const PathNotForSale = failure("path_not_for_sale", 409, "Path is not for sale");

/** A course, or a path with its courses, as it is sold now. */
export interface ForSale {
  readonly sold: Sold;
  readonly educatorId: string;
  readonly isPublished: boolean;
  /** Whether it has a price, and all that it gives is published. */
  readonly isOffered: boolean;
  readonly terms: Purchase["terms"];
}

/** What a learner asks for; one of the two. */
export interface WantedItem {
  readonly courseId?: string | undefined;
  readonly pathId?: string | undefined;
}

const idOf = (text: string | undefined) => (text !== undefined && isObjectId(text) ? new Types.ObjectId(text) : null);

/** @returns what is asked for. A malformed id of a path becomes one that no path has. */
export const soldOf = ({ courseId, pathId }: WantedItem): Sold =>
  pathId === undefined
    ? { courseId: idOf(courseId) }
    : { courseId: null, pathId: idOf(pathId) ?? new Types.ObjectId() };

/** Reads the buyer and what is sold. */
export async function findForSale(
  db: Db,
  userId: string,
  { courseId, pathId }: Sold,
  session: ClientSession | null = null,
): Promise<{ readonly buyer: Buyer | null; readonly item: ForSale | undefined }> {
  if (!pathId) {
    const { buyer, course } = await findBuyerAndCourse(db, userId, courseId, session ?? undefined);
    return { buyer, item: course && courseForSale(course) };
  }
  const user = await db.User.findById(userId, buyerFields).session(session).lean();
  const path = await db.Path.findById(pathId).session(session).lean<Path>();
  const courses = path ? await findCourses(db, path.courseIds, session) : [];
  return { buyer: user && buyerOf(user), item: path ? pathForSale(path, courses) : undefined };
}

type SoldCourse = Pick<Course, "_id" | "accessDays" | "isPublished">;

const findCourses = (db: Db, ids: readonly Types.ObjectId[], session: ClientSession | null): Promise<SoldCourse[]> =>
  db.Course.find({ _id: { $in: [...ids] } }, { accessDays: 1, isPublished: 1 })
    .session(session)
    .lean<SoldCourse[]>()
    .exec();

const courseForSale = ({ _id, isPublished, educatorId, ...course }: CourseForSale): ForSale => {
  const { courseTitle, coursePrice, discount, accessDays = null } = course;
  const terms = { courseTitle, coursePrice, discount, accessDays };
  return { sold: { courseId: _id }, educatorId, isPublished, isOffered: true, terms };
};

function pathForSale(path: Path, courses: readonly SoldCourse[]): ForSale {
  const { _id: pathId, educatorId, isPublished, title, price, courseIds, inOrder } = path;
  const courseOf = new Map(courses.map((course) => [String(course._id), course]));
  const items = courseIds.map((courseId) => ({
    courseId,
    accessDays: courseOf.get(String(courseId))?.accessDays ?? null,
  }));
  const isOffered = price !== null && courseIds.every((id) => courseOf.get(String(id))?.isPublished);
  const terms = { courseTitle: title, coursePrice: price ?? 0, discount: 0, accessDays: null, courses: items, inOrder };
  return { sold: { courseId: null, pathId }, educatorId, isPublished, isOffered, terms };
}

/**
 * @throws CourseNotFound unless the course is published or the user is its educator; PathNotFound unless the path is
 *   published; PathNotForSale.
 */
export function requireOnSale(item: ForSale | undefined, sold: Sold, userId: string): ForSale {
  const isOfPath = sold.pathId !== undefined;
  if (!item || (!item.isPublished && (isOfPath || item.educatorId !== userId)))
    throw isOfPath ? PathNotFound() : CourseNotFound();
  if (!item.isOffered) throw PathNotForSale();
  return item;
}
