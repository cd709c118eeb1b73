import { z } from "zod";
import { dayMs } from "../../lib/days.js";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** Origin of an enrollment: a paid purchase, a free purchase, or a grant alone. */
export const enrollmentKinds = ["purchase", "free", "grant"] as const;
export type EnrollmentKind = (typeof enrollmentKinds)[number];

/**
 * How far a learner has come. `reset`: progress went back to nothing, and a quiz attempt from before may still count as
 * activity. Whether a learner who has begun is stalled depends on the clock, so that it is not stored.
 */
export const learnerPhases = ["not_started", "reset", "begun", "completed"] as const;

/** `lastActiveAt` of a learner who has done nothing. A date, because a cursor cannot stand behind null. */
export const neverActive = new Date(0);

/**
 * One learner's access to one course; the truth of "is enrolled". It is in force while `active` and before `expiresAt`:
 * as long as one completed purchase or one grant of the pair gives access. Written by services/enrollments only.
 */
export type Enrollment = z.input<typeof enrollmentRow>;
const enrollmentRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  courseId: objectIdField,
  /** Counted in the course's students. Stays true for up to a minute after `expiresAt`. */
  active: z.boolean(),
  kind: withDefault(z.enum(enrollmentKinds), "purchase"),
  /** Number of completed purchases of the learner and course, whether or not their access has ended. */
  purchases: withDefault(z.number(), 1),
  /** Number of active grants of the learner and course. */
  grants: withDefault(z.number(), 0),
  /** When the last of all access ends; null: never. */
  expiresAt: timestamp.nullable(),
  /** When the access of the purchases ends; null: never. Means nothing without a purchase. */
  boughtUntil: timestamp.nullable(),
  /** Set once a purchase or a grant of a path has given access, so that paths are looked at. */
  viaPath: z.boolean().exactOptional(),
  enrolledAt: timestamp,
  revokedAt: timestamp.nullable(),
  /** When the purchase that gives access was created, the earliest of several; of a grant, when access began. */
  purchasedAt: withDefault(timestamp, function (this: { enrolledAt: Date }) {
    return this.enrolledAt;
  }),
  /** Number of completed lectures that the course has now. */
  lecturesDone: withDefault(z.number(), 0),
  /** Number of quiz attempts, and the best percentage among them; 0 without an attempt. */
  quizAttempts: withDefault(z.number(), 0),
  bestQuizPercent: withDefault(z.number(), 0),
  phase: withDefault(z.enum(learnerPhases), "not_started"),
  /** When the learner completed a lecture or attempted a quiz last; `neverActive` before. */
  lastActiveAt: withDefault(timestamp, neverActive),
  /** When the learner completed the course. */
  courseCompletedAt: timestamp.nullable(),
  /** When the learner is to get a notice of the end of the access; absent once it was made. */
  noticeDueAt: timestamp.exactOptional(),
  /** Lectures that were completed before a reset. Completing one again is no further event. */
  lecturesBeforeReset: z.array(z.string()).exactOptional(),
  ...rowTimes,
});

export const enrollmentCollection = defineCollection({
  row: enrollmentRow,
  indexes: [
    [{ userId: 1, courseId: 1 }, { unique: true }],
    [{ userId: 1, active: 1, enrolledAt: 1, _id: 1 }], // a learner's own list, oldest first
    [{ courseId: 1, active: 1, enrolledAt: 1, _id: 1 }], // an educator's student list, oldest first
    [{ courseId: 1, active: 1, purchasedAt: 1, _id: 1 }], // the same by purchase
    [{ courseId: 1, active: 1, userId: 1 }], // the users whom a key with `courseIds` sees
    [{ active: 1, kind: 1, boughtUntil: 1 }], // the job that finds grants that outlive a purchase
    [{ active: 1, kind: 1, enrolledAt: -1, _id: -1 }], // bought ones, newest first
    [{ courseId: 1, active: 1, kind: 1, enrolledAt: -1, _id: -1 }], // the same of one course
    [{ active: 1, expiresAt: 1 }], // the job that ends them
    [{ noticeDueAt: 1 }, { sparse: true }],
    // The learners of a course by activity, by progress, and those of one phase by each order.
    [{ courseId: 1, active: 1, lastActiveAt: -1, _id: -1 }],
    [{ courseId: 1, active: 1, lecturesDone: -1, _id: -1 }],
    [{ courseId: 1, active: 1, phase: 1, enrolledAt: -1, _id: -1 }],
    [{ courseId: 1, active: 1, phase: 1, lastActiveAt: -1, _id: -1 }],
    [{ courseId: 1, active: 1, phase: 1, lecturesDone: -1, _id: -1 }],
  ],
  holds: "access to a course: active or not, when it ends, number of completed purchases and grants",
  kept: "for good; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "enrollments",
    exported: ["courseId", "active", "enrolledAt", "expiresAt", "revokedAt", "createdAt", "updatedAt"],
    erasure: "ownStep",
  },
});

/**
 * Filters enrollments that give access now. `$nor` replaces `$not`, because with `$not` a planner prefers the index of the
 * date to the index that holds the order of the list.
 */
export const inForce = (now = new Date()) => ({ active: true, $nor: [{ expiresAt: { $lte: now } }] });

/** When a learner is to get a notice of the end of an access. */
export const endNoticeAt = (expiresAt: Date): Date => new Date(expiresAt.getTime() - 3 * dayMs);

/** Whether an end has not come; null means never. */
export const isAhead = (until: Date | null | undefined, now = new Date()): boolean => !until || until > now;

/** Whether the enrollment gives access now. */
export const isInForce = ({ active, expiresAt }: Pick<Enrollment, "active" | "expiresAt">, now = new Date()): boolean =>
  active && isAhead(expiresAt, now);

/** Filters enrollments in which a purchase gives access now. */
export const boughtInForce = (now = new Date()) => ({
  active: true,
  purchases: { $ne: 0 },
  $nor: [{ boughtUntil: { $lte: now } }],
});
