import { Schema, type Types } from "mongoose";
import type { Models } from "./index.js";
import { nativeCollection } from "./native-collection.js";

/**
 * One learner's access to one course; the truth of "is enrolled". Active exactly while a completed purchase of the pair
 * exists. Written by services/enrollments/enrollment.ts only.
 */
export interface Enrollment {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  active: boolean;
  /** Number of completed purchases of the learner and course. */
  purchases: number;
  enrolledAt: Date;
  revokedAt: Date | null;
  /**
   * When the earliest completed purchase was created; null until it is looked up for the educator's list, and again
   * after each purchase and refund (services/enrollments/purchase-dates.ts).
   */
  purchasedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const enrollmentSchema = new Schema<Enrollment>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    active: { type: Boolean, required: true },
    purchases: { type: Number, default: 1 },
    enrolledAt: { type: Date, required: true },
    revokedAt: { type: Date, default: null },
    purchasedAt: { type: Date, default: null },
  },
  { timestamps: true, versionKey: false },
);
enrollmentSchema.index({ userId: 1, courseId: 1 }, { unique: true });
enrollmentSchema.index({ userId: 1, active: 1, enrolledAt: 1, _id: 1 }); // a learner's own list, oldest first
enrollmentSchema.index({ courseId: 1, active: 1, enrolledAt: 1, _id: 1 }); // an educator's student list, oldest first
enrollmentSchema.index({ courseId: 1, active: 1, purchasedAt: 1, enrolledAt: 1, _id: 1 }); // the same by purchase

/** Courses that a learner is enrolled in, oldest enrollment first. */
export async function findEnrolledCourseIds(db: Models, userId: string): Promise<Types.ObjectId[]> {
  const enrollments = await nativeCollection(db.Enrollment)
    .find({ userId, active: true }, { projection: { courseId: 1 }, sort: { enrolledAt: 1, _id: 1 } })
    .toArray();
  return enrollments.map(({ courseId }) => courseId);
}
