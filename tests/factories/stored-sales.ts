import { randomUUID } from "node:crypto";
import type { Types } from "mongoose";
import type { Db } from "../../src/db/db.js";

/**
 * Adds learners who each bought `courseId` once for `price` (major unit), written the way the application leaves them.
 * For amounts of data that buying through the API would take too long for.
 */
export async function addSales(
  db: Db,
  courseId: Types.ObjectId,
  learners: number,
  { price = 100, imageUrl = "" }: { price?: number; imageUrl?: string } = {},
): Promise<void> {
  const userIds = Array.from({ length: learners }, (_, n) => `user_${randomUUID().replaceAll("-", "")}_${n}`);
  const at = new Date();
  const pair = { courseId, createdAt: at, updatedAt: at };
  const revenueMinor = price * 100 * learners;
  await db.User.insertMany(userIds.map((_id, n) => ({ _id, name: `Learner ${n}`, imageUrl })));
  await db.Purchase.insertMany(
    userIds.map((userId) => ({
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
    userIds.map((userId) => ({ ...pair, userId, active: true, enrolledAt: at, purchases: 1 })),
  );
  await db.Course.updateOne(
    { _id: courseId },
    {
      $inc: { totalEnrolledStudents: learners, completedPurchases: learners, revenueMinor },
      $currentDate: { figuresChangedAt: true },
    },
    { timestamps: false },
  );
  await db.CourseDay.updateOne(
    { courseId, day: at.toISOString().slice(0, 10) },
    { $inc: { revenueMinor, sales: learners } },
    { upsert: true },
  );
}
