import { type ClientSession, Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";
import type { Models } from "../index.js";

/** A post of the community, in a group or in none. */
export interface CommunityPost {
  _id: Types.ObjectId;
  /** User id. */
  authorId: string;
  /** Name and image of the author when it was written. */
  authorName: string;
  authorImage: string;
  groupId: Types.ObjectId | null;
  title: string;
  content: string;
  tags: string[];
  /** The one accepted reply: being a single pointer, it cannot be two. */
  acceptedReplyId: Types.ObjectId | null;
  isResolved: boolean;
  /** Number of votes. */
  upvoteCount: number;
  /** Number of replies. */
  replyCount: number;
  editedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const communityPostSchema = new Schema<CommunityPost>(
  {
    authorId: { type: String, required: true },
    authorName: { type: String, default: "" },
    authorImage: { type: String, default: "" },
    groupId: { type: Schema.Types.ObjectId, default: null },
    title: { type: String, required: true },
    content: { type: String, required: true },
    tags: { type: [String], default: [] },
    acceptedReplyId: { type: Schema.Types.ObjectId, default: null },
    isResolved: { type: Boolean, default: false },
    upvoteCount: { type: Number, default: 0 },
    replyCount: { type: Number, default: 0 },
    editedAt: { type: Date, default: null },
  },
  { timestamps: true },
);
communityPostSchema.index({ authorId: 1 }); // what an author may see and erase
communityPostSchema.index({ createdAt: -1, _id: -1 }); // newest and, read backwards, oldest
communityPostSchema.index({ upvoteCount: -1, createdAt: -1, _id: -1 }); // trending
communityPostSchema.index({ groupId: 1, createdAt: -1, _id: -1 }); // the same two, of one or some groups
communityPostSchema.index({ groupId: 1, upvoteCount: -1, createdAt: -1, _id: -1 });

export const communityPostCollection = defineCollection<CommunityPost>({
  schema: communityPostSchema,
  holds: "public contribution with name and image of the time, accepted reply, numbers of votes and replies",
  kept: "until removed; erasure takes name, image and user out",
  userData: {
    owner: "authorId",
    section: "posts",
    row: z.object({
      _id: id,
      groupId: id.nullable().optional(),
      title: z.string(),
      content: z.string(),
      tags: optional.texts,
      authorName: optional.text,
      authorImage: optional.text,
      isResolved: optional.flag,
      upvoteCount: optional.number,
      replyCount: optional.number,
      editedAt: optional.time,
      ...rowTimes,
    }),
    erasure: { anonymise: { authorName: "Deleted user", authorImage: "" } },
  },
});

/** The number of posts in no group. One document, `_id: "all"`, which exists from the first start. */
export interface UngroupedPosts {
  _id: string;
  postCount: number;
}

const ungroupedPostsSchema = new Schema<UngroupedPosts>({
  _id: { type: String, required: true },
  postCount: { type: Number, required: true },
});

export const ungroupedPostsCollection = defineCollection<UngroupedPosts>({
  schema: ungroupedPostsSchema,
  holds: "number of posts in no group",
  kept: "for good",
  userData: "none",
});

/** The one document that counts the posts in no group. */
const ungrouped = { _id: "all" };

/** Creates the count of posts in no group, so that no transaction has to. Instances may start at the same moment. */
export async function createUngroupedPosts(db: Models): Promise<void> {
  await db.UngroupedPosts.updateOne(ungrouped, { $setOnInsert: { postCount: 0 } }, { upsert: true });
}

/** Counts posts in no group. */
export async function addUngroupedPosts(db: Models, by: number, session: ClientSession): Promise<void> {
  const { matchedCount } = await db.UngroupedPosts.updateOne(ungrouped, { $inc: { postCount: by } }, { session });
  if (matchedCount === 0) throw new Error("the count of posts in no group is missing");
}

/** Sums the counters of posts in groups, which an index holds, and of posts in no group. */
export async function countAllPosts(db: Models): Promise<number> {
  const sum = { $group: { _id: null, postCount: { $sum: "$postCount" } } };
  const inGroups = { coll: db.CommunityGroup.collection.name, pipeline: [{ $match: { postCount: { $gt: 0 } } }, sum] };
  const [counted] = await db.UngroupedPosts.aggregate<{ postCount: number }>([
    { $match: ungrouped },
    { $unionWith: inGroups },
    sum,
  ]);
  return counted?.postCount ?? 0;
}
