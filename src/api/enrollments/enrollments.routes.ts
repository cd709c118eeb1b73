import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { NotTheOwner } from "../../services/courses/edit-course.js";
import { CourseNotFound, UserNotFound } from "../../services/failures.js";
import { EnrollmentNotFound, RefundInstead } from "../../services/grants/end-grant.js";
import { AlreadyEnrolled } from "../../services/grants/grant-enrollment.js";
import { enrollmentsController } from "./enrollments.controller.js";
import {
  AdminEnrollmentsQuery,
  AdminGrantBody,
  CourseEnrollmentParams,
  CourseParams,
  EducatorEnrollmentsQuery,
  EducatorGrantBody,
  EnrollmentParams,
  EnrollmentReply,
  EnrollmentsReply,
  NothingReply,
} from "./enrollments.schemas.js";

const granting =
  "The learner is enrolled at once. An e-mail address that no user has waits until a user has verified it as the primary one.";

/** Who is enrolled, and enrollments that are granted instead of sold. */
export function enrollmentGroups(deps: Deps): RouteGroup[] {
  const { admin, educator } = enrollmentsController(deps);
  return [
    {
      name: "enrollments",
      base: "/api/admin",
      access: "admin",
      limit: "admin",
      routes: [
        route({
          method: "post",
          path: "/enrollments",
          summary: "Enroll a learner in any course without a purchase",
          description: granting,
          access: "admin",
          body: AdminGrantBody,
          reply: EnrollmentReply,
          errors: [UserNotFound, CourseNotFound, AlreadyEnrolled],
          handle: admin.grant,
        }),
        route({
          method: "get",
          path: "/enrollments",
          summary: "Active enrollments and waiting grants, newest first",
          access: "admin",
          query: AdminEnrollmentsQuery,
          reply: EnrollmentsReply,
          errors: [],
          handle: admin.list,
        }),
        route({
          method: "delete",
          path: "/enrollments/:id",
          summary: "End a granted enrollment",
          description: "The learner stays enrolled if a purchase or another grant gives access.",
          access: "admin",
          params: EnrollmentParams,
          reply: NothingReply,
          errors: [EnrollmentNotFound, RefundInstead],
          handle: admin.end,
        }),
      ],
    },
    {
      name: "enrollments",
      base: "/api/educator",
      routes: [
        route({
          method: "post",
          path: "/courses/:courseId/enrollments",
          summary: "Enroll a learner in a course of one's own without a purchase",
          description: granting,
          access: "educator",
          params: CourseParams,
          body: EducatorGrantBody,
          reply: EnrollmentReply,
          errors: [CourseNotFound, NotTheOwner, UserNotFound, AlreadyEnrolled],
          handle: educator.grant,
        }),
        route({
          method: "get",
          path: "/courses/:courseId/enrollments",
          summary: "Active enrollments and waiting grants of a course of one's own, newest first",
          access: "educator",
          params: CourseParams,
          query: EducatorEnrollmentsQuery,
          reply: EnrollmentsReply,
          errors: [CourseNotFound, NotTheOwner],
          handle: educator.list,
        }),
        route({
          method: "delete",
          path: "/courses/:courseId/enrollments/:id",
          summary: "End a granted enrollment in a course of one's own",
          access: "educator",
          params: CourseEnrollmentParams,
          reply: NothingReply,
          errors: [CourseNotFound, NotTheOwner, EnrollmentNotFound, RefundInstead],
          handle: educator.end,
        }),
      ],
    },
  ];
}
