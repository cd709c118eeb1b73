import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { batchReads } from "../../lib/batch-reads.js";
import { type EnrolledCourse, findEnrolledCourses } from "../../models/courses/taught-courses.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { findActiveEnrollment } from "../../models/enrollments/enrollment-queries.js";
import { findLearners, findLearnersCourses, type LearnerCourses } from "../../models/users/learner-queries.js";
import { CourseNotAccessible } from "../courses/course-access.js";
import { type CourseFinder, publicChapters, viewCourse } from "../courses/course-view.js";
import { releasedChapters, releaseFor } from "../courses/release.js";
import { UserNotFound } from "../failures.js";
import { findCourseLock } from "../paths/course-lock.js";
import { findRating } from "../ratings/rate-course.js";
import { educatorOf } from "../users/user-cards.js";

/** Reads a learner's profile and courses. Every page asks for these as it opens, so concurrent requests share a query. */
export function createProfileReader(db: Db, findCourse: CourseFinder) {
  const find = batchReads((userIds) => findLearners(db, userIds));
  const findLearnerCourses = batchReads((userIds) => findLearnersCourses(db, userIds));
  const findEnrolledCourse = batchReads((courseIds) => findEnrolledCourses(db, courseIds));
  return {
    find,
    /** @throws UserNotFound */
    async listCourses(userId: string) {
      const found = await findLearnerCourses(userId);
      if (!found) throw UserNotFound();
      const courses = await Promise.all(found.enrollments.map(({ courseId }) => findEnrolledCourse(String(courseId))));
      return enrolledCourseItems(found, courses);
    },
    /** One course as its learner sees it. @throws CourseNotAccessible */
    async openCourse(userId: string, courseId: string) {
      const [enrollment, course, userRating] = await Promise.all([
        findActiveEnrollment(db, { userId: userId, courseId: new Types.ObjectId(courseId) }),
        findCourse(courseId),
        findRating(db, userId, courseId),
      ]);
      if (!enrollment || !course) throw CourseNotAccessible();
      const { _id, educatorId } = course;
      const lockedBy = await findCourseLock(db, enrollment, { courseId: _id, educatorId });
      const released = releasedChapters(course.courseContent, releaseFor(course, enrollment));
      const shown = lockedBy ? publicChapters(released) : released;
      const lock = lockedBy && { lockedBy };
      const courseData = { ...viewCourse(course, shown), ...endOf(enrollment), ...lock, userRating };
      const assessed = new Set(course.assessments?.map(({ chapterId }) => chapterId));
      const courseContent = courseData.courseContent.map((chapter) => ({
        ...chapter,
        hasAssessment: assessed.has(chapter.chapterId),
      }));
      return { courseData: { ...courseData, courseContent }, userRating };
    },
  };
}

const endOf = ({ expiresAt }: Pick<Enrollment, "expiresAt">) => (expiresAt ? { expiresAt } : {});

/** @param courses the course of each enrollment, in the same order. */
function enrolledCourseItems(
  { enrollments, ratings }: LearnerCourses,
  courses: readonly (EnrolledCourse | undefined)[],
) {
  const ratingOf = new Map(ratings.map(({ courseId, rating }) => [String(courseId), rating]));
  return enrollments.flatMap(({ courseId, ...ending }, index) => {
    const course = courses[index];
    if (!course) return [];
    return [
      {
        _id: course._id,
        title: course.courseTitle,
        thumbnail: course.courseThumbnail,
        price: course.coursePrice,
        educator: educatorOf(course),
        totalLectures: course.totalLectures,
        totalDurationMinutes: course.totalDurationMinutes,
        userRating: ratingOf.get(String(courseId)) ?? null,
        ...endOf(ending),
      },
    ];
  });
}
