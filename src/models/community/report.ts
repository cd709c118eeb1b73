import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** What can be reported. */
export const targetKinds = ["post", "reply"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** A user's complaint about a post or reply; `open` until an administrator has dealt with it. */
export type Report = z.input<typeof reportRow>;
const reportRow = z.object({
  _id: objectIdField,
  reporterId: z.string(),
  targetKind: z.enum(targetKinds),
  targetId: objectIdField,
  /** The post itself, or the reply's post. */
  postId: objectIdField,
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
    [{ state: 1, createdAt: -1, _id: -1 }], // the administrators' list, by state or whole
    [{ createdAt: -1, _id: -1 }],
  ],
  holds: "complaint about a post or reply, for a moderator",
  kept: "for good; erasure takes the reporter out",
  userData: {
    owner: "reporterId",
    section: "reports",
    exported: ["targetKind", "targetId", "postId", "reason", "state", "createdAt", "updatedAt"],
    erasure: { anonymise: {} },
  },
});
