import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { insertOnce } from "../../db/insert-once.js";
import type { Deps } from "../../deps.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import type { Course } from "../../models/courses/course.js";
import type { Path } from "../../models/paths/path.js";
import { writeAccount } from "../../models/users/user.js";
import { requirePayable, storedPrice } from "../courses/create-course.js";
import { recordEvents } from "../events/record-event.js";
import { CourseNotFound, NotTheOwner } from "../failures.js";
import { findFreeSlug } from "../find-free-slug.js";

export const UnpublishedCourses = failure("unpublished_courses", 409, "Publish its courses first");
export const TooManyPaths = failure("too_many_paths", 409, "Too many paths");

const maxPathsPerEducator = 100;

export type NewPath = Pick<Path, "title" | "subtitle" | "description" | "inOrder" | "price" | "isPublished"> & {
  readonly courseIds: readonly string[];
};

/**
 * Stores a path.
 * @throws InvalidRequest (a price that cannot be paid), CourseNotFound, NotTheOwner, UnpublishedCourses, TooManyPaths.
 */
export function createPath(
  { db, config }: Pick<Deps, "db" | "config">,
  educatorId: string,
  { courseIds, ...form }: NewPath,
): Promise<Path> {
  const _id = new Types.ObjectId();
  const price = payablePrice(form.price, config.currency);
  return insertOnce(db, db.Path, { _id }, { mutex: `account:${educatorId}` }, async (session) => {
    const courses = await findPathCourses(db, educatorId, courseIds, session);
    if (form.isPublished) requirePublished(courses);
    // Every creation writes the account, so that none misses another.
    await writeAccount(db, educatorId, { $inc: { pathsAdded: 1 } }, session);
    if ((await db.Path.countDocuments({ educatorId }, { session })) >= maxPathsPerEducator) throw TooManyPaths();
    const { slug } = await findFreeSlug(db.Path, "path", { _id, title: form.title }, session);
    const fields = { ...form, _id, educatorId, price, courseIds: courses.map((course) => course._id), slugs: [slug] };
    await db.Path.create([fields], { session });
    const data = { pathId: _id, version: 1 };
    await recordEvents(db, session, form.isPublished ? [{ type: "path.published", data, educatorId }] : []);
    return db.Path.findById(_id).session(session).orFail().lean<Path>();
  });
}

/** @returns the price as it is stored. @throws InvalidRequest for a price that cannot be paid. */
export function payablePrice(price: number | null, currency: string): number | null {
  if (price === null) return null;
  const coursePrice = storedPrice(price, currency, "price");
  requirePayable({ coursePrice, discount: 0 }, currency, "price");
  return coursePrice;
}

type PathCourse = Pick<Course, "_id" | "educatorId" | "isPublished">;

/** Reads the courses of a path. @throws CourseNotFound, NotTheOwner: for the first course that the educator cannot name. */
export async function findPathCourses(
  db: Db,
  educatorId: string,
  courseIds: readonly (string | Types.ObjectId)[],
  session: ClientSession,
): Promise<PathCourse[]> {
  const ids = courseIds.map((courseId) => String(courseId).toLowerCase());
  const found = await db.Course.find({ _id: { $in: ids.filter(isObjectId) } }, { educatorId: 1, isPublished: 1 })
    .session(session)
    .lean<PathCourse[]>();
  const known = new Map(found.map((course) => [String(course._id), course]));
  return ids.map((courseId) => {
    const course = known.get(courseId);
    if (!course) throw CourseNotFound();
    if (course.educatorId !== educatorId) throw NotTheOwner();
    return course;
  });
}

/** @throws UnpublishedCourses */
export function requirePublished(courses: readonly PathCourse[]): void {
  if (!courses.every(({ isPublished }) => isPublished)) throw UnpublishedCourses();
}
