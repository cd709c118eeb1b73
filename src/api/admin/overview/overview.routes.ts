import { z } from "zod";
import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { overviewController } from "./overview.controller.js";
import {
  AdminCoursesReply,
  AdminPurchasesReply,
  AdminUsersReply,
  AuditQuery,
  AuditReply,
  ChartReply,
  CoursesQuery,
  PurchasesFilter,
  PurchasesQuery,
  StatsReply,
  UsersQuery,
} from "./overview.schemas.js";

/** Figures and lists of the whole platform. */
export function overviewGroup(deps: Deps): RouteGroup {
  const overview = overviewController(deps);
  return {
    name: "admin",
    base: "/api/admin",
    access: "admin",
    limit: "admin",
    routes: [
      route({
        method: "get",
        path: "/stats",
        summary: "Figures of the platform",
        access: "admin",
        reply: StatsReply,
        errors: [],
        handle: overview.stats,
      }),
      route({
        method: "get",
        path: "/chart-data",
        summary: "Most enrolled courses and revenue of the last seven days",
        access: "admin",
        reply: ChartReply,
        errors: [],
        handle: overview.charts,
      }),
      route({
        method: "get",
        path: "/courses",
        summary: "Every course, newest first",
        access: "admin",
        query: CoursesQuery,
        reply: AdminCoursesReply,
        errors: [],
        handle: overview.courses,
      }),
      route({
        method: "get",
        path: "/purchases",
        summary: "Purchases, newest first",
        access: "admin",
        query: PurchasesQuery,
        reply: AdminPurchasesReply,
        errors: [],
        handle: overview.purchases,
      }),
      route({
        method: "get",
        path: "/users",
        summary: "Every user, newest first",
        access: "admin",
        query: UsersQuery,
        reply: AdminUsersReply,
        errors: [],
        handle: overview.users,
      }),
      route({
        method: "get",
        path: "/audit",
        summary: "Administrative actions and changes of roles, newest first",
        access: "admin",
        query: AuditQuery,
        reply: AuditReply,
        errors: [],
        handle: overview.audit,
      }),
      route({
        method: "get",
        path: "/purchases.csv",
        summary: "Purchases as a table, newest first",
        description:
          "Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`.",
        access: "admin",
        query: PurchasesFilter,
        reply: z.object({}),
        alsoProduces: ["text/csv"],
        errors: [],
        handle: overview.purchasesTable,
      }),
    ],
  };
}
