import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { type RouteGroup, route } from "../../http/route.js";
import { findManagedCourse } from "../../services/courses/managed-course.js";
import { CourseNotFound, NotTheOwner, PathNotFound, UserNotFound } from "../../services/failures.js";
import { EndPathGrantInstead, EnrollmentNotFound, endGrant, RefundInstead } from "../../services/grants/end-grant.js";
import { AlreadyEnrolled, grantEnrollment } from "../../services/grants/grant-enrollment.js";
import { listEnrollments, ofGrant, shownInCourse, shownInPath } from "../../services/grants/list-enrollments.js";
import { findManagedPath } from "../../services/paths/managed-path.js";
import {
  AdminEnrollmentsQuery,
  AdminGrantBody,
  EnrollmentReply,
  EnrollmentsQuery,
  EnrollmentsReply,
  GrantBody,
  PathEnrollmentReply,
  PathEnrollmentsReply,
} from "./enrollments.schemas.js";

/** Who is enrolled, and enrollments that are granted instead of sold. An educator's routes name the course in the path. */
const courseGroups = ({ db }: Deps): RouteGroup[] =>
  forManagers("enrollments", ["admin", "educator"], ({ role, isAdmin, infix }) => {
    const path = isAdmin ? "/enrollments" : "/courses/:courseId/enrollments";
    return [
      route("post", path, {
        operationId: `create${infix}Enrollment`,
        summary: isAdmin
          ? "Enroll a learner in any course without a purchase"
          : "Enroll a learner in one of the educator's own courses without a purchase",
        description:
          "The learner is enrolled at once. A grant to an e-mail address that no user has waits until a user has verified " +
          "the address as the primary one.",
        access: role,
        scope: "enrollments:write",
        body: isAdmin ? AdminGrantBody : GrantBody,
        reply: EnrollmentReply,
        errors: isAdmin
          ? [UserNotFound, CourseNotFound, AlreadyEnrolled]
          : [CourseNotFound, NotTheOwner, UserNotFound, AlreadyEnrolled],
        async handle({ params, body, manager }) {
          // The path has it, or the body of an administrator.
          const { courseId = "", ...wanted } = { ...body, ...params };
          const grant = await grantEnrollment(db, { ...wanted, item: { courseId } }, manager);
          return { enrollment: shownInCourse(ofGrant(grant)) };
        },
      }),
      route("get", path, {
        operationId: `list${infix}Enrollments`,
        summary: isAdmin
          ? "Active enrollments and waiting grants, newest first"
          : "Active enrollments and waiting grants of one of the educator's own courses, newest first",
        access: role,
        scope: "enrollments:read",
        query: isAdmin ? AdminEnrollmentsQuery : EnrollmentsQuery,
        reply: EnrollmentsReply.schema,
        errors: isAdmin ? [] : [CourseNotFound, NotTheOwner],
        async handle(request) {
          const { params, query, manager } = request;
          if ("courseId" in params) await findManagedCourse(db, params.courseId, manager);
          const filter = { ...query, ...params, key: manager.key };
          return EnrollmentsReply.answer(request, listEnrollments(db, filter, shownInCourse));
        },
      }),
      route("delete", `${path}/:id`, {
        operationId: `end${infix}Enrollment`,
        summary: isAdmin ? "End a granted enrollment" : "End a granted enrollment in one of the educator's own courses",
        ...(isAdmin && { description: "The learner stays enrolled if a purchase or another grant gives access." }),
        access: role,
        scope: "enrollments:write",
        errors: [
          ...(isAdmin ? [] : [CourseNotFound, NotTheOwner]),
          ...[EnrollmentNotFound, RefundInstead, EndPathGrantInstead],
        ],
        handle: ({ params, manager }) =>
          endGrant(db, params.id, "courseId" in params ? { courseId: params.courseId } : undefined, manager),
      }),
    ];
  });

/** Who holds a path, and paths that are granted instead of sold. */
const pathGroups = ({ db }: Deps): RouteGroup[] =>
  forManagers("enrollments", ["admin", "educator"], ({ role, isAdmin, infix }) => {
    const path = "/paths/:pathId/enrollments";
    const which = isAdmin ? "any path" : "one of the educator's own paths";
    const notFound = isAdmin ? [PathNotFound] : [PathNotFound, NotTheOwner];
    return [
      route("post", path, {
        operationId: `create${infix}PathEnrollment`,
        summary: `Enroll a learner in ${which} without a purchase`,
        description:
          "The learner is enrolled at once in the courses that the path has now. A grant to an e-mail address that no user " +
          "has waits until a user has verified the address as the primary one.",
        access: role,
        scope: "enrollments:write",
        body: GrantBody,
        reply: PathEnrollmentReply,
        errors: [...notFound, UserNotFound, AlreadyEnrolled],
        async handle({ params: { pathId }, body, manager }) {
          const grant = await grantEnrollment(db, { ...body, item: { pathId } }, manager);
          return { enrollment: shownInPath(ofGrant(grant)) };
        },
      }),
      route("get", path, {
        operationId: `list${infix}PathEnrollments`,
        summary: `Active enrollments and waiting grants of ${which}, newest first`,
        access: role,
        scope: "enrollments:read",
        query: EnrollmentsQuery,
        reply: PathEnrollmentsReply.schema,
        errors: notFound,
        async handle(request) {
          const { params, query, manager } = request;
          const { _id: pathId } = await findManagedPath(db, params.pathId, manager);
          return PathEnrollmentsReply.answer(request, listEnrollments(db, { ...query, pathId }, shownInPath));
        },
      }),
      route("delete", `${path}/:enrollmentId`, {
        operationId: `end${infix}PathEnrollment`,
        summary: `End a granted enrollment in ${which}`,
        description: "The learner keeps the courses to which a purchase or another grant gives access.",
        access: role,
        scope: "enrollments:write",
        errors: [...notFound, EnrollmentNotFound, RefundInstead],
        handle: ({ params: { pathId, enrollmentId }, manager }) => endGrant(db, enrollmentId, { pathId }, manager),
      }),
    ];
  });

export const enrollmentGroups = (deps: Deps): RouteGroup[] => [...courseGroups(deps), ...pathGroups(deps)];
