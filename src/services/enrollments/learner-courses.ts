import type { Db } from "../../db/db.js";
import { chunk } from "../../lib/chunk.js";
import { type Enrollment, inForce } from "../../models/enrollments/enrollment.js";
import { type ActiveEnrollment, activeEnrollmentFields } from "../../models/enrollments/enrollment-queries.js";
import { type CourseOutline, findCourseOutlines } from "../ai/course-outlines.js";
import { openLectures } from "../courses/release.js";
import { countPresent } from "../learning/completion.js";
import { findCourseLocks } from "../paths/course-lock.js";

/** A course that a learner is enrolled in, and how far they are. */
export interface LearnerCourse extends CourseOutline {
  readonly totalLectures: number;
  readonly doneLectures: number;
  /** Whole percent of the course's current lectures. */
  readonly percent: number;
  /** The lectures that the learner may open, in order. Of a locked course they are the free previews. */
  readonly openLectures: CourseOutline["lectures"];
}

/** Courses of one query, because each may have thousands of lectures. */
const coursesPerQuery = 50;

/**
 * Reads a learner's courses in order of enrollment, oldest first.
 * @param newest number of the newest enrollments to read; all of them by default.
 */
export async function learnerCourses(db: Db, userId: string, newest = 0): Promise<LearnerCourse[]> {
  const enrollments = await db.Enrollment.find({ userId, ...inForce() }, { _id: 0, ...enrollmentFields })
    .sort({ enrolledAt: -1 })
    .limit(newest)
    .lean<EnrollmentInCourse[]>();
  const courses: LearnerCourse[] = [];
  for (const some of chunk(enrollments.reverse(), coursesPerQuery)) {
    courses.push(...(await withProgress(db, userId, some)));
  }
  return courses;
}

const enrollmentFields = { courseId: 1, ...activeEnrollmentFields };
type EnrollmentInCourse = ActiveEnrollment & Pick<Enrollment, "courseId">;

async function withProgress(
  db: Db,
  userId: string,
  enrollments: readonly EnrollmentInCourse[],
): Promise<LearnerCourse[]> {
  const courseIds = enrollments.map(({ courseId }) => courseId);
  const [courses, progress] = await Promise.all([
    findCourseOutlines(db, courseIds),
    db.CourseProgress.find(
      { userId, courseId: { $in: courseIds } },
      { _id: 0, courseId: 1, lectureCompleted: 1 },
    ).lean(),
  ]);
  const educatorOf = new Map(courses.map(({ courseId, release }) => [courseId, release.educatorId]));
  const owned = enrollments.map((one) => ({ ...one, educatorId: educatorOf.get(String(one.courseId)) ?? "" }));
  const locks = await findCourseLocks(db, userId, owned);
  const done = new Map(progress.map(({ courseId, lectureCompleted }) => [String(courseId), lectureCompleted]));
  const enrollmentOf = new Map(enrollments.map((enrollment) => [String(enrollment.courseId), enrollment]));
  return courses.map((course) => {
    const enrollment = enrollmentOf.get(course.courseId);
    const open: ReadonlySet<string> = enrollment
      ? openLectures(course.release, enrollment, locks.has(course.courseId))
      : new Set();
    const totalLectures = course.lectures.length;
    const present = new Set(course.lectures.map(({ lectureId }) => lectureId));
    const doneLectures = countPresent(done.get(course.courseId), present);
    const percent = totalLectures === 0 ? 0 : Math.round((doneLectures / totalLectures) * 100);
    const opened = course.lectures.filter(({ lectureId }) => open.has(lectureId));
    return { ...course, totalLectures, doneLectures, percent, openLectures: opened };
  });
}
