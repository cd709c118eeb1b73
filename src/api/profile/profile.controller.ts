import { Types } from "mongoose";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import { sharedFind } from "../../http/shared-reads.js";
import { failure } from "../../lib/errors.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { findEnrollmentEnd } from "../../models/enrollments/enrollment-queries.js";
import { findLearners, findLearnersCourses, type LearnerCourses } from "../../models/users/learner-queries.js";
import type { CourseCaches } from "../../services/courses/course-cache.js";
import type { LearnerCourse } from "../../services/courses/listed-courses.js";
import { UserNotFound } from "../../services/users/failures.js";
import { coursesToContinue } from "./continue.js";
import type { CourseParams } from "./profile.schemas.js";

/** The caller's own data is answered with 200 also when there is no record yet. */
export const UserNotFoundHere = failure("user_not_found_here", 200, "User Not Found");
export const CourseNotAccessible = failure("course_not_accessible", 403, "Access denied or course not found");

type Own = RouteRequest<undefined, undefined, undefined, "user">;

export function profileController({ db }: Deps, { courses, listed }: CourseCaches) {
  // A page asks for these as it opens: learners who come at once are read at once.
  const learnerOf = sharedFind((userIds) => findLearners(db, userIds));
  const coursesOf = sharedFind((userIds) => findLearnersCourses(db, userIds));

  return {
    async data({ viewer }: Own) {
      const learner = await learnerOf(viewer.id);
      if (!learner) throw UserNotFoundHere();
      return { user: { ...learner.user, enrolledCourses: learner.enrollments.map(({ courseId }) => courseId) } };
    },

    async enrolledCourses({ viewer }: Own) {
      const [found, known] = await Promise.all([coursesOf(viewer.id), listed.look()]);
      if (!found) throw UserNotFound();
      const courseIds = found.enrollments.map(({ courseId }) => String(courseId));
      return { enrolledCourses: enrolledCourseItems(found, await known.find(courseIds)) };
    },

    async player({ viewer, params }: RouteRequest<z.output<typeof CourseParams>, undefined, undefined, "user">) {
      const { courseId } = params;
      const [enrollment, courseData, rating] = await Promise.all([
        findEnrollmentEnd(db, { userId: viewer.id, courseId: new Types.ObjectId(courseId) }),
        courses.detail(courseId, { hidePaid: false }),
        db.CourseRating.findOne({ userId: viewer.id, courseId }, { rating: 1 }).lean(),
      ]);
      if (!enrollment || !courseData) throw CourseNotAccessible();
      const userRating = rating?.rating ?? null;
      return { courseData: { ...courseData, ...endOf(enrollment), userRating }, userRating };
    },

    async continue({ viewer }: Own) {
      return { courses: await coursesToContinue(db, viewer.id) };
    },
  };
}

type Ending = Pick<Enrollment, "expiresAt">;
const endOf = ({ expiresAt }: Ending) => (expiresAt ? { expiresAt } : {});

/** In the order of the enrollments. */
function enrolledCourseItems({ enrollments, ratings }: LearnerCourses, courses: ReadonlyMap<string, LearnerCourse>) {
  const ratingOf = new Map(ratings.map(({ courseId, rating }) => [String(courseId), rating]));
  return enrollments.flatMap(({ courseId, ...ending }) => {
    const course = courses.get(String(courseId));
    if (!course) return [];
    return [
      {
        _id: course._id,
        title: course.courseTitle,
        thumbnail: course.courseThumbnail,
        price: course.coursePrice,
        educator: course.educator,
        totalLectures: course.totalLectures,
        totalDurationMinutes: course.totalDurationMinutes,
        userRating: ratingOf.get(String(courseId)) ?? null,
        ...endOf(ending),
      },
    ];
  });
}
