import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { utcDay } from "../../lib/days.js";
import { isObjectId } from "../../lib/fields.js";
import { addCourseDailySales } from "../../models/courses/course-daily-sales.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { findPurchase } from "../../models/payments/purchase-queries.js";
import { toMinor } from "./price.js";

/** Remembers the course of a purchase, so that the sale does not have to read it. */
export function rememberCourse(db: Db, { _id, courseId }: Pick<Purchase, "_id" | "courseId">): void {
  db.coursesOfPurchases.set(String(_id), String(courseId));
}

/** The transaction met another transaction, and the course of its purchase is not known. */
class Contended extends Error {}

/**
 * Runs a transaction about a purchase. Transactions of this process about one course run one after another, because all of
 * them write the course. For a purchase that another instance opened, the course is read only after a conflict, so that a
 * sale without one costs no further command.
 * @param purchaseId as it was reported: it may be no purchase at all.
 */
export async function saleTransaction<T>(
  db: Db,
  purchaseId: string | null,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const result = await withCourseMutex(db, purchaseId, work);
  // An invoice or a credit note may wait for its number.
  db.jobWakeups.emit("Purchase");
  return result;
}

async function withCourseMutex<T>(
  db: Db,
  purchaseId: string | null,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  if (purchaseId === null || !isObjectId(purchaseId)) return db.transaction(work);
  const known = db.coursesOfPurchases.get(purchaseId.toLowerCase());
  if (known) return db.transaction(work, { mutex: `course:${known}` });
  let attempts = 0;
  try {
    return await db.transaction((session) => {
      if (attempts++ > 0) throw new Contended();
      return work(session);
    });
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
  }
  const purchase = await findPurchase(db, { _id: new Types.ObjectId(purchaseId) });
  if (!purchase) return db.transaction(work);
  rememberCourse(db, purchase);
  return db.transaction(work, { mutex: `course:${purchase.courseId}` });
}

type Sold = Pick<Purchase, "courseId" | "amount" | "currency" | "completedAt">;

/**
 * Adds a completed purchase to the sales of its course and of the day of completion, or takes a purchase out.
 * @param change `students`: how the course's number of students changes.
 */
export async function recordSale(
  db: Db,
  session: ClientSession,
  { courseId, amount, currency, completedAt }: Sold,
  { sales, students }: { sales: 1 | -1; students: 1 | 0 | -1 },
): Promise<void> {
  const revenueMinor = sales * toMinor(amount, currency);
  const day = utcDay(completedAt ?? new Date());
  await addCourseDailySales(db, { courseId, day, revenueMinor, sales }, session);
  const enrolled = students !== 0 && { totalEnrolledStudents: students };
  await addCourseFigures(db, courseId, { revenueMinor, completedPurchases: sales, ...enrolled }, session);
}
