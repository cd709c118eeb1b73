import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import type { ReadCourse } from "../../services/courses/course-view.js";
import { UserNotFound } from "../../services/failures.js";
import { CourseNotAccessible, profileController, UserNotFoundHere } from "./profile.controller.js";
import { ContinueReply, CourseParams, EnrolledCoursesReply, PlayerReply, UserReply } from "./profile.schemas.js";

/** The caller's profile and courses. */
export function profileGroup(deps: Deps, readCourse: ReadCourse): RouteGroup {
  const profile = profileController(deps, readCourse);
  return {
    name: "user",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "get",
        path: "/data",
        summary: "The caller",
        access: "user",
        reply: UserReply,
        errors: [UserNotFoundHere],
        handle: profile.data,
      }),
      route({
        method: "get",
        path: "/enrolled-courses",
        summary: "The caller's courses, oldest enrollment first",
        access: "user",
        reply: EnrolledCoursesReply,
        errors: [UserNotFound],
        handle: profile.enrolledCourses,
      }),
      route({
        method: "get",
        path: "/enrolled-courses/:courseId",
        summary: "One of the caller's courses, with every video URL",
        access: "user",
        params: CourseParams,
        reply: PlayerReply,
        errors: [CourseNotAccessible],
        handle: profile.player,
      }),
      route({
        method: "get",
        path: "/continue",
        summary: "Courses that the caller has begun and not completed, newest activity first",
        access: "user",
        reply: ContinueReply,
        errors: [],
        handle: profile.continue,
      }),
    ],
  };
}
