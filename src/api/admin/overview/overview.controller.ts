import type { z } from "zod";
import type { Db } from "../../../db/db.js";
import type { Deps } from "../../../deps.js";
import { sendCsv } from "../../../http/replies/csv.js";
import { describedBatches, replyWithList } from "../../../http/reply-with-list.js";
import type { RouteRequest } from "../../../http/route.js";
import type { Course } from "../../../models/courses/course.js";
import { toMajor } from "../../../services/payments/price.js";
import {
  coursesNewestFirst,
  findAuditEntries,
  purchaseColumns,
  purchaseRow,
  purchasesNewestFirst,
  usersNewestFirst,
} from "./lists.js";
import type { AuditQuery, CoursesQuery, PurchasesFilter, PurchasesQuery, UsersQuery } from "./overview.schemas.js";

/** Longest course name in the chart, in code points. */
const chartNameLength = 22;
const chartCourses = 6;

/** What administrators see of the whole platform: sums over courses for figures, lists in batches. */
export function overviewController({ db, config }: Deps) {
  return {
    async stats() {
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

    async charts() {
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

    courses: (request: ListRequest<typeof CoursesQuery>) =>
      replyWithList(request, coursesNewestFirst(db, config.currency), (courses, page) => ({ courses, ...page })),

    purchases: (request: ListRequest<typeof PurchasesQuery>) =>
      replyWithList(request, purchasesNewestFirst(db, request.query.status), (purchases, page) => ({
        purchases,
        ...page,
      })),

    users: (request: ListRequest<typeof UsersQuery>) =>
      replyWithList(request, usersNewestFirst(db), (users, page) => ({ users, ...page })),

    purchasesTable: ({ query, res, signal }: ListRequest<typeof PurchasesFilter>) =>
      sendCsv(res, signal, {
        name: "purchases",
        columns: purchaseColumns,
        batches: describedBatches(purchasesNewestFirst(db, query.status)),
        cells: purchaseRow,
      }),

    audit: ({ query }: ListRequest<typeof AuditQuery>) => findAuditEntries(db, query),
  };
}

type ListRequest<Q extends z.ZodType> = RouteRequest<undefined, z.output<Q>, undefined, "admin">;

/** Sums over an index: no course is read with all its lectures. */
async function coursesAndEnrollments(db: Db): Promise<{ courses: number; enrollments: number }> {
  const [sums] = await db.Course.aggregate<{ courses: number; enrollments: number }>([
    { $match: { totalEnrolledStudents: { $gte: 0 } } },
    { $group: { _id: null, courses: { $sum: 1 }, enrollments: { $sum: "$totalEnrolledStudents" } } },
  ]);
  return sums ?? { courses: 0, enrollments: 0 };
}

/** Minor units over all completed purchases: likewise, over another index. */
async function completedRevenue(db: Db): Promise<number> {
  const [sum] = await db.Course.aggregate<{ revenueMinor: number }>([
    { $match: { revenueMinor: { $gt: 0 } } },
    { $group: { _id: null, revenueMinor: { $sum: "$revenueMinor" } } },
  ]);
  return sum?.revenueMinor ?? 0;
}

/** Minor units of the purchases that completed on each of the days and are not refunded. */
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

/** Seven UTC days, today last: as stored (`2026-11-21`) and as shown (`Sat 21`). */
function lastSevenDays(now: Date): { day: string; date: string }[] {
  return Array.from({ length: 7 }, (_, index) => {
    const at = new Date(now.getTime() - (6 - index) * 86_400_000);
    return { day: at.toISOString().slice(0, 10), date: `${weekdays[at.getUTCDay()]} ${at.getUTCDate()}` };
  });
}
