import { Schema, type Types } from "mongoose";

/** What one course sold on one UTC day. A refunded purchase leaves the day on which it was completed. */
export interface CourseDay {
  _id: Types.ObjectId;
  courseId: Types.ObjectId;
  /** `YYYY-MM-DD`. */
  day: string;
  /** Minor units over the completed purchases. */
  revenueMinor: number;
  /** Number of completed purchases. */
  sales: number;
}

export const courseDaySchema = new Schema<CourseDay>(
  {
    courseId: { type: Schema.Types.ObjectId, required: true },
    day: { type: String, required: true },
    revenueMinor: { type: Number, default: 0 },
    sales: { type: Number, default: 0 },
  },
  { versionKey: false },
);
courseDaySchema.index({ courseId: 1, day: 1 }, { unique: true });
courseDaySchema.index({ day: 1, revenueMinor: 1 }); // covers the revenue of a day
