import type { ClientSession, QueryFilter, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { findIds } from "../../db/find-ids.js";
import { isObjectId } from "../../lib/fields.js";
import type { Course } from "../../models/courses/course.js";
import { allCoursesInReach, coursesInReach, reachesCourse } from "../../models/users/api-key.js";
import type { Manager } from "../../models/users/user.js";
import { CourseNotFound, NotTheOwner } from "../failures.js";

/** The facts of a manager that decide about courses. */
export type CourseManager = Pick<Manager, "userId" | "role" | "key">;

type OwnedCourse = Pick<Course, "_id" | "educatorId">;

declare const checked: unique symbol;

/** A course that the manager of a request may touch. Only `findManagedCourse` returns one. */
export type ManagedCourse<Fields extends OwnedCourse = OwnedCourse> = Fields & { readonly [checked]: true };

/** Filters the courses that a manager may touch: an educator's own, those of an API key, or all. */
export const managedCourses = ({ userId, role, key }: CourseManager): QueryFilter<Course> => ({
  ...(role === "educator" && { educatorId: userId }),
  ...coursesInReach(key),
});

/**
 * Filters the coupons, webhooks and API keys that a manager sees. An educator sees their own. An API key with `courseIds`
 * sees those that name only these courses.
 */
export const visibleTo = ({ userId, role, key }: CourseManager) => ({
  ...(role === "educator" && { createdBy: userId }),
  ...allCoursesInReach(key),
});

/**
 * Reads a course that a manager may touch. A course that an API key does not see is answered like a course of somebody
 * else to an educator, and like no course to an administrator.
 * @param projection fields to read, with `educatorId`; `{}` reads the whole course.
 * @throws CourseNotFound, also for a malformed id; NotTheOwner for an educator.
 */
export async function findManagedCourse<Fields extends OwnedCourse = OwnedCourse>(
  db: Db,
  courseId: string,
  { userId, role, key }: CourseManager,
  projection: Readonly<Record<string, 1>> = { educatorId: 1 },
  session: ClientSession | null = null,
): Promise<ManagedCourse<Fields>> {
  const isInReach = reachesCourse(key, courseId);
  const isPossible = isObjectId(courseId) && (isInReach || role === "educator");
  const course = isPossible
    ? await db.Course.findById(courseId, projection).session(session).lean<ManagedCourse<Fields>>()
    : null;
  if (!course) throw CourseNotFound();
  if (role === "educator" && (course.educatorId !== userId || !isInReach)) throw NotTheOwner();
  return course;
}

/** Returns the ids of some courses, each once; undefined when a manager may not touch all of them. */
export const findManagedCourseIds = (
  db: Db,
  courseIds: readonly string[],
  manager: CourseManager,
  session: ClientSession | null = null,
): Promise<Types.ObjectId[] | undefined> => findIds(db.Course, courseIds, managedCourses(manager), session);
