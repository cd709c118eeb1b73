import { randomUUID } from "node:crypto";
import type { Model, Types } from "mongoose";
import type { Db } from "../../src/db/db.js";

/**
 * Stores learners who each bought `courseId` once for `price` (major units), in the application's format. It suits
 * amounts of data that would take too long through the API.
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
  await insertRows(
    db.User,
    userIds.map((_id, n) => ({ _id, name: `Learner ${n}`, imageUrl, createdAt: at, updatedAt: at })),
  );
  await insertRows(
    db.Purchase,
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
  await insertRows(
    db.Enrollment,
    userIds.map((userId) => ({ ...pair, userId, active: true, enrolledAt: at, purchasedAt: at, purchases: 1 })),
  );
  await db.Course.updateOne(
    { _id: courseId },
    { $inc: { totalEnrolledStudents: learners, completedPurchases: learners, revenueMinor } },
    { timestamps: false },
  );
  await db.CourseDailySales.updateOne(
    { courseId, day: at.toISOString().slice(0, 10) },
    { $inc: { revenueMinor, sales: learners } },
    { upsert: true },
  );
}

/** Stores rows with the model's defaults, which mongoose would compute for each row. */
export async function insertRows<T>(model: Model<T>, rows: readonly Partial<T>[]): Promise<void> {
  const { _id, ...defaults } = new model(rows[0]).toObject();
  await model.collection.insertMany(rows.map((row) => ({ ...defaults, ...row })) as never);
}
