import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { managerOf } from "../../http/auth/manager-of.js";
import { readPage } from "../../http/reply-with-list.js";
import { type RouteGroup, route } from "../../http/route.js";
import { NotTheOwner } from "../../services/courses/edit-course.js";
import { CourseNotFound, UserNotFound } from "../../services/failures.js";
import { EnrollmentNotFound, endGrant, RefundInstead } from "../../services/grants/end-grant.js";
import { AlreadyEnrolled, grantableCourse, grantEnrollment } from "../../services/grants/grant-enrollment.js";
import { type EnrollmentFilter, listEnrollments, ofGrant } from "../../services/grants/list-enrollments.js";
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
} from "./enrollments.schemas.js";

const granting =
  "The learner is enrolled at once. A grant to an e-mail address that no user has waits until a user has verified " +
  "the address as the primary one.";

/** Who is enrolled, and enrollments that are granted instead of sold. */
export function enrollmentGroups({ db }: Deps): RouteGroup[] {
  const list = async (page: z.output<typeof EducatorEnrollmentsQuery>, filter: EnrollmentFilter) => {
    const { items: enrollments, nextCursor } = await readPage(listEnrollments(db, filter), page);
    return { enrollments, nextCursor };
  };

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
          operationId: "createAdminEnrollment",
          summary: "Enroll a learner in any course without a purchase",
          description: granting,
          access: "admin",
          scope: "enrollments:write",
          body: AdminGrantBody,
          reply: EnrollmentReply,
          errors: [UserNotFound, CourseNotFound, AlreadyEnrolled],
          async handle(request) {
            return { enrollment: ofGrant(await grantEnrollment(db, request.body, managerOf(request, "admin"))) };
          },
        }),
        route({
          method: "get",
          path: "/enrollments",
          operationId: "listAdminEnrollments",
          summary: "Active enrollments and waiting grants, newest first",
          access: "admin",
          scope: "enrollments:read",
          query: AdminEnrollmentsQuery,
          reply: EnrollmentsReply,
          handle: ({ query, viewer }) => list(query, { ...query, key: viewer.key }),
        }),
        route({
          method: "delete",
          path: "/enrollments/:id",
          operationId: "endAdminEnrollment",
          summary: "End a granted enrollment",
          description: "The learner stays enrolled if a purchase or another grant gives access.",
          access: "admin",
          scope: "enrollments:write",
          params: EnrollmentParams,
          errors: [EnrollmentNotFound, RefundInstead],
          async handle(request) {
            await endGrant(db, request.params, managerOf(request, "admin"));
            return {};
          },
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
          operationId: "createEnrollment",
          summary: "Enroll a learner in one of the educator's own courses without a purchase",
          description: granting,
          access: "educator",
          scope: "enrollments:write",
          params: CourseParams,
          body: EducatorGrantBody,
          reply: EnrollmentReply,
          errors: [CourseNotFound, NotTheOwner, UserNotFound, AlreadyEnrolled],
          async handle(request) {
            const wanted = { ...request.body, ...request.params };
            return { enrollment: ofGrant(await grantEnrollment(db, wanted, managerOf(request, "educator"))) };
          },
        }),
        route({
          method: "get",
          path: "/courses/:courseId/enrollments",
          operationId: "listEnrollments",
          summary: "Active enrollments and waiting grants of one of the educator's own courses, newest first",
          access: "educator",
          scope: "enrollments:read",
          params: CourseParams,
          query: EducatorEnrollmentsQuery,
          reply: EnrollmentsReply,
          errors: [CourseNotFound, NotTheOwner],
          async handle(request) {
            const { params, query } = request;
            await grantableCourse(db, params.courseId, managerOf(request, "educator"));
            return list(query, { ...query, ...params });
          },
        }),
        route({
          method: "delete",
          path: "/courses/:courseId/enrollments/:id",
          operationId: "endEnrollment",
          summary: "End a granted enrollment in one of the educator's own courses",
          access: "educator",
          scope: "enrollments:write",
          params: CourseEnrollmentParams,
          errors: [CourseNotFound, NotTheOwner, EnrollmentNotFound, RefundInstead],
          async handle(request) {
            await endGrant(db, request.params, managerOf(request, "educator"));
            return {};
          },
        }),
      ],
    },
  ];
}
