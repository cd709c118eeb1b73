import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { type RouteGroup, route } from "../../http/route.js";
import { NotTheOwner, PathNotFound, UserNotFound } from "../../services/failures.js";
import { EnrollmentNotFound, endGrant, RefundInstead } from "../../services/grants/end-grant.js";
import { AlreadyEnrolled, grantEnrollment } from "../../services/grants/grant-enrollment.js";
import { listEnrollments, ofGrant, shownInPath } from "../../services/grants/list-enrollments.js";
import { findManagedPath } from "../../services/paths/managed-path.js";
import { EnrollmentsQuery, GrantBody, PathEnrollmentReply, PathEnrollmentsReply } from "./enrollments.schemas.js";

/** Who holds a path, and paths that are granted instead of sold. */
export const pathEnrollmentGroups = ({ db }: Deps): RouteGroup[] =>
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
