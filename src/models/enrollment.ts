import { Schema, type Types } from "mongoose";

/**
 * One learner's seat in one course; the truth of "is enrolled". Active exactly while a completed purchase of the pair
 * exists. Written by commands/settle-enrollment.ts only.
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
  /** While a change is being made or counted: since when, and the token of whoever is at it. */
  unsettledSince?: Date;
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
    unsettledSince: Date,
  },
  { timestamps: true, versionKey: false },
);
enrollmentSchema.index({ userId: 1, courseId: 1 }, { unique: true });
enrollmentSchema.index({ userId: 1, active: 1, enrolledAt: 1, _id: 1 }); // a learner's own list, oldest first
enrollmentSchema.index({ courseId: 1, active: 1, enrolledAt: 1, _id: 1 }); // an educator's student list, oldest first
enrollmentSchema.index({ unsettledSince: 1 }, { sparse: true }); // what a crash left unfinished

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
