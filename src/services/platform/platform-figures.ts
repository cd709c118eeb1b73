import type { Db } from "../../db/db.js";
import type { Course } from "../../models/courses/course.js";
import { toMajor } from "../payments/price.js";

export async function readPlatformStats(db: Db, currency: string) {
  const [totalStudents, totalEducators, pendingApplications, totals, revenueMinor] = await Promise.all([
    db.User.estimatedDocumentCount(),
    db.RoleRecord.countDocuments({ role: "educator" }),
    db.EducatorApplication.countDocuments({ status: "pending" }),
    coursesAndEnrollments(db),
    completedRevenue(db),
  ]);
  return {
    totalStudents,
    totalCourses: totals.courses,
    totalEducators,
    pendingApplications,
    totalRevenue: toMajor(revenueMinor, currency),
    totalEnrollments: totals.enrollments,
  };
}

/** Finds the courses with the most enrolled learners. */
export function findTopCourses(db: Db, limit: number) {
  return db.Course.find({}, { courseTitle: 1, totalEnrolledStudents: 1 })
    .sort({ totalEnrolledStudents: -1, _id: 1 })
    .limit(limit)
    .lean<Pick<Course, "courseTitle" | "totalEnrolledStudents">[]>();
}

/** Sums over an index, so that no course is read with all its lectures. */
async function coursesAndEnrollments(db: Db): Promise<{ courses: number; enrollments: number }> {
  const [sums] = await db.Course.aggregate<{ courses: number; enrollments: number }>([
    { $match: { totalEnrolledStudents: { $gte: 0 } } },
    { $group: { _id: null, courses: { $sum: 1 }, enrollments: { $sum: "$totalEnrolledStudents" } } },
  ]);
  return sums ?? { courses: 0, enrollments: 0 };
}

/** Sums the minor units of all completed purchases, of courses and of paths, over other indexes. */
async function completedRevenue(db: Db): Promise<number> {
  const sum = [
    { $match: { revenueMinor: { $gt: 0 } } },
    { $group: { _id: null, revenueMinor: { $sum: "$revenueMinor" } } },
  ];
  const sums = await db.Course.aggregate<{ revenueMinor: number }>([
    ...sum,
    { $unionWith: { coll: db.Path.collection.name, pipeline: sum } },
  ]);
  return sums.reduce((total, { revenueMinor }) => total + revenueMinor, 0);
}

/** Sums the minor units of each day's completed purchases that are not refunded. */
export async function revenueByDay(db: Db, days: readonly string[]): Promise<Map<string, number>> {
  const sums = await db.CourseDailySales.aggregate<{ _id: string; revenueMinor: number }>([
    { $match: { day: { $in: days } } },
    { $group: { _id: "$day", revenueMinor: { $sum: "$revenueMinor" } } },
  ]);
  // A refund counts at once, and a sale a moment later.
  return new Map(sums.map(({ _id, revenueMinor }) => [_id, Math.max(0, revenueMinor)]));
}
