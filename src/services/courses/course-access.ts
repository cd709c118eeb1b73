import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import type { Course } from "../../models/courses/course.js";
import { findEnrollmentEnd } from "../../models/enrollments/enrollment-queries.js";
import { CourseNotFound } from "../failures.js";
import { NotTheOwner } from "./edit-course.js";

export type CourseOwner = Pick<Course, "_id" | "educatorId">;

export const CourseNotAccessible = failure("course_not_accessible", 403, "Access denied or course not found");

/** Reads only the ids of an educator's course. @throws CourseNotFound, NotTheOwner. */
export async function requireOwnCourse(db: Db, courseId: string, educatorId: string): Promise<CourseOwner> {
  const course = await db.Course.findById(courseId, { educatorId: 1 }).lean<CourseOwner>();
  if (!course) throw CourseNotFound();
  if (course.educatorId !== educatorId) throw NotTheOwner();
  return course;
}

/** Lets the educator of a course and its present learners pass. @throws CourseNotAccessible. */
export async function requireCourseAccess(db: Db, userId: string, courseId: string): Promise<void> {
  const _id = new Types.ObjectId(courseId);
  if (await findEnrollmentEnd(db, { userId, courseId: _id })) return;
  if (!(await db.Course.exists({ _id, educatorId: userId }))) throw CourseNotAccessible();
}
