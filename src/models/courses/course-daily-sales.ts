import { type ClientSession, Schema, type Types } from "mongoose";
import { defineCollection } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";

/** What one course sold on one UTC day. A refunded purchase leaves the day on which it was completed. */
export interface CourseDailySales {
  _id: Types.ObjectId;
  courseId: Types.ObjectId;
  /** `YYYY-MM-DD`. */
  day: string;
  /** Minor units over the completed purchases. */
  revenueMinor: number;
  /** Number of completed purchases. */
  sales: number;
}

const courseDailySalesSchema = new Schema<CourseDailySales>({
  courseId: { type: Schema.Types.ObjectId, required: true },
  day: { type: String, required: true },
  revenueMinor: { type: Number, default: 0 },
  sales: { type: Number, default: 0 },
});
courseDailySalesSchema.index({ courseId: 1, day: 1 }, { unique: true });
courseDailySalesSchema.index({ day: 1, revenueMinor: 1 }); // covers the revenue of a day

export const courseDailySalesCollection = defineCollection<CourseDailySales>({
  schema: courseDailySalesSchema,
  holds: "sales of one course on one UTC day",
  kept: "for good",
  userData: "none",
});

/** Adds sales, or takes them out, on a day of a course. */
export async function addCourseDailySales(
  db: Models,
  { courseId, day, ...sold }: Omit<CourseDailySales, "_id">,
  session: ClientSession,
): Promise<void> {
  await nativeCollection(db.CourseDailySales).updateOne({ courseId, day }, { $inc: sold }, { session, upsert: true });
}
