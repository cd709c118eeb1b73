import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { chunk } from "../../lib/chunk.js";
import { findNewestCourseIds } from "../../models/enrollments/enrollment-queries.js";
import { findCompletedLectures } from "../../models/learning/course-progress.js";
import type { CourseOutline, CourseOutlines } from "../courses/course-outlines.js";

/** A course that a learner is enrolled in, and how far they are. */
export interface LearnerCourse extends CourseOutline {
  readonly totalLectures: number;
  readonly doneLectures: number;
  /** Whole percent of the course's current lectures. */
  readonly percent: number;
}

/** Courses of one query, because each may have thousands of lectures. */
const coursesPerQuery = 50;

/**
 * Reads a learner's courses in order of enrollment, oldest first.
 * @param newest how many of the newest enrollments to read; all of them by default.
 */
export async function learnerCourses(
  db: Db,
  outlines: CourseOutlines,
  userId: string,
  newest?: number,
): Promise<LearnerCourse[]> {
  const courseIds = (await findNewestCourseIds(db, userId, newest ?? 0)).reverse();
  const courses: LearnerCourse[] = [];
  for (const ids of chunk(courseIds, coursesPerQuery)) courses.push(...(await withProgress(db, outlines, userId, ids)));
  return courses;
}

async function withProgress(
  db: Db,
  outlines: CourseOutlines,
  userId: string,
  courseIds: readonly Types.ObjectId[],
): Promise<LearnerCourse[]> {
  const [courses, progress] = await Promise.all([
    outlines.find(courseIds),
    findCompletedLectures(db, userId, courseIds),
  ]);
  const done = new Map(progress.map(({ courseId, lectureCompleted }) => [String(courseId), lectureCompleted]));
  return courses.map((course) => {
    const completed = new Set(done.get(course.courseId));
    const totalLectures = course.lectures.length;
    const doneLectures = course.lectures.filter(({ lectureId }) => completed.has(lectureId)).length;
    const percent = totalLectures === 0 ? 0 : Math.round((doneLectures / totalLectures) * 100);
    return { ...course, totalLectures, doneLectures, percent };
  });
}
