import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { readPage } from "../../http/reply-with-list.js";
import type { RouteRequest } from "../../http/route.js";
import { endGrant } from "../../services/grants/end-grant.js";
import { type GrantManager, grantableCourse, grantEnrollment } from "../../services/grants/grant-enrollment.js";
import { type EnrollmentFilter, listEnrollments, ofGrant } from "../../services/grants/list-enrollments.js";
import type {
  AdminEnrollmentsQuery,
  AdminGrantBody,
  CourseEnrollmentParams,
  CourseParams,
  EducatorEnrollmentsQuery,
  EducatorGrantBody,
  EnrollmentParams,
} from "./enrollments.schemas.js";

type Asked = Pick<RouteRequest<unknown, unknown, unknown, "user">, "viewer" | "req">;

const managerOf = ({ viewer, req }: Asked, role: GrantManager["role"]): GrantManager => ({
  userId: viewer.id,
  role,
  requestId: String(req.id),
});

export function enrollmentsController({ db }: Deps) {
  const list = async (page: z.output<typeof EducatorEnrollmentsQuery>, filter: EnrollmentFilter) => {
    const { items: enrollments, nextCursor } = await readPage(listEnrollments(db, filter), page);
    return { enrollments, nextCursor };
  };

  return {
    /** In any course. */
    admin: {
      async grant(request: RouteRequest<undefined, undefined, z.output<typeof AdminGrantBody>, "admin">) {
        const grant = await grantEnrollment(db, request.body, managerOf(request, "admin"));
        return { enrollment: ofGrant(grant) };
      },

      list: (request: RouteRequest<undefined, z.output<typeof AdminEnrollmentsQuery>, undefined, "admin">) =>
        list(request.query, request.query),

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
        return list(request.query, { ...request.query, ...request.params });
      },

      async end(request: RouteRequest<z.output<typeof CourseEnrollmentParams>, undefined, undefined, "educator">) {
        await endGrant(db, request.params, managerOf(request, "educator"));
        return {};
      },
    },
  };
}
