import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { findFilesAndRelease } from "../../models/courses/course-queries.js";
import { findActiveEnrollment } from "../../models/enrollments/enrollment-queries.js";
import { requireOpenFile } from "./release.js";

export const CourseNotAccessible = failure("course_not_accessible", 403, "Access denied or course not found");

/**
 * Lets the educator of a course and its present learners download a file.
 * @throws CourseNotAccessible, LectureNotOpen, and ResourceNotFound for a learner when no lecture names the file.
 */
export async function requireFileAccess(
  db: Db,
  userId: string,
  { courseId, resourceId }: { courseId: string; resourceId: string },
): Promise<void> {
  const _id = new Types.ObjectId(courseId);
  const [course, enrollment] = await Promise.all([
    findFilesAndRelease(db, _id),
    findActiveEnrollment(db, { userId, courseId: _id }),
  ]);
  if (course?.educatorId === userId) return;
  if (!course || !enrollment) throw CourseNotAccessible();
  requireOpenFile(resourceId, course, enrollment);
}
