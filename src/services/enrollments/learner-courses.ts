import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { chunk } from "../../lib/chunk.js";
import { inForce } from "../../models/enrollments/enrollment.js";
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
 * @param newest number of the newest enrollments to read; all of them by default.
 */
export async function learnerCourses(
  db: Db,
  outlines: CourseOutlines,
  userId: string,
  newest = 0,
): Promise<LearnerCourse[]> {
  const enrollments = await db.Enrollment.find({ userId, ...inForce() }, { _id: 0, courseId: 1 })
    .sort({ enrolledAt: -1 })
    .limit(newest)
    .lean();
  const courseIds = enrollments.map(({ courseId }) => courseId).reverse();
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
    db.CourseProgress.find(
      { userId, courseId: { $in: courseIds } },
      { _id: 0, courseId: 1, lectureCompleted: 1 },
    ).lean(),
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
