import { randomUUID } from "node:crypto";
import type { Types } from "mongoose";
import type { Db } from "../../src/db/db.js";

/**
 * Adds learners who each bought `courseId` once for `price` (major unit), written the way the application leaves them:
 * applied, counted, and in every total. For amounts of data that buying through the API would take too long for.
 */
export async function addSales(db: Db, courseId: Types.ObjectId, learners: number, price = 100): Promise<void> {
  const people = Array.from({ length: learners }, (_, n) => `user_${randomUUID().replaceAll("-", "")}_${n}`);
  const at = new Date();
  const pair = { courseId, createdAt: at, updatedAt: at };
  const revenueMinor = price * 100 * learners;
  await db.User.insertMany(
    people.map((_id, n) => ({ _id, name: `Learner ${n}`, providerUpdatedAt: 1, counted: true })),
  );
  await db.Purchase.insertMany(
    people.map((userId) => ({
      ...pair,
      userId,
      amount: price,
      currency: "INR",
      status: "completed",
      completedAt: at,
      providerOrderId: `order_${userId}`,
      providerPaymentId: `pay_${userId}`,
    })),
  );
  await db.Enrollment.insertMany(
    people.map((userId) => ({ ...pair, userId, active: true, enrolledAt: at, change: 1, countedChange: 1 })),
  );
  const upsert = { upsert: true };
  await db.Course.updateOne(
    { _id: courseId },
    { $inc: { totalEnrolledStudents: learners, completedPurchases: learners, revenueMinor } },
  );
  await db.RevenueDay.updateOne({ _id: at.toISOString().slice(0, 10) }, { $inc: { revenueMinor } }, upsert);
  await db.PlatformTotals.updateOne({ _id: "platform" }, { $inc: { revenueMinor, enrollments: learners } }, upsert);
  await db.PeopleTotal.updateOne({ _id: "people" }, { $inc: { people: learners } }, upsert);
}
