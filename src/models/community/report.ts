import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** What can be reported. */
export const targetKinds = ["post", "reply", "review"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** A user's complaint about a post, a reply or a review; `open` until an administrator has dealt with it. */
export type Report = z.input<typeof reportRow>;
const reportRow = z.object({
  _id: objectIdField,
  reporterId: z.string(),
  targetKind: z.enum(targetKinds),
  targetId: objectIdField,
  /** The post itself, or the reply's post; absent for a review. */
  postId: objectIdField.exactOptional(),
  /** The course of a review. */
  courseId: objectIdField.exactOptional(),
  reason: z.string(),
  state: withDefault(z.enum(["open", "resolved"]), "open"),
  /** The administrator's user id. */
  resolvedBy: z.string().nullable(),
  resolvedAt: timestamp.nullable(),
  ...rowTimes,
});

export const reportCollection = defineCollection({
  row: reportRow,
  indexes: [
    // One open report per user and target.
    [
      { reporterId: 1, targetKind: 1, targetId: 1 },
      { unique: true, partialFilterExpression: { state: "open" } },
    ],
    [{ reporterId: 1 }], // what a reporter may see and erase
    [{ postId: 1, state: 1 }], // the reports that a removal answers
    [{ targetId: 1, state: 1 }], // the reports that hiding a review answers
    [{ state: 1, createdAt: -1, _id: -1 }], // the administrators' list, by state or whole
    [{ createdAt: -1, _id: -1 }],
  ],
  holds: "complaint about a post, a reply or a review, for a moderator",
  kept: "for good; erasure takes the reporter out",
  userData: {
    owner: "reporterId",
    section: "reports",
    exported: ["targetKind", "targetId", "postId", "courseId", "reason", "state", "createdAt", "updatedAt"],
    erasure: { anonymise: {} },
  },
});
