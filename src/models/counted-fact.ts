import type { Types } from "mongoose";

/**
 * `adding`: stored, perhaps not yet in the counter it belongs to. `in`: counted. `removing`: invisible to readers,
 * perhaps still in the counter; about to be deleted.
 */
export type FactState = "adding" | "in" | "removing";

/**
 * A document that a counter of another document stands for: a vote (`upvoteCount`), a membership (`memberCount`), a
 * reply (`replyCount`), a post (`postCount` of its group, and the total of posts). Its state is moved by
 * commands/counted-fact.ts alone.
 */
export interface CountedFact {
  _id: Types.ObjectId;
  state: FactState;
  /** While not `in`: since when somebody is at it, and the token of whoever that is. Absent once settled. */
  unsettledSince?: Date;
}

/**
 * The schema fields of a counted fact. Each schema also has a sparse index on `unsettledSince`, for what a crash left.
 */
export const countedFact = {
  state: { type: String, enum: ["adding", "in", "removing"], required: true },
  unsettledSince: { type: Date },
};
