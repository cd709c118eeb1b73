import type { ClientSession, Model } from "mongoose";
import { z } from "zod";
import { defineCollection } from "../collection.js";
import { objectIdField, withDefault } from "../row.js";

/** What one course, or one path, sold on one UTC day. A refunded purchase leaves the day on which it was completed. */
export type CourseDailySales = z.input<typeof courseDailySalesRow>;
const courseDailySalesRow = z.object({
  _id: objectIdField,
  /** Id of the course, or of the path. */
  courseId: objectIdField,
  /** `YYYY-MM-DD`. */
  day: z.string(),
  /** Minor units over the completed purchases. */
  revenueMinor: withDefault(z.number(), 0),
  /** Number of completed purchases. */
  sales: withDefault(z.number(), 0),
});

export const courseDailySalesCollection = defineCollection({
  row: courseDailySalesRow,
  indexes: [
    [{ courseId: 1, day: 1 }, { unique: true }],
    [{ day: 1, revenueMinor: 1 }], // covers the revenue of a day
  ],
  holds: "sales of one course or path on one UTC day",
  kept: "for good",
  userData: "none",
});

/** Adds sales to days of courses, or takes them out. */
export async function addCourseDailySales(
  db: { readonly CourseDailySales: Model<CourseDailySales> },
  changes: readonly Omit<CourseDailySales, "_id">[],
  session: ClientSession,
): Promise<void> {
  if (changes.length === 0) return;
  const updates = changes.map(({ courseId, day, ...sold }) => ({
    updateOne: { filter: { courseId, day }, update: { $inc: sold }, upsert: true },
  }));
  await db.CourseDailySales.bulkWrite(updates, { session });
}
