import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { setPurchaseDates } from "../../models/enrollments/enrollment-queries.js";
import type { Purchase } from "../../models/payments/purchase.js";

type Undated = Pick<Enrollment, "_id" | "userId" | "courseId" | "enrolledAt" | "updatedAt">;

const coursesAtATime = 100;
const rowsAtATime = 500;

/**
 * Gives every active enrollment of these courses that has no purchase date its date. A grant and a refund take the date
 * away, in their transactions; so each costs one write here, before the list that is ordered by it is read.
 */
export async function fillPurchaseDates(db: Db, courseIds: readonly Types.ObjectId[]): Promise<void> {
  for (let from = 0; from < courseIds.length; from += coursesAtATime) {
    const courses = courseIds.slice(from, from + coursesAtATime);
    let undated: Undated[];
    let dated: number;
    do {
      undated = await db.Enrollment.find(
        { courseId: { $in: courses }, active: true, purchasedAt: null },
        { userId: 1, courseId: 1, enrolledAt: 1, updatedAt: 1 },
      )
        .limit(rowsAtATime)
        .lean<Undated[]>();
      dated = undated.length > 0 ? await giveDates(db, undated) : 0;
      // Rows that change at this moment are left to the next call.
    } while (undated.length === rowsAtATime && dated > 0);
  }
}

/** @returns how many have a date now; those that have changed meanwhile have none. */
async function giveDates(db: Db, enrollments: readonly Undated[]): Promise<number> {
  const purchases = await db.Purchase.find(
    {
      courseId: { $in: unique(enrollments.map(({ courseId }) => courseId)) },
      userId: { $in: [...new Set(enrollments.map(({ userId }) => userId))] },
      status: "completed",
    },
    { userId: 1, courseId: 1, createdAt: 1, _id: 0 },
  ).lean<Pick<Purchase, "userId" | "courseId" | "createdAt">[]>();
  const bought = new Map<string, Date>();
  for (const { userId, courseId, createdAt } of purchases) {
    const key = `${courseId}:${userId}`;
    const known = bought.get(key);
    if (!known || createdAt < known) bought.set(key, createdAt);
  }
  const dated = enrollments.map(({ _id, userId, courseId, enrolledAt, updatedAt }) => ({
    ...{ _id, updatedAt },
    purchasedAt: bought.get(`${courseId}:${userId}`) ?? enrolledAt,
  }));
  return setPurchaseDates(db, dated);
}

const unique = (ids: readonly Types.ObjectId[]): Types.ObjectId[] => [
  ...new Map(ids.map((id) => [String(id), id])).values(),
];
