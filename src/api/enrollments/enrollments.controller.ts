import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { replyWithList } from "../../http/reply-with-list.js";
import type { RouteRequest } from "../../http/route.js";
import { endGrant } from "../../services/grants/end-grant.js";
import { type GrantManager, grantableCourse, grantEnrollment } from "../../services/grants/grant-enrollment.js";
import { type EnrollmentFilter, listEnrollments, ofGrant } from "../../services/grants/list-enrollments.js";
import {
  type AdminEnrollmentsQuery,
  type AdminGrantBody,
  type CourseEnrollmentParams,
  type CourseParams,
  type EducatorEnrollmentsQuery,
  type EducatorGrantBody,
  type EnrollmentParams,
  EnrollmentsReply,
} from "./enrollments.schemas.js";

type Asked = Pick<RouteRequest<unknown, unknown, unknown, "user">, "viewer" | "req">;

const managerOf = ({ viewer, req }: Asked, role: GrantManager["role"]): GrantManager => ({
  ...{ userId: viewer.id, role, requestId: String(req.id) },
});

type Page = Parameters<typeof replyWithList>[0];

export function enrollmentsController({ db }: Deps) {
  const list = <P extends Page>(request: P, filter: EnrollmentFilter) =>
    replyWithList(request as never, {
      ...{ reply: EnrollmentsReply, field: "enrollments" },
      list: listEnrollments(db, filter),
      wrap: (enrollments, { nextCursor = null }) => ({ enrollments, nextCursor }),
    });

  return {
    /** In any course. */
    admin: {
      async grant(request: RouteRequest<undefined, undefined, z.output<typeof AdminGrantBody>, "admin">) {
        const grant = await grantEnrollment(db, request.body, managerOf(request, "admin"));
        return { enrollment: ofGrant(grant) };
      },

      list: (request: RouteRequest<undefined, z.output<typeof AdminEnrollmentsQuery>, undefined, "admin">) =>
        list(request, request.query),

      async end(request: RouteRequest<z.output<typeof EnrollmentParams>, undefined, undefined, "admin">) {
        await endGrant(db, request.params, managerOf(request, "admin"));
        return {};
      },
    },

    /** In a course of one's own, which the path names. */
    educator: {
      async grant(
        request: RouteRequest<z.output<typeof CourseParams>, undefined, z.output<typeof EducatorGrantBody>, "educator">,
      ) {
        const wanted = { ...request.body, ...request.params };
        return { enrollment: ofGrant(await grantEnrollment(db, wanted, managerOf(request, "educator"))) };
      },

      async list(
        request: RouteRequest<
          z.output<typeof CourseParams>,
          z.output<typeof EducatorEnrollmentsQuery>,
          undefined,
          "educator"
        >,
      ) {
        await grantableCourse(db, request.params.courseId, managerOf(request, "educator"));
        return list(request, { ...request.query, ...request.params });
      },

      async end(request: RouteRequest<z.output<typeof CourseEnrollmentParams>, undefined, undefined, "educator">) {
        await endGrant(db, request.params, managerOf(request, "educator"));
        return {};
      },
    },
  };
}
