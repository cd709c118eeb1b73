import { Schema, type Types } from "mongoose";

/**
 * One learner's seat in one course; the truth of "is enrolled". Active exactly while a completed purchase of the pair
 * exists. Written by commands/complete-purchase.ts and its refund counterpart only.
 */
export interface Enrollment {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  active: boolean;
  enrolledAt: Date;
  revokedAt: Date | null;
  /** Raised by every activation and revocation: names the change in counters. */
  change: number;
  /** The highest `change` that the derived counters hold. */
  countedChange: number;
  createdAt: Date;
  updatedAt: Date;
}

export const enrollmentSchema = new Schema<Enrollment>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    active: { type: Boolean, required: true },
    enrolledAt: { type: Date, required: true },
    revokedAt: { type: Date, default: null },
    change: { type: Number, default: 1 },
    countedChange: { type: Number, default: 0 },
  },
  { timestamps: true, versionKey: false },
);
enrollmentSchema.index({ userId: 1, courseId: 1 }, { unique: true });
enrollmentSchema.index({ userId: 1, active: 1, enrolledAt: 1 }); // a learner's own list, oldest first
enrollmentSchema.index({ courseId: 1, active: 1, enrolledAt: 1 }); // an educator's student list, oldest first

/** What one learner has done in one course. `completed` latches. */
export interface CourseProgress {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  lectureCompleted: string[];
  completed: boolean;
  completedAt: Date | null;
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
  },
  { timestamps: true, versionKey: false },
);
courseProgressSchema.index({ userId: 1, courseId: 1 }, { unique: true });
courseProgressSchema.index({ userId: 1, updatedAt: -1 });
