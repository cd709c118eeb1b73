import { Types } from "mongoose";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import { batchReads } from "../../lib/batch-reads.js";
import { failure } from "../../lib/errors.js";
import { findOwnCourses, type OwnCourse } from "../../models/courses/course-queries.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { findEnrollmentEnd } from "../../models/enrollments/enrollment-queries.js";
import { findLearners, findLearnersCourses, type LearnerCourses } from "../../models/users/learner-queries.js";
import type { ReadCourse } from "../../services/courses/course-view.js";
import { UserNotFound } from "../../services/failures.js";
import { educatorOf } from "../../services/users/user-cards.js";
import { findCoursesToContinue } from "./continue.js";
import type { CourseParams } from "./profile.schemas.js";

/** The caller's own data is 200 also before there is a record. */
export const UserNotFoundHere = failure("user_not_found_here", 200, "User Not Found");
export const CourseNotAccessible = failure("course_not_accessible", 403, "Access denied or course not found");

type Own = RouteRequest<undefined, undefined, undefined, "user">;

export function profileController({ db }: Deps, readCourse: ReadCourse) {
  // Every page asks for these as it opens, so concurrent requests share a query.
  const findLearner = batchReads((userIds) => findLearners(db, userIds));
  const findLearnerCourses = batchReads((userIds) => findLearnersCourses(db, userIds));
  const findOwnCourse = batchReads((courseIds) => findOwnCourses(db, courseIds));

  return {
    async data({ viewer }: Own) {
      const learner = await findLearner(viewer.id);
      if (!learner) throw UserNotFoundHere();
      return { user: { ...learner.user, enrolledCourses: learner.enrollments.map(({ courseId }) => courseId) } };
    },

    async enrolledCourses({ viewer }: Own) {
      const found = await findLearnerCourses(viewer.id);
      if (!found) throw UserNotFound();
      const courses = await Promise.all(found.enrollments.map(({ courseId }) => findOwnCourse(String(courseId))));
      return { enrolledCourses: enrolledCourseItems(found, courses) };
    },

    async player({ viewer, params }: RouteRequest<z.output<typeof CourseParams>, undefined, undefined, "user">) {
      const { courseId } = params;
      const [enrollment, courseData, rating] = await Promise.all([
        findEnrollmentEnd(db, { userId: viewer.id, courseId: new Types.ObjectId(courseId) }),
        readCourse(courseId, { hidePaid: false }),
        db.CourseRating.findOne({ userId: viewer.id, courseId }, { rating: 1 }).lean(),
      ]);
      if (!enrollment || !courseData) throw CourseNotAccessible();
      const userRating = rating?.rating ?? null;
      return { courseData: { ...courseData, ...endOf(enrollment), userRating }, userRating };
    },

    async continue({ viewer }: Own) {
      return { courses: await findCoursesToContinue(db, viewer.id) };
    },
  };
}

type Ending = Pick<Enrollment, "expiresAt">;
const endOf = ({ expiresAt }: Ending) => (expiresAt ? { expiresAt } : {});

/** @param courses the course of each enrollment, in the same order. */
function enrolledCourseItems({ enrollments, ratings }: LearnerCourses, courses: readonly (OwnCourse | undefined)[]) {
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
