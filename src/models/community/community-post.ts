import { type ClientSession, mongo, Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import type { CommunityReply } from "./community-reply.js";

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
  /** Another one after each change of what is shown of a reply; missing or null before the first. */
  repliesVersion?: Types.ObjectId | null;
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
    repliesVersion: { type: Schema.Types.ObjectId, default: null },
    editedAt: { type: Date, default: null },
  },
  { timestamps: true, versionKey: false },
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

const ungroupedPostsSchema = new Schema<UngroupedPosts>(
  { _id: { type: String, required: true }, postCount: { type: Number, required: true } },
  { versionKey: false },
);

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

/** Number of all posts: the sum of the counts in groups, which an index holds, and the count of those in none. */
export async function countAllPosts(db: Models): Promise<number> {
  const sum = { $group: { _id: null, postCount: { $sum: "$postCount" } } };
  const inGroups = { coll: db.CommunityGroup.collection.name, pipeline: [{ $match: { postCount: { $gt: 0 } } }, sum] };
  const [counted] = await nativeCollection(db.UngroupedPosts)
    .aggregate<{ postCount: number }>([{ $match: ungrouped }, { $unionWith: inGroups }, sum])
    .toArray();
  return counted?.postCount ?? 0;
}

/** Counts posts in no group. */
export async function addUngroupedPosts(db: Models, by: number, session: ClientSession): Promise<void> {
  const update = { $inc: { postCount: by } };
  const { matchedCount } = await nativeCollection(db.UngroupedPosts).updateOne(ungrouped, update, { session });
  if (matchedCount === 0) throw new Error("the count of posts in no group is missing");
}

/** Takes some posts out of a group. @returns whether there may be more. */
export async function unlinkPosts(db: Models, groupId: Types.ObjectId, limit: number): Promise<boolean> {
  const posts = nativeCollection(db.CommunityPost);
  const found = await posts.find({ groupId }, { projection: { _id: 1 }, limit }).toArray();
  const some = { _id: { $in: found.map(({ _id }) => _id) }, groupId };
  if (found.length > 0) await posts.updateMany(some, { $set: { groupId: null } });
  return found.length === limit;
}

/** Identifies a post. Its group may be removed. */
export type PostKey = Pick<CommunityPost, "_id" | "authorId" | "groupId">;

export function findPostKey(db: Models, postId: Types.ObjectId): Promise<PostKey | null> {
  const projection = { authorId: 1, groupId: 1 } as const;
  return nativeCollection(db.CommunityPost).findOne({ _id: postId }, { projection });
}

/** Marks an author's own post resolved, or open again. @returns the new mark; null when the author has no such post. */
export async function togglePostResolved(
  db: Models,
  { _id, authorId }: Pick<CommunityPost, "_id" | "authorId">,
): Promise<boolean | null> {
  const post = await nativeCollection(db.CommunityPost).findOneAndUpdate(
    { _id, authorId },
    [{ $set: { isResolved: { $not: ["$isResolved"] }, updatedAt: new Date() } }],
    { returnDocument: "after", projection: { isResolved: 1 } },
  );
  return post?.isResolved ?? null;
}

/**
 * Makes a reply the accepted one of its author's own post, or none if it was that.
 * @returns whether it is accepted now; null when the author has no such post.
 */
export async function toggleAcceptedReply(
  db: Models,
  { _id, authorId }: Pick<CommunityPost, "_id" | "authorId">,
  replyId: Types.ObjectId,
  session: ClientSession,
): Promise<boolean | null> {
  const isAccepted = { $eq: ["$acceptedReplyId", replyId] };
  const toggled = { acceptedReplyId: { $cond: [isAccepted, null, replyId] }, isResolved: { $not: [isAccepted] } };
  const post = await nativeCollection(db.CommunityPost).findOneAndUpdate(
    { _id, authorId },
    [{ $set: { ...toggled, updatedAt: new Date() } }],
    { session, returnDocument: "after", projection: { isResolved: 1 } },
  );
  return post?.isResolved ?? null;
}

/** @returns the number of votes after the change; null when there is no such post. */
export async function addPostUpvotes(
  db: Models,
  postId: Types.ObjectId,
  by: 1 | -1,
  session: ClientSession,
): Promise<number | null> {
  const options = { session, returnDocument: "after", projection: { upvoteCount: 1 } } as const;
  const update = { $inc: { upvoteCount: by } };
  const post = await nativeCollection(db.CommunityPost).findOneAndUpdate({ _id: postId }, update, options);
  return post?.upvoteCount ?? null;
}

/** A version that no post has had. */
const anotherVersion = () => ({ repliesVersion: new mongo.ObjectId() });

/** Tells the caches that a reply to each of some posts has changed. */
export async function renewReplies(
  db: Models,
  postIds: readonly Types.ObjectId[],
  session: ClientSession,
): Promise<void> {
  const posts = { _id: { $in: [...postIds] } };
  await nativeCollection(db.CommunityPost).updateMany(posts, { $set: anotherVersion() }, { session });
}

/** The same for one post. @returns its accepted reply; undefined when there is no such post. */
export async function renewRepliesOf(
  db: Models,
  postId: Types.ObjectId,
  session: ClientSession,
): Promise<Types.ObjectId | null | undefined> {
  const options = { session, projection: { acceptedReplyId: 1 } } as const;
  const update = { $set: anotherVersion() };
  return (await nativeCollection(db.CommunityPost).findOneAndUpdate({ _id: postId }, update, options))?.acceptedReplyId;
}

/** Counts one more reply. @returns whether there is such a post. */
export async function addPostReply(db: Models, postId: Types.ObjectId, session: ClientSession): Promise<boolean> {
  const update = { $inc: { replyCount: 1 }, $set: anotherVersion() };
  return (await nativeCollection(db.CommunityPost).updateOne({ _id: postId }, update, { session })).matchedCount > 0;
}

/** Counts one reply less; a post whose accepted reply it was is open again. */
export async function removePostReply(
  db: Models,
  { _id, postId }: Pick<CommunityReply, "_id" | "postId">,
  session: ClientSession,
): Promise<void> {
  const wasAccepted = { $eq: ["$acceptedReplyId", _id] };
  const $set = {
    ...anotherVersion(),
    replyCount: { $subtract: ["$replyCount", 1] },
    acceptedReplyId: { $cond: [wasAccepted, null, "$acceptedReplyId"] },
    isResolved: { $cond: [wasAccepted, false, "$isResolved"] },
    updatedAt: { $cond: [wasAccepted, new Date(), "$updatedAt"] },
  };
  await nativeCollection(db.CommunityPost).updateOne({ _id: postId }, [{ $set }], { session });
}

/** @returns whether there was one. */
export async function deletePost(db: Models, postId: Types.ObjectId, session: ClientSession): Promise<boolean> {
  return (await nativeCollection(db.CommunityPost).deleteOne({ _id: postId }, { session })).deletedCount > 0;
}
