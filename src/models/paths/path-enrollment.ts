import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { enrollmentKinds } from "../enrollments/enrollment.js";
import { objectIdField, rowTimes } from "../row.js";

/**
 * One learner's hold on one path, as an `Enrollment` is on a course. It is in force while `active` and before `expiresAt`.
 * The completed purchases and active grants of the path keep the lists of courses. Written by services/enrollments only.
 */
export type PathEnrollment = z.input<typeof pathEnrollmentRow>;
const pathEnrollmentRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  pathId: objectIdField,
  /** Counted in the learners of the path. Stays true for up to a minute after `expiresAt`. */
  active: z.boolean(),
  kind: z.enum(enrollmentKinds),
  /** Number of completed purchases, whether or not their access has ended, and of active grants. */
  purchases: z.number(),
  grants: z.number(),
  /** The latest end of the access to its courses; null: never. */
  expiresAt: timestamp.nullable(),
  /** When the access of the purchases ends; null: never. Means nothing without a purchase. */
  boughtUntil: timestamp.nullable(),
  enrolledAt: timestamp,
  revokedAt: timestamp.nullable(),
  /** When the learner had completed all courses for the first time. */
  completedAt: timestamp.nullable(),
  ...rowTimes,
});

export const pathEnrollmentCollection = defineCollection({
  row: pathEnrollmentRow,
  indexes: [
    [{ userId: 1, pathId: 1 }, { unique: true }],
    [{ userId: 1, active: 1, enrolledAt: 1, _id: 1 }], // a learner's own, oldest first
    [{ pathId: 1, active: 1, kind: 1, enrolledAt: -1, _id: -1 }], // those of a path, newest first
    [{ active: 1, expiresAt: 1 }], // the job that ends them
  ],
  holds: "a learner's hold on a path: active or not, when it ends, when it was completed",
  kept: "for good; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "paths",
    exported: ["pathId", "active", "enrolledAt", "expiresAt", "revokedAt", "completedAt", "createdAt", "updatedAt"],
    erasure: "ownStep",
  },
});
