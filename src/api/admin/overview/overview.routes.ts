import type { Db } from "../../../db/db.js";
import type { Deps } from "../../../deps.js";
import { sendCsv } from "../../../http/replies/csv.js";
import { describedBatches, replyWithList } from "../../../http/reply-with-list.js";
import { type RouteGroup, route } from "../../../http/route.js";
import type { Course } from "../../../models/courses/course.js";
import { toMajor } from "../../../services/payments/price.js";
import {
  coursesNewestFirst,
  findAuditEntries,
  purchaseColumns,
  purchaseRow,
  purchasesNewestFirst,
  usersOf,
} from "./lists.js";
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
    access: "admin",
    limit: "admin",
    routes: [
      route({
        method: "get",
        path: "/stats",
        operationId: "getPlatformStats",
        summary: "Figures of the platform",
        access: "admin",
        reply: StatsReply,
        async handle() {
          const [totalStudents, totalEducators, pendingApplications, totals, revenueMinor] = await Promise.all([
            db.User.estimatedDocumentCount(),
            db.RoleRecord.countDocuments({ role: "educator" }),
            db.EducatorApplication.countDocuments({ status: "pending" }),
            coursesAndEnrollments(db),
            completedRevenue(db),
          ]);
          return {
            stats: {
              totalStudents,
              totalCourses: totals.courses,
              totalEducators,
              pendingApplications,
              totalRevenue: toMajor(revenueMinor, config.currency),
              totalEnrollments: totals.enrollments,
            },
          };
        },
      }),
      route({
        method: "get",
        path: "/chart-data",
        operationId: "getPlatformCharts",
        summary: "Most enrolled courses and revenue of the last seven days",
        access: "admin",
        reply: ChartReply,
        async handle() {
          const top = await db.Course.find({}, { courseTitle: 1, totalEnrolledStudents: 1 })
            .sort({ totalEnrolledStudents: -1, _id: 1 })
            .limit(chartCourses)
            .lean<Pick<Course, "courseTitle" | "totalEnrolledStudents">[]>();
          const days = lastSevenDays(new Date());
          const revenue = await revenueByDay(
            db,
            days.map(({ day }) => day),
          );
          return {
            topCourseData: top.map(({ courseTitle, totalEnrolledStudents }) => ({
              name: shortened(courseTitle),
              enrollments: totalEnrolledStudents,
            })),
            weeklyRevenue: days.map(({ day, date }) => ({
              date,
              revenue: toMajor(revenue.get(day) ?? 0, config.currency),
            })),
          };
        },
      }),
      route({
        method: "get",
        path: "/courses",
        operationId: "listAdminCourses",
        summary: "Every course, newest first",
        access: "admin",
        scope: "courses:read",
        query: CoursesQuery,
        reply: AdminCoursesReply,
        handle: (request) =>
          replyWithList(request, coursesNewestFirst(db, config.currency, request.viewer.key), (courses, page) => ({
            courses,
            ...page,
          })),
      }),
      route({
        method: "get",
        path: "/purchases",
        operationId: "listAdminPurchases",
        summary: "Purchases, newest first",
        access: "admin",
        scope: "purchases:read",
        query: PurchasesQuery,
        reply: AdminPurchasesReply,
        handle: (request) =>
          replyWithList(
            request,
            purchasesNewestFirst(db, request.query.status, request.viewer.key),
            (purchases, page) => ({
              purchases,
              ...page,
            }),
          ),
      }),
      route({
        method: "get",
        path: "/users",
        operationId: "listUsers",
        summary: "Every user, newest first",
        description: "An API key with `courseIds` lists the users enrolled in these courses, by their ids.",
        access: "admin",
        scope: "learners:read",
        query: UsersQuery,
        reply: AdminUsersReply,
        handle: (request) =>
          replyWithList(request, usersOf(db, request.viewer.key), (users, page) => ({ users, ...page })),
      }),
      route({
        method: "get",
        path: "/audit",
        operationId: "listAuditEntries",
        stability: "beta",
        summary: "Administrative actions and changes of roles, newest first",
        access: "admin",
        query: AuditQuery,
        reply: AuditReply,
        handle: ({ query }) => findAuditEntries(db, query),
      }),
      route({
        method: "get",
        path: "/purchases.csv",
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
            batches: describedBatches(purchasesNewestFirst(db, query.status)),
            cells: purchaseRow,
          }),
      }),
    ],
  };
}

/** Sums over an index, so that no course is read with all its lectures. */
async function coursesAndEnrollments(db: Db): Promise<{ courses: number; enrollments: number }> {
  const [sums] = await db.Course.aggregate<{ courses: number; enrollments: number }>([
    { $match: { totalEnrolledStudents: { $gte: 0 } } },
    { $group: { _id: null, courses: { $sum: 1 }, enrollments: { $sum: "$totalEnrolledStudents" } } },
  ]);
  return sums ?? { courses: 0, enrollments: 0 };
}

/** Sums the minor units of all completed purchases over another index. */
async function completedRevenue(db: Db): Promise<number> {
  const [sum] = await db.Course.aggregate<{ revenueMinor: number }>([
    { $match: { revenueMinor: { $gt: 0 } } },
    { $group: { _id: null, revenueMinor: { $sum: "$revenueMinor" } } },
  ]);
  return sum?.revenueMinor ?? 0;
}

/** Sums the minor units of each day's completed purchases that are not refunded. */
async function revenueByDay(db: Db, days: readonly string[]): Promise<Map<string, number>> {
  const sums = await db.CourseDailySales.aggregate<{ _id: string; revenueMinor: number }>([
    { $match: { day: { $in: days } } },
    { $group: { _id: "$day", revenueMinor: { $sum: "$revenueMinor" } } },
  ]);
  return new Map(sums.map(({ _id, revenueMinor }) => [_id, revenueMinor]));
}

function shortened(title: string): string {
  const characters = [...title];
  return characters.length > chartNameLength ? `${characters.slice(0, chartNameLength).join("")}…` : title;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Lists seven UTC days, today last, as stored (`2026-11-21`) and as shown (`Sat 21`). */
function lastSevenDays(now: Date): { day: string; date: string }[] {
  return Array.from({ length: 7 }, (_, index) => {
    const at = new Date(now.getTime() - (6 - index) * 86_400_000);
    return { day: at.toISOString().slice(0, 10), date: `${weekdays[at.getUTCDay()]} ${at.getUTCDate()}` };
  });
}
