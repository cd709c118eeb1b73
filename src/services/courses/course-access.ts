import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { findCourseLecture, findFilesAndRelease } from "../../models/courses/course-queries.js";
import type { CourseResource } from "../../models/courses/course-resource.js";
import { findActiveEnrollment } from "../../models/enrollments/enrollment-queries.js";
import { viewBlocks } from "../lessons/lecture-blocks.js";
import { findCourseLock } from "../paths/course-lock.js";
import { hide, releaseFor, requireOpenFile } from "./release.js";

export const CourseNotAccessible = failure("course_not_accessible", 403, "Access denied or course not found");

/**
 * Lets the educator of a course and its present learners download a file.
 * @throws CourseNotAccessible, CourseLocked, LectureNotOpen, and ResourceNotFound for a learner when no lecture names the
 *   file.
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
  const { educatorId } = course;
  const lockedBy = await findCourseLock(db, enrollment, { courseId: _id, educatorId });
  requireOpenFile(resourceId, course, enrollment, lockedBy !== undefined);
}

export const LectureNotFound = failure("lecture_not_found", 404, "Lecture not found");

interface LecturePath {
  readonly courseId: string;
  readonly lectureId: string;
}

/**
 * Finds one lecture of a course that a user is enrolled in, with the resources that its blocks name. A lecture that is
 * not open yet, or in a locked course, has neither video nor blocks.
 * @throws CourseNotAccessible, LectureNotFound.
 */
export async function findLecture(db: Db, userId: string, { courseId, lectureId }: LecturePath) {
  const pair = { userId, courseId: new Types.ObjectId(courseId) };
  const [enrollment, course, progress] = await Promise.all([
    findActiveEnrollment(db, pair),
    findCourseLecture(db, pair.courseId, lectureId),
    db.CourseProgress.findOne(pair, { lectureCompleted: 1 }).lean(),
  ]);
  if (!enrollment || !course) throw CourseNotAccessible();
  if (!course.found) throw LectureNotFound();
  const { chapter } = course.found;
  const opensAt = releaseFor(course, enrollment)(chapter, course.found.lecture);
  const { courseId: _id } = pair;
  const lockedBy = await findCourseLock(db, enrollment, { courseId: _id, educatorId: course.educatorId });
  const isHidden = opensAt || (lockedBy && !course.found.lecture.isPreviewFree);
  const lecture = isHidden ? hide(course.found.lecture) : course.found.lecture;
  const { blocks = [] } = lecture;
  const files = blocks.flatMap((block) => (block.kind === "file" ? [block.resourceId] : []));
  const resources =
    files.length > 0
      ? await db.CourseResource.find({ _id: { $in: files }, courseId, state: "stored" }).lean<CourseResource[]>()
      : [];
  const resourceOf = new Map(resources.map((resource) => [String(resource._id), resource]));
  return {
    ...lecture,
    chapterId: chapter.chapterId,
    opensAt,
    blocks: viewBlocks(blocks),
    resources: [...new Set(files)].flatMap((resourceId) => resourceOf.get(resourceId) ?? []),
    isCompleted: progress?.lectureCompleted.includes(lectureId) ?? false,
  };
}
