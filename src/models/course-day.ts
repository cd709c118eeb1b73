import { Schema, type Types } from "mongoose";

/** The sales of one course that completed on one UTC day; a refunded one leaves its day. */
export interface CourseDay {
  _id: Types.ObjectId;
  courseId: Types.ObjectId;
  /** `YYYY-MM-DD`. */
  day: string;
  /** Minor units. */
  revenueMinor: number;
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
courseDaySchema.index({ day: 1, revenueMinor: 1 }); // covers the sum of each day
