import type { Db } from "../../db/db.js";
import type { Course } from "../../models/courses/course.js";
import { lectureIdsOf } from "../../models/courses/course-queries.js";
import { type Enrollment, inForce } from "../../models/enrollments/enrollment.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";

/**
 * Courses that a learner has begun, has not completed and is still enrolled in, newest activity first. A course without
 * any progress is not begun and not among them.
 */
export async function coursesToContinue(db: Db, userId: string) {
  const begun = await db.CourseProgress.find({ userId, completed: false })
    .sort({ updatedAt: -1 })
    .lean<CourseProgress[]>();
  const courseIds = begun.map(({ courseId }) => courseId);
  const [enrollments, courses] = await Promise.all([
    db.Enrollment.find({ userId, courseId: { $in: courseIds }, ...inForce() }, { courseId: 1 }).lean<
      Pick<Enrollment, "courseId">[]
    >(),
    db.Course.find(
      { _id: { $in: courseIds } },
      { courseTitle: 1, courseThumbnail: 1, "courseContent.chapterContent.lectureId": 1 },
    ).lean<Pick<Course, "_id" | "courseTitle" | "courseThumbnail" | "courseContent">[]>(),
  ]);
  const enrolled = new Set(enrollments.map(({ courseId }) => String(courseId)));
  const courseOf = new Map(courses.map((course) => [String(course._id), course]));
  return begun.flatMap((progress) => {
    const course = courseOf.get(String(progress.courseId));
    const lastLectureId = progress.lastLectureId ?? progress.lectureCompleted.at(-1);
    if (!course || lastLectureId === undefined || !enrolled.has(String(progress.courseId))) return [];
    return [
      {
        courseId: course._id,
        courseTitle: course.courseTitle,
        courseThumbnail: course.courseThumbnail,
        lastLectureId,
        positionSeconds: progress.positionSeconds ?? 0,
        percent: percentDone(progress.lectureCompleted, lectureIdsOf(course.courseContent)),
        lastActivityAt: progress.updatedAt,
      },
    ];
  });
}

/** Rounded, but 100 only when nothing is missing. */
function percentDone(completed: readonly string[], lectureIds: readonly string[]): number {
  if (lectureIds.length === 0) return 0;
  const done = new Set(completed);
  const count = lectureIds.filter((lectureId) => done.has(lectureId)).length;
  const percent = Math.round((count / lectureIds.length) * 100);
  return count < lectureIds.length ? Math.min(percent, 99) : percent;
}
