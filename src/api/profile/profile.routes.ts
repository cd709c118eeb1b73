import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { CourseNotAccessible } from "../../services/courses/course-access.js";
import type { CourseFinder } from "../../services/courses/course-view.js";
import { createProfileReader } from "../../services/enrollments/profile-reader.js";
import { UserNotFound } from "../../services/failures.js";
import { findCoursesToContinue } from "../../services/learning/courses-to-continue.js";
import { ContinueReply, EnrolledCoursesReply, PlayerReply, UserReply } from "./profile.schemas.js";

/** Status 200, because a user who has just signed up has no profile yet. */
const UserNotFoundHere = failure("user_not_found", 200, "User Not Found");

/** The caller's profile and courses. */
export function profileGroup({ db }: Deps, findCourse: CourseFinder): RouteGroup {
  const profile = createProfileReader(db, findCourse);
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
          const learner = await profile.find(viewer.id);
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
        handle: async ({ viewer }) => ({ enrolledCourses: await profile.listCourses(viewer.id) }),
      }),
      route("get", "/enrolled-courses/:courseId", {
        operationId: "getEnrolledCourse",
        summary: "One of the caller's courses, with the video URLs that are open",
        access: "user",
        reply: PlayerReply,
        errors: [CourseNotAccessible],
        handle: ({ viewer, params }) => profile.openCourse(viewer.id, params.courseId),
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
