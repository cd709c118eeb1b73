import { expect } from "vitest";
import type { Db } from "../../src/db/db.js";
import { accessUntil } from "../../src/services/enrollments/access-until.js";
import { missingRows, wrongCounters } from "./recount.js";

/**
 * Expects active enrollments exactly for purchases and grants with access, and every sales figure to equal a recount.
 * An enrollment whose time is over must have ended.
 */
export async function expectRecount({ deps: { db } }: { readonly deps: { readonly db: Db } }): Promise<void> {
  const [grants, completed, active] = await Promise.all([
    db.Grant.find({ state: "active" }).lean(),
    db.Purchase.find({ status: "completed" }).lean(),
    db.Enrollment.find({ active: true }).lean(),
  ]);
  const pair = (row: { userId: string | null; courseId: unknown }) => `${row.userId} ${row.courseId}`;
  const isAhead = (until: Date | null) => until === null || until.getTime() > Date.now();
  const entitled = [
    ...completed.filter((row) => isAhead(accessUntil(row))),
    ...grants.filter(({ expiresAt }) => isAhead(expiresAt)),
  ];
  expect(new Set(active.map(pair))).toEqual(new Set(entitled.map(pair)));
  expect(await wrongCounters(db, "Course", "CourseDay", "Enrollment")).toEqual([]);
  expect(await missingRows(db)).toEqual([]);
}
