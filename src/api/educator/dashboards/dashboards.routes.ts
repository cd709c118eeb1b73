import { z } from "zod";
import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { dashboardsController } from "./dashboards.controller.js";
import { DashboardQuery, DashboardReply, EnrolledStudentsQuery, EnrolledStudentsReply } from "./dashboards.schemas.js";

/** Earnings and students of an educator. */
export function dashboardsGroup(deps: Deps): RouteGroup {
  const dashboards = dashboardsController(deps);
  return {
    name: "educator",
    base: "/api/educator",
    routes: [
      route({
        method: "get",
        path: "/dashboard",
        summary: "Earnings, number of courses and students of one's own",
        access: "educator",
        query: DashboardQuery,
        reply: DashboardReply,
        errors: [],
        handle: dashboards.dashboard,
      }),
      route({
        method: "get",
        path: "/enrolled-students",
        summary: "Active enrollments in one's own courses, oldest purchase first",
        access: "educator",
        query: EnrolledStudentsQuery,
        reply: EnrolledStudentsReply,
        errors: [],
        handle: dashboards.students,
      }),
      route({
        method: "get",
        path: "/enrolled-students.csv",
        summary: "The same as a table, course by course",
        description:
          "Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`.",
        access: "educator",
        reply: z.object({}),
        alsoProduces: ["text/csv"],
        errors: [],
        handle: dashboards.studentsTable,
      }),
    ],
  };
}
