import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { addCourseDaySales } from "../../models/courses/course-day.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { toMinor } from "./price.js";

type Sold = Pick<Purchase, "courseId" | "amount" | "currency" | "completedAt">;

/**
 * Adds a completed purchase to what its course, and the day it was completed, have sold; or takes a refunded one out.
 * @param change `students`: how the number of students changes with it.
 */
export async function recordSale(
  db: Db,
  session: ClientSession,
  { courseId, amount, currency, completedAt }: Sold,
  { sales, students }: { sales: 1 | -1; students: 1 | 0 | -1 },
): Promise<void> {
  const revenueMinor = sales * toMinor(amount, currency);
  const day = (completedAt ?? new Date()).toISOString().slice(0, 10);
  await addCourseDaySales(db, { courseId, day, revenueMinor, sales }, session);
  const enrolled = students === 0 ? {} : { totalEnrolledStudents: students };
  await addCourseFigures(db, courseId, { revenueMinor, completedPurchases: sales, ...enrolled }, session);
}
