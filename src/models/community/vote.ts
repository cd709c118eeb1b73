import { type ClientSession, mongo, Schema, type Types } from "mongoose";
import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";

/** One user's upvote of one post or reply. */
export interface Vote {
  _id: Types.ObjectId;
  userId: string;
  /** The post or the reply. */
  targetId: Types.ObjectId;
  /** The post itself, or the reply's post. */
  postId: Types.ObjectId;
  createdAt: Date;
}

const voteSchema = new Schema<Vote>(
  {
    userId: { type: String, required: true },
    targetId: { type: Schema.Types.ObjectId, required: true },
    postId: { type: Schema.Types.ObjectId, required: true },
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false },
);
voteSchema.index({ userId: 1, targetId: 1 }, { unique: true }); // also a caller's votes on a page of posts
voteSchema.index({ userId: 1, postId: 1, targetId: 1 }); // a caller's votes on a post and its replies, from the index alone
voteSchema.index({ postId: 1, targetId: 1 }); // the votes that are removed with a post, or with a reply

export const voteCollection = defineCollection<Vote>({
  schema: voteSchema,
  holds: "one upvote of a post or reply",
  kept: "until taken back; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "votes",
    row: z.object({ targetId: id, postId: id, createdAt: timestamp }),
    erasure: { anonymise: {} },
  },
});

/** Stores a vote; the unique index refuses a second one of the user for the target. */
export async function insertVote(
  db: Models,
  vote: Pick<Vote, "userId" | "targetId" | "postId">,
  session: ClientSession,
): Promise<void> {
  const stored = { _id: new mongo.ObjectId(), ...vote, createdAt: new Date() };
  await nativeCollection(db.Vote).insertOne(stored, { session });
}

/** @returns whether there was one. */
export async function deleteVote(
  db: Models,
  { userId, targetId }: Pick<Vote, "userId" | "targetId">,
  session: ClientSession,
): Promise<boolean> {
  return (await nativeCollection(db.Vote).deleteOne({ userId, targetId }, { session })).deletedCount > 0;
}

/** Deletes all votes for a reply. */
export async function deleteVotesOfReply(
  db: Models,
  { postId, _id }: { postId: Types.ObjectId; _id: Types.ObjectId },
  session: ClientSession,
): Promise<void> {
  await nativeCollection(db.Vote).deleteMany({ postId, targetId: _id }, { session });
}

/** A post and its replies: those that a user has upvoted. */
export async function findUpvotedOfPost(db: Models, userId: string, postId: Types.ObjectId): Promise<Types.ObjectId[]> {
  const votes = await nativeCollection(db.Vote)
    .find({ userId, postId }, { projection: { targetId: 1, _id: 0 } })
    .toArray();
  return votes.map(({ targetId }) => targetId);
}

/** Those of some posts and replies that a user has upvoted. */
export async function findUpvoted(
  db: Models,
  userId: string,
  targetIds: readonly Types.ObjectId[],
): Promise<Types.ObjectId[]> {
  const votes = await nativeCollection(db.Vote)
    .find({ userId, targetId: { $in: [...targetIds] } }, { projection: { targetId: 1, _id: 0 } })
    .toArray();
  return votes.map(({ targetId }) => targetId);
}
