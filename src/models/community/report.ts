import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";

/** What can be reported. */
export const targetKinds = ["post", "reply"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** A user's complaint about a post or reply; `open` until an administrator has dealt with it. */
export interface Report {
  _id: Types.ObjectId;
  reporterId: string;
  targetKind: TargetKind;
  targetId: Types.ObjectId;
  /** The post itself, or the reply's post. */
  postId: Types.ObjectId;
  reason: string;
  state: "open" | "resolved";
  /** The administrator's user id. */
  resolvedBy: string | null;
  resolvedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const reportSchema = new Schema<Report>(
  {
    reporterId: { type: String, required: true },
    targetKind: { type: String, enum: targetKinds, required: true },
    targetId: { type: Schema.Types.ObjectId, required: true },
    postId: { type: Schema.Types.ObjectId, required: true },
    reason: { type: String, required: true },
    state: { type: String, enum: ["open", "resolved"], default: "open" },
    resolvedBy: { type: String, default: null },
    resolvedAt: { type: Date, default: null },
  },
  { timestamps: true },
);
reportSchema.index(
  { reporterId: 1, targetKind: 1, targetId: 1 },
  { unique: true, partialFilterExpression: { state: "open" } }, // one open report per user and target
);
reportSchema.index({ reporterId: 1 }); // what a reporter may see and erase
reportSchema.index({ postId: 1, state: 1 }); // the reports that a removal answers
reportSchema.index({ state: 1, createdAt: -1, _id: -1 }); // the administrators' list, by state or whole
reportSchema.index({ createdAt: -1, _id: -1 });

export const reportCollection = defineCollection<Report>({
  schema: reportSchema,
  holds: "complaint about a post or reply, for a moderator",
  kept: "for good; erasure takes the reporter out",
  userData: {
    owner: "reporterId",
    section: "reports",
    row: z.object({
      targetKind: z.string(),
      targetId: id,
      postId: id,
      reason: z.string(),
      state: optional.text,
      ...rowTimes,
    }),
    erasure: { anonymise: {} },
  },
});
