import type { Deps } from "../../../deps.js";
import { type Route, route } from "../../../http/route.js";
import { overviewController } from "./overview.controller.js";
import {
  AdminCoursesReply,
  AdminPurchasesReply,
  AdminUsersReply,
  ChartReply,
  PurchasesQuery,
  StatsReply,
} from "./overview.schemas.js";

/** Figures and lists of the whole platform. */
export function overviewRoutes(deps: Deps): Route[] {
  const overview = overviewController(deps);
  return [
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
      summary: "Every user with a user record, newest first",
      access: "admin",
      reply: AdminUsersReply,
      errors: [],
      handle: overview.users,
    }),
  ];
}
