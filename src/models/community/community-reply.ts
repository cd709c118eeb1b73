import { type ClientSession, Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";

/** A reply to a post; removed with it. */
export interface CommunityReply {
  _id: Types.ObjectId;
  postId: Types.ObjectId;
  /** User id. */
  authorId: string;
  authorName: string;
  authorImage: string;
  content: string;
  /** Number of votes. */
  upvoteCount: number;
  editedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const communityReplySchema = new Schema<CommunityReply>(
  {
    postId: { type: Schema.Types.ObjectId, required: true },
    authorId: { type: String, required: true },
    authorName: { type: String, default: "" },
    authorImage: { type: String, default: "" },
    content: { type: String, required: true },
    upvoteCount: { type: Number, default: 0 },
    editedAt: { type: Date, default: null },
  },
  { timestamps: true, versionKey: false },
);
communityReplySchema.index({ authorId: 1 }); // what an author may see and erase
communityReplySchema.index({ postId: 1, createdAt: 1, _id: 1 }); // a post's replies, oldest first

export const communityReplyCollection = defineCollection<CommunityReply>({
  schema: communityReplySchema,
  holds: "public contribution with name and image of the time, number of votes",
  kept: "until removed; erasure takes name, image and user out",
  userData: {
    owner: "authorId",
    section: "replies",
    row: z.object({
      _id: id,
      postId: id,
      content: z.string(),
      authorName: optional.text,
      authorImage: optional.text,
      upvoteCount: optional.number,
      editedAt: optional.time,
      ...rowTimes,
    }),
    erasure: { anonymise: { authorName: "Deleted user", authorImage: "" } },
  },
});

/** Names a reply to one post and no other. */
export interface ReplyKey {
  postId: Types.ObjectId;
  replyId: Types.ObjectId;
}

/** What never changes of a reply. */
export type ReplyHead = Pick<CommunityReply, "_id" | "postId" | "authorId">;

export function findReplyHead(
  db: Models,
  { postId, replyId }: ReplyKey,
  session?: ClientSession,
): Promise<ReplyHead | null> {
  const projection = { postId: 1, authorId: 1 } as const;
  const options = { projection, ...(session && { session }) };
  return nativeCollection(db.CommunityReply).findOne({ _id: replyId, postId }, options);
}

export function findReply(db: Models, { postId, replyId }: ReplyKey): Promise<CommunityReply | null> {
  return nativeCollection(db.CommunityReply).findOne({ _id: replyId, postId });
}

/** @returns the number of votes after the change; null when the post has no such reply. */
export async function addReplyUpvotes(
  db: Models,
  { postId, replyId }: ReplyKey,
  by: 1 | -1,
  session: ClientSession,
): Promise<number | null> {
  const options = { session, returnDocument: "after", projection: { upvoteCount: 1 } } as const;
  const update = { $inc: { upvoteCount: by } };
  const reply = await nativeCollection(db.CommunityReply).findOneAndUpdate({ _id: replyId, postId }, update, options);
  return reply?.upvoteCount ?? null;
}

/** @returns whether there was one. */
export async function deleteReply(db: Models, replyId: Types.ObjectId, session: ClientSession): Promise<boolean> {
  return (await nativeCollection(db.CommunityReply).deleteOne({ _id: replyId }, { session })).deletedCount > 0;
}

/** Documents that one command deletes, so that each command ends in time. */
const deletedAtOnce = 2_000;

/** Deletes all replies to a post and all votes for it and them, by as many commands as it takes. */
export async function deleteRepliesAndVotes(db: Models, postId: Types.ObjectId, session: ClientSession): Promise<void> {
  const options = { session, projection: { _id: 1 }, limit: deletedAtOnce, batchSize: deletedAtOnce + 1 } as const;
  for (const collection of [nativeCollection(db.CommunityReply), nativeCollection(db.Vote)]) {
    for (;;) {
      const ids = (await collection.find({ postId }, options).toArray()).map(({ _id }) => _id);
      if (ids.length > 0) await collection.deleteMany({ _id: { $in: ids } }, { session });
      if (ids.length < deletedAtOnce) break;
    }
  }
}
