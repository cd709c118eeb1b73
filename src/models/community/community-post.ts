import type { ClientSession, Model } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";
import type { CommunityGroup } from "./community-group.js";

/** A post of the community, in a group or in none. */
export type CommunityPost = z.input<typeof communityPostRow>;
const communityPostRow = z.object({
  _id: objectIdField,
  /** User id. */
  authorId: z.string(),
  /** Name and image of the author when it was written. */
  authorName: withDefault(z.string(), ""),
  authorImage: withDefault(z.string(), ""),
  groupId: objectIdField.nullable(),
  title: z.string(),
  content: z.string(),
  tags: withDefault(z.array(z.string()), []),
  /** The one accepted reply: being a single pointer, it cannot be two. */
  acceptedReplyId: objectIdField.nullable(),
  isResolved: withDefault(z.boolean(), false),
  /** Number of votes. */
  upvoteCount: withDefault(z.number(), 0),
  /** Number of replies. */
  replyCount: withDefault(z.number(), 0),
  editedAt: timestamp.nullable(),
  ...rowTimes,
});

export const communityPostCollection = defineCollection({
  row: communityPostRow,
  indexes: [
    [{ authorId: 1 }], // what an author may see and erase
    [{ createdAt: -1, _id: -1 }], // newest and, read backwards, oldest
    [{ upvoteCount: -1, createdAt: -1, _id: -1 }], // trending
    [{ groupId: 1, createdAt: -1, _id: -1 }], // the same two, of one or some groups
    [{ groupId: 1, upvoteCount: -1, createdAt: -1, _id: -1 }],
  ],
  holds: "public contribution with name and image of the time, accepted reply, numbers of votes and replies",
  kept: "until removed; erasure takes name, image and user out",
  userData: {
    owner: "authorId",
    section: "posts",
    exported: [
      "_id",
      "groupId",
      "title",
      "content",
      "tags",
      "authorName",
      "authorImage",
      "isResolved",
      "upvoteCount",
      "replyCount",
      "editedAt",
      "createdAt",
      "updatedAt",
    ],
    erasure: { anonymise: { authorName: "Deleted user", authorImage: "" } },
  },
});

/** The number of posts in no group. One document, `_id: "all"`, which exists from the first start. */
export type UngroupedPosts = z.input<typeof ungroupedPostsRow>;
const ungroupedPostsRow = z.object({
  _id: z.string(),
  postCount: z.number(),
});

export const ungroupedPostsCollection = defineCollection({
  row: ungroupedPostsRow,
  holds: "number of posts in no group",
  kept: "for good",
  userData: "none",
});

/** The one document that counts the posts in no group. */
const ungrouped = { _id: "all" };

type PostCounts = { readonly CommunityGroup: Model<CommunityGroup>; readonly UngroupedPosts: Model<UngroupedPosts> };

/** Creates the count of posts in no group, so that no transaction has to. Instances may start at the same moment. */
export async function createUngroupedPosts(db: PostCounts): Promise<void> {
  await db.UngroupedPosts.updateOne(ungrouped, { $setOnInsert: { postCount: 0 } }, { upsert: true });
}

/** Counts posts in no group. */
export async function addUngroupedPosts(db: PostCounts, by: number, session: ClientSession): Promise<void> {
  const { matchedCount } = await db.UngroupedPosts.updateOne(ungrouped, { $inc: { postCount: by } }, { session });
  if (matchedCount === 0) throw new Error("the count of posts in no group is missing");
}

/** Sums the counters of posts in groups, which an index holds, and of posts in no group. */
export async function countAllPosts(db: PostCounts): Promise<number> {
  const sum = { $group: { _id: null, postCount: { $sum: "$postCount" } } };
  const inGroups = { coll: db.CommunityGroup.collection.name, pipeline: [{ $match: { postCount: { $gt: 0 } } }, sum] };
  const [counted] = await db.UngroupedPosts.aggregate<{ postCount: number }>([
    { $match: ungrouped },
    { $unionWith: inGroups },
    sum,
  ]);
  return counted?.postCount ?? 0;
}
