import type { z } from "zod";
import type { Db } from "../../../db/db.js";
import type { Deps } from "../../../deps.js";
import type { RouteRequest } from "../../../http/route.js";
import type { Course } from "../../../models/course.js";
import type { Purchase } from "../../../models/purchase.js";
import type { User } from "../../../models/user.js";
import { toMajor } from "../../../services/payments/price.js";
import { deletedPerson } from "../../../services/users/user-cards.js";
import type { PurchasesQuery } from "./overview.schemas.js";
import { purchaseFilter } from "./purchase-filter.js";

/** Longest course name in the chart, in code points. */
const chartNameLength = 22;
const chartCourses = 6;

/** What administrators see of the whole platform: sums over courses for figures, grouped queries for lists. */
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

    async courses() {
      const found = await db.Course.find({}, { courseContent: 0, courseDescription: 0 })
        .sort({ _id: -1 })
        .lean<Course[]>();
      const educator = await findContacts(db, new Set(found.map(({ educatorId }) => educatorId)));
      const courses = found.sort(newestFirst).map((course) => ({
        ...course,
        educatorId: educator(course.educatorId),
        educator: educator(course.educatorId),
        enrolledCount: course.totalEnrolledStudents,
        revenue: toMajor(course.revenueMinor, config.currency),
        purchases: course.completedPurchases,
      }));
      return { courses };
    },

    async purchases({ query }: RouteRequest<undefined, z.output<typeof PurchasesQuery>, undefined, "admin">) {
      const filter = purchaseFilter(query.status);
      if (!filter) return { purchases: [] };
      const found = await db.Purchase.find(filter).sort({ _id: -1 }).lean<Purchase[]>();
      const course = await findTitles(db, found);
      const purchases = found.sort(newestFirst).map((purchase) => ({
        ...purchase,
        courseId: course(purchase),
      }));
      return { purchases };
    },

    async users() {
      const found = await db.User.find({}, { name: 1, email: 1, imageUrl: 1, createdAt: 1 })
        .sort({ createdAt: -1, _id: -1 })
        .lean<User[]>();
      const [enrolled, created, educators] = await Promise.all([
        countEnrollments(
          db,
          found.map(({ _id }) => _id),
        ),
        db.Course.aggregate<Count>([{ $group: { _id: "$educatorId", count: { $sum: 1 } } }]),
        db.RoleRecord.find({ role: "educator" }, { _id: 1 }).lean(),
      ]);
      const coursesOf = new Map(created.map(({ _id, count }) => [_id, count]));
      const isEducator = new Set(educators.map(({ _id }) => _id));
      const users = found.map((user) => ({
        ...user,
        enrolledCount: enrolled.get(user._id) ?? 0,
        coursesCreated: coursesOf.get(user._id) ?? 0,
        isEducator: isEducator.has(user._id),
      }));
      return { users };
    },
  };
}

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
  const sums = await db.CourseDay.aggregate<{ _id: string; revenueMinor: number }>([
    { $match: { day: { $in: days } } },
    { $group: { _id: "$day", revenueMinor: { $sum: "$revenueMinor" } } },
  ]);
  return new Map(sums.map(({ _id, revenueMinor }) => [_id, revenueMinor]));
}

interface Count {
  _id: string;
  count: number;
}

/** Users whose enrollments are counted by one query: bounds its size and its time. */
const usersPerCount = 1_000;

async function countEnrollments(db: Db, userIds: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let from = 0; from < userIds.length; from += usersPerCount) {
    const some = userIds.slice(from, from + usersPerCount);
    const grouped = await db.Enrollment.aggregate<Count>([
      { $match: { userId: { $in: some }, active: true } },
      { $group: { _id: "$userId", count: { $sum: 1 } } },
    ]);
    for (const { _id, count } of grouped) counts.set(_id, count);
  }
  return counts;
}

async function findContacts(db: Db, userIds: ReadonlySet<string>) {
  const users = await db.User.find({ _id: { $in: [...userIds] } }, { name: 1, email: 1 }).lean();
  const known = new Map(users.map(({ _id, name, email }) => [_id, { _id, name, email }]));
  return (userId: string) => known.get(userId) ?? { _id: userId, name: deletedPerson(userId).name, email: "" };
}

/** The course of each purchase with its title, in one query; null for a course that is not there. */
export async function findTitles(db: Db, purchases: readonly Purchase[]) {
  const ids = new Set(purchases.map(({ courseId }) => String(courseId)));
  const courses = await db.Course.find({ _id: { $in: [...ids] } }, { courseTitle: 1 }).lean<
    Pick<Course, "_id" | "courseTitle">[]
  >();
  const known = new Map(courses.map((course) => [String(course._id), course]));
  return ({ courseId }: Purchase) => known.get(String(courseId)) ?? null;
}

const newestFirst = (a: { createdAt: Date }, b: { createdAt: Date }): number =>
  b.createdAt.getTime() - a.createdAt.getTime();

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
