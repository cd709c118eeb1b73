import type { Deps } from "../../../deps.js";
import { describedBatches } from "../../../http/list-reply.js";
import { sendCsv } from "../../../http/replies/csv.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { lastDays } from "../../../lib/days.js";
import { toMajor } from "../../../services/payments/price.js";
import { findTopCourses, readPlatformStats, revenueByDay } from "../../../services/platform/platform-figures.js";
import {
  coursesNewestFirst,
  findAuditEntries,
  purchaseColumns,
  purchaseRow,
  purchasesNewestFirst,
  usersOf,
} from "../../../services/platform/platform-lists.js";
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

/** Longest course name in the chart, in code points. */
const chartNameLength = 22;
const chartCourses = 6;

/** Figures and lists of the whole platform. */
export function overviewGroup({ db, config }: Deps): RouteGroup {
  return {
    name: "admin",
    base: "/api/admin",
    routes: [
      route("get", "/stats", {
        operationId: "getPlatformStats",
        summary: "Figures of the platform",
        access: "admin",
        reply: StatsReply,
        handle: async () => ({ stats: await readPlatformStats(db, config.currency) }),
      }),
      route("get", "/chart-data", {
        operationId: "getPlatformCharts",
        summary: "Most enrolled courses and revenue of the last seven days",
        access: "admin",
        reply: ChartReply,
        async handle() {
          const top = await findTopCourses(db, chartCourses);
          const days = lastDays(7);
          const revenue = await revenueByDay(db, days);
          return {
            topCourseData: top.map(({ courseTitle, totalEnrolledStudents }) => ({
              name: shortened(courseTitle),
              enrollments: totalEnrolledStudents,
            })),
            weeklyRevenue: days.map((day) => ({
              date: dayLabel(day),
              revenue: toMajor(revenue.get(day) ?? 0, config.currency),
            })),
          };
        },
      }),
      route("get", "/courses", {
        operationId: "listAdminCourses",
        summary: "Every course, newest first",
        access: "admin",
        scope: "courses:read",
        query: CoursesQuery,
        reply: AdminCoursesReply.schema,
        handle: (request) =>
          AdminCoursesReply.answer(request, coursesNewestFirst(db, config.currency, request.viewer.key)),
      }),
      route("get", "/purchases", {
        operationId: "listAdminPurchases",
        summary: "Purchases, newest first",
        access: "admin",
        scope: "purchases:read",
        query: PurchasesQuery,
        reply: AdminPurchasesReply.schema,
        handle: (request) =>
          AdminPurchasesReply.answer(request, purchasesNewestFirst(db, request.query, request.viewer.key)),
      }),
      route("get", "/users", {
        operationId: "listUsers",
        summary: "Every user, newest first",
        description: "An API key with `courseIds` lists the users enrolled in these courses, by their ids.",
        access: "admin",
        scope: "learners:read",
        query: UsersQuery,
        reply: AdminUsersReply.schema,
        handle: (request) => AdminUsersReply.answer(request, usersOf(db, request.viewer.key)),
      }),
      route("get", "/audit", {
        operationId: "listAuditEntries",
        stability: "beta",
        summary: "Administrative actions and changes of roles, newest first",
        access: "admin",
        query: AuditQuery,
        reply: AuditReply,
        handle: ({ query }) => findAuditEntries(db, query),
      }),
      route("get", "/purchases.csv", {
        operationId: "exportPurchases",
        stability: "beta",
        summary: "Purchases as CSV, newest first",
        description:
          "Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`.",
        access: "admin",
        query: PurchasesFilter,
        file: "text/csv",
        handle: ({ query, res, signal }) =>
          sendCsv(res, signal, {
            name: "purchases",
            columns: purchaseColumns,
            batches: describedBatches(purchasesNewestFirst(db, query)),
            cells: purchaseRow,
          }),
      }),
    ],
  };
}

function shortened(title: string): string {
  const characters = [...title];
  return characters.length > chartNameLength ? `${characters.slice(0, chartNameLength).join("")}…` : title;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Shows a UTC day such as `2026-11-21` as `Sat 21`. */
function dayLabel(day: string): string {
  const date = new Date(day);
  return `${weekdays[date.getUTCDay()]} ${date.getUTCDate()}`;
}
