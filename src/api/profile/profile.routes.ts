import { Types } from "mongoose";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { batchReads } from "../../lib/batch-reads.js";
import { failure } from "../../lib/errors.js";
import { type EnrolledCourse, findEnrolledCourses } from "../../models/courses/taught-courses.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { findActiveEnrollment } from "../../models/enrollments/enrollment-queries.js";
import { findLearners, findLearnersCourses, type LearnerCourses } from "../../models/users/learner-queries.js";
import { CourseNotAccessible } from "../../services/courses/course-access.js";
import { type CourseFinder, viewCourse } from "../../services/courses/course-view.js";
import { releasedChapters, releaseFor } from "../../services/courses/release.js";
import { UserNotFound } from "../../services/failures.js";
import { findCoursesToContinue } from "../../services/learning/courses-to-continue.js";
import { findRating } from "../../services/ratings/rate-course.js";
import { educatorOf } from "../../services/users/user-cards.js";
import { ContinueReply, EnrolledCoursesReply, PlayerReply, UserReply } from "./profile.schemas.js";

/** Status 200, because a user who has just signed up has no profile yet. */
const UserNotFoundHere = failure("user_not_found", 200, "User Not Found");

/** The caller's profile and courses. */
export function profileGroup({ db }: Deps, findCourse: CourseFinder): RouteGroup {
  // Every page asks for these as it opens, so concurrent requests share a query.
  const findLearner = batchReads((userIds) => findLearners(db, userIds));
  const findLearnerCourses = batchReads((userIds) => findLearnersCourses(db, userIds));
  const findEnrolledCourse = batchReads((courseIds) => findEnrolledCourses(db, courseIds));
  return {
    name: "user",
    base: "/api/user",
    routes: [
      route("get", "/data", {
        operationId: "getProfile",
        summary: "The caller's profile",
        access: "user",
        reply: UserReply,
        errors: [UserNotFoundHere],
        async handle({ viewer }) {
          const learner = await findLearner(viewer.id);
          if (!learner) throw UserNotFoundHere();
          return { user: { ...learner.user, enrolledCourses: learner.enrollments.map(({ courseId }) => courseId) } };
        },
      }),
      route("get", "/enrolled-courses", {
        operationId: "listEnrolledCourses",
        summary: "The caller's courses, oldest enrollment first",
        access: "user",
        reply: EnrolledCoursesReply,
        errors: [UserNotFound],
        async handle({ viewer }) {
          const found = await findLearnerCourses(viewer.id);
          if (!found) throw UserNotFound();
          const courses = await Promise.all(
            found.enrollments.map(({ courseId }) => findEnrolledCourse(String(courseId))),
          );
          return { enrolledCourses: enrolledCourseItems(found, courses) };
        },
      }),
      route("get", "/enrolled-courses/:courseId", {
        operationId: "getEnrolledCourse",
        summary: "One of the caller's courses, with every video URL",
        access: "user",
        reply: PlayerReply,
        errors: [CourseNotAccessible],
        async handle({ viewer, params }) {
          const { courseId } = params;
          const [enrollment, course, userRating] = await Promise.all([
            findActiveEnrollment(db, { userId: viewer.id, courseId: new Types.ObjectId(courseId) }),
            findCourse(courseId),
            findRating(db, viewer.id, courseId),
          ]);
          if (!enrollment || !course) throw CourseNotAccessible();
          const shown = releasedChapters(course.courseContent, releaseFor(course, enrollment));
          const courseData = { ...viewCourse(course, shown), ...endOf(enrollment), userRating };
          const assessed = new Set(course.assessments?.map(({ chapterId }) => chapterId));
          const courseContent = courseData.courseContent.map((chapter) => ({
            ...chapter,
            hasAssessment: assessed.has(chapter.chapterId),
          }));
          return { courseData: { ...courseData, courseContent }, userRating };
        },
      }),
      route("get", "/continue", {
        operationId: "listCoursesToContinue",
        stability: "beta",
        summary: "Courses that the caller has begun and not completed, newest activity first",
        access: "user",
        reply: ContinueReply,
        handle: async ({ viewer }) => ({ courses: await findCoursesToContinue(db, viewer.id) }),
      }),
    ],
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
