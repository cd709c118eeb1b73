import { Schema, type Types } from "mongoose";
import { type CountedFact, countedFact } from "./counted-fact.js";

/** What can be voted on, and reported. */
export type TargetKind = "post" | "reply";
export const targetKinds = ["post", "reply"] as const;

/** One person's upvote of one post or reply. */
export interface Vote extends CountedFact {
  userId: string;
  targetKind: TargetKind;
  targetId: Types.ObjectId;
  createdAt: Date;
  updatedAt: Date;
}

export const voteSchema = new Schema<Vote>(
  {
    userId: { type: String, required: true },
    targetKind: { type: String, enum: targetKinds, required: true },
    targetId: { type: Schema.Types.ObjectId, required: true },
    ...countedFact,
  },
  { timestamps: true, versionKey: false },
);
// Also a caller's votes on a page of posts.
voteSchema.index({ userId: 1, targetKind: 1, targetId: 1 }, { unique: true });
voteSchema.index({ targetKind: 1, targetId: 1 }); // the votes that go with a post or reply
voteSchema.index({ unsettledSince: 1 }, { sparse: true }); // what a crash left half-done
