import { Schema, type Types } from "mongoose";

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

/** What one learner has done in one course. `completed` is final, and is set together with the certificate's row. */
export interface CourseProgress {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  lectureCompleted: string[];
  completed: boolean;
  completedAt: Date | null;
  /** The lecture of the newest progress call, and where in it the learner was, in seconds. */
  lastLectureId: string | null;
  positionSeconds: number;
  createdAt: Date;
  updatedAt: Date;
}

export const courseProgressSchema = new Schema<CourseProgress>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    lectureCompleted: { type: [String], default: [] },
    completed: { type: Boolean, default: false },
    completedAt: { type: Date, default: null },
    lastLectureId: { type: String, default: null },
    positionSeconds: { type: Number, default: 0 },
  },
  { timestamps: true, versionKey: false },
);
courseProgressSchema.index({ userId: 1, courseId: 1 }, { unique: true });
courseProgressSchema.index({ userId: 1, completed: 1, updatedAt: -1 }); // where a learner can go on, newest first
