import { expect } from "vitest";
import { accessUntil } from "../../src/services/enrollments/enrollment.js";
import type { TestServer } from "../server/test-server.js";

/**
 * Compares every derived figure with a recount of the purchases, grants and enrollments it is derived from. Enrollments
 * whose time is over must have been ended.
 */
export async function expectRecount(server: { readonly deps: Pick<TestServer["deps"], "db"> }): Promise<void> {
  const { Purchase, Grant, Enrollment, Course: Courses, CourseDailySales } = server.deps.db;
  const [grants, purchases, enrollments, courses, days] = await Promise.all([
    Grant.find({ state: "active" }).lean(),
    Purchase.find().lean(),
    Enrollment.find().lean(),
    Courses.find().lean(),
    CourseDailySales.find().lean(),
  ]);
  const completed = purchases.filter(({ status }) => status === "completed");
  const pair = (row: { userId: string; courseId: unknown }) => `${row.userId} ${row.courseId}`;
  const money = (rows: typeof purchases) => rows.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  const active = enrollments.filter((enrollment) => enrollment.active);

  const isAhead = (until: Date | null) => until === null || until.getTime() > Date.now();
  const entitled = [
    ...completed.filter((row) => isAhead(accessUntil(row))),
    ...grants.flatMap(({ userId, courseId, expiresAt }) =>
      isAhead(expiresAt) ? [{ userId: userId ?? "", courseId }] : [],
    ),
  ];
  expect(new Set(active.map(pair))).toEqual(new Set(entitled.map(pair)));
  const bought = new Map<string, number>();
  for (const row of completed) bought.set(pair(row), (bought.get(pair(row)) ?? 0) + 1);
  expect(enrollments.map((row) => ({ pair: pair(row), purchases: row.purchases }))).toEqual(
    enrollments.map((row) => ({ pair: pair(row), purchases: bought.get(pair(row)) ?? 0 })),
  );
  for (const course of courses) {
    const own = completed.filter(({ courseId }) => courseId.equals(course._id));
    expect({
      students: course.totalEnrolledStudents,
      revenueMinor: course.revenueMinor,
      completedPurchases: course.completedPurchases,
    }).toEqual({
      students: active.filter(({ courseId }) => courseId.equals(course._id)).length,
      revenueMinor: money(own),
      completedPurchases: own.length,
    });
  }
  const dayOf = (row: (typeof purchases)[number]) =>
    `${row.courseId} ${row.completedAt?.toISOString().slice(0, 10) ?? ""}`;
  const sold = new Map(
    days.map(({ courseId, day, revenueMinor, sales }) => [`${courseId} ${day}`, { revenueMinor, sales }]),
  );
  for (const day of new Set([...sold.keys(), ...completed.map(dayOf)])) {
    const rows = completed.filter((row) => dayOf(row) === day);
    expect({ day, ...(sold.get(day) ?? { revenueMinor: 0, sales: 0 }) }).toEqual({
      day,
      revenueMinor: money(rows),
      sales: rows.length,
    });
  }
}
