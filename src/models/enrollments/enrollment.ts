import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";

/** Origin of an enrollment: a paid purchase, a free purchase, or a grant alone. */
export const enrollmentKinds = ["purchase", "free", "grant"] as const;
export type EnrollmentKind = (typeof enrollmentKinds)[number];

/**
 * How far a learner has come. `reset`: progress went back to nothing, and a quiz attempt from before may still count as
 * activity. Whether a learner who has begun is stalled depends on the clock, so that it is not stored.
 */
export const learnerPhases = ["not_started", "reset", "begun", "completed"] as const;
export type LearnerPhase = (typeof learnerPhases)[number];

/** `lastActiveAt` of a learner who has done nothing. A date, because a cursor cannot stand behind null. */
export const neverActive = new Date(0);

/**
 * One learner's access to one course; the truth of "is enrolled". It is in force while `active` and before `expiresAt`:
 * as long as one completed purchase or one grant of the pair gives access. Written by services/enrollments only.
 */
export interface Enrollment {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  /** Counted in the course's students. Stays true for up to a minute after `expiresAt`. */
  active: boolean;
  kind: EnrollmentKind;
  /** Number of completed purchases of the learner and course, whether or not their access has ended. */
  purchases: number;
  /** Number of active grants of the learner and course. */
  grants: number;
  /** When the last of all access ends; null: never. */
  expiresAt: Date | null;
  /** When the access of the purchases ends; null: never. Means nothing without a purchase. */
  boughtUntil: Date | null;
  enrolledAt: Date;
  revokedAt: Date | null;
  /** When the purchase that gives access was created, the earliest of several; of a grant, when access began. */
  purchasedAt: Date;
  /** Number of completed lectures that the course has now. */
  lecturesDone: number;
  /** Number of quiz attempts, and the best percentage among them; 0 without an attempt. */
  quizAttempts: number;
  bestQuizPercent: number;
  phase: LearnerPhase;
  /** When the learner completed a lecture or attempted a quiz last; `neverActive` before. */
  lastActiveAt: Date;
  /** When the learner completed the course. */
  courseCompletedAt: Date | null;
  /** Lectures that were completed before a reset. Completing one again is no further event. */
  lecturesBeforeReset?: readonly string[];
  createdAt: Date;
  updatedAt: Date;
}

const enrollmentSchema = new Schema<Enrollment>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    active: { type: Boolean, required: true },
    kind: { type: String, enum: enrollmentKinds, default: "purchase" },
    purchases: { type: Number, default: 1 },
    grants: { type: Number, default: 0 },
    expiresAt: { type: Date, default: null },
    boughtUntil: { type: Date, default: null },
    enrolledAt: { type: Date, required: true },
    revokedAt: { type: Date, default: null },
    purchasedAt: {
      type: Date,
      required: true,
      default(this: Enrollment) {
        return this.enrolledAt;
      },
    },
    lecturesDone: { type: Number, default: 0 },
    quizAttempts: { type: Number, default: 0 },
    bestQuizPercent: { type: Number, default: 0 },
    phase: { type: String, enum: learnerPhases, default: "not_started" },
    lastActiveAt: { type: Date, default: neverActive },
    courseCompletedAt: { type: Date, default: null },
    lecturesBeforeReset: { type: [String], default: undefined },
  },
  { timestamps: true },
);
enrollmentSchema.index({ userId: 1, courseId: 1 }, { unique: true });
enrollmentSchema.index({ userId: 1, active: 1, enrolledAt: 1, _id: 1 }); // a learner's own list, oldest first
enrollmentSchema.index({ courseId: 1, active: 1, enrolledAt: 1, _id: 1 }); // an educator's student list, oldest first
enrollmentSchema.index({ courseId: 1, active: 1, purchasedAt: 1, _id: 1 }); // the same by purchase
enrollmentSchema.index({ courseId: 1, active: 1, userId: 1 }); // the users whom a key with `courseIds` sees
enrollmentSchema.index({ active: 1, kind: 1, boughtUntil: 1 }); // the job that finds grants that outlive a purchase
enrollmentSchema.index({ active: 1, kind: 1, enrolledAt: -1, _id: -1 }); // bought ones, newest first
enrollmentSchema.index({ courseId: 1, active: 1, kind: 1, enrolledAt: -1, _id: -1 }); // the same of one course
enrollmentSchema.index({ active: 1, expiresAt: 1 }); // the job that ends them
// The learners of a course by activity, by progress, and those of one phase by each order.
enrollmentSchema.index({ courseId: 1, active: 1, lastActiveAt: -1, _id: -1 });
enrollmentSchema.index({ courseId: 1, active: 1, lecturesDone: -1, _id: -1 });
enrollmentSchema.index({ courseId: 1, active: 1, phase: 1, enrolledAt: -1, _id: -1 });
enrollmentSchema.index({ courseId: 1, active: 1, phase: 1, lastActiveAt: -1, _id: -1 });
enrollmentSchema.index({ courseId: 1, active: 1, phase: 1, lecturesDone: -1, _id: -1 });

export const enrollmentCollection = defineCollection<Enrollment>({
  schema: enrollmentSchema,
  holds: "access to a course: active or not, when it ends, number of completed purchases and grants",
  kept: "for good; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "enrollments",
    row: z.object({
      courseId: id,
      active: z.boolean(),
      enrolledAt: timestamp,
      expiresAt: optional.time,
      revokedAt: optional.time,
      ...rowTimes,
    }),
    erasure: "ownStep",
  },
});

/**
 * Filters enrollments that give access now. `$nor` replaces `$not`, because with `$not` a planner prefers the index of the
 * date to the index that holds the order of the list.
 */
export const inForce = (now = new Date()) => ({ active: true, $nor: [{ expiresAt: { $lte: now } }] });

/** Whether an end has not come; null means never. */
export const isAhead = (until: Date | null | undefined, now = new Date()): boolean => !until || until > now;

/** Whether the enrollment gives access now. */
export const isInForce = ({ active, expiresAt }: Pick<Enrollment, "active" | "expiresAt">, now = new Date()): boolean =>
  active && isAhead(expiresAt, now);

/** Whether a purchase, or a free one, gives the learner access now. */
export const isBoughtInForce = (
  { active, purchases, boughtUntil }: Pick<Enrollment, "active" | "purchases" | "boughtUntil">,
  now = new Date(),
): boolean => active && purchases !== 0 && isAhead(boughtUntil, now);

/** Filters enrollments in which a purchase gives access now. */
export const boughtInForce = (now = new Date()) => ({
  active: true,
  purchases: { $ne: 0 },
  $nor: [{ boughtUntil: { $lte: now } }],
});
