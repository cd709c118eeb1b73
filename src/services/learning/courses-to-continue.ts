import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { chunk } from "../../lib/chunk.js";
import type { Course } from "../../models/courses/course.js";
import { lectureIdsOf } from "../../models/courses/course-queries.js";
import { type Enrollment, isInForce } from "../../models/enrollments/enrollment.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import { countPresent } from "./completion.js";

/** Courses of one query, because each may have thousands of lectures. */
const coursesPerQuery = 5;

/**
 * Finds the courses that a learner has begun, has not completed and is still enrolled in, newest activity first. A
 * course without any progress is not begun.
 */
export async function findCoursesToContinue(db: Db, userId: string) {
  const begun = await db.CourseProgress.find({ userId, completed: false })
    .sort({ updatedAt: -1 })
    .lean<CourseProgress[]>();
  const courseIds = begun.map(({ courseId }) => courseId);
  const enrollments = await db.Enrollment.find(
    { userId, courseId: { $in: courseIds } },
    { courseId: 1, active: 1, expiresAt: 1 },
  ).lean<Pick<Enrollment, "courseId" | "active" | "expiresAt">[]>();
  const enrolled = enrollments.filter((enrollment) => isInForce(enrollment)).map(({ courseId }) => courseId);
  const courseOf = new Map<string, CourseToContinue>();
  for (const some of chunk(enrolled, coursesPerQuery)) {
    for (const course of await findCourses(db, some)) courseOf.set(String(course._id), course);
  }
  return begun.flatMap((progress) => {
    const course = courseOf.get(String(progress.courseId));
    const lastLectureId = progress.lastLectureId ?? progress.lectureCompleted.at(-1);
    if (!course || lastLectureId === undefined) return [];
    return [
      {
        courseId: course._id,
        courseTitle: course.courseTitle,
        courseThumbnail: course.courseThumbnail,
        lastLectureId,
        positionSeconds: progress.positionSeconds ?? 0,
        percent: percentDone(progress.lectureCompleted, course.lectureIds),
        lastActivityAt: progress.updatedAt,
      },
    ];
  });
}

interface CourseToContinue extends Pick<Course, "_id" | "courseTitle" | "courseThumbnail"> {
  readonly lectureIds: readonly string[];
}

async function findCourses(db: Db, courseIds: readonly Types.ObjectId[]): Promise<CourseToContinue[]> {
  const found = await db.Course.find(
    { _id: { $in: courseIds } },
    { courseTitle: 1, courseThumbnail: 1, "courseContent.chapterContent.lectureId": 1 },
  ).lean<Pick<Course, "_id" | "courseTitle" | "courseThumbnail" | "courseContent">[]>();
  return found.map(({ courseContent, ...course }) => ({ ...course, lectureIds: lectureIdsOf(courseContent) }));
}

/** Rounds, but returns 100 only when no lecture is missing. */
function percentDone(completed: readonly string[], lectureIds: readonly string[]): number {
  if (lectureIds.length === 0) return 0;
  const count = countPresent(completed, new Set(lectureIds));
  const percent = Math.round((count / lectureIds.length) * 100);
  return count < lectureIds.length ? Math.min(percent, 99) : percent;
}
