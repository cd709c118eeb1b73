import { type ClientSession, mongo, Schema, type Types } from "mongoose";
import { z } from "zod";
import { chunk } from "../../lib/chunk.js";
import { id, timestamp } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";

/** A place for posts about one thing. An administrator may remove it, unless it is a default group. */
export interface CommunityGroup {
  _id: Types.ObjectId;
  name: string;
  /** The name without case and spacing: two groups cannot share it. */
  nameKey: string;
  slug: string;
  description: string;
  icon: string;
  /** User id, or `system`. */
  createdBy: string;
  /** It is a default group. */
  isOfficial: boolean;
  /** Number of memberships. */
  memberCount: number;
  /** Number of posts in the group. */
  postCount: number;
  createdAt: Date;
  updatedAt: Date;
}

const communityGroupSchema = new Schema<CommunityGroup>(
  {
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    slug: { type: String, required: true },
    description: { type: String, default: "" },
    icon: { type: String, required: true },
    createdBy: { type: String, required: true },
    isOfficial: { type: Boolean, default: false },
    memberCount: { type: Number, default: 0 },
    postCount: { type: Number, default: 0 },
  },
  { timestamps: true, versionKey: false },
);
communityGroupSchema.index({ nameKey: 1 }, { unique: true });
communityGroupSchema.index({ createdBy: 1 }); // what their creator may see and erase
communityGroupSchema.index({ slug: 1 }, { unique: true });
communityGroupSchema.index({ isOfficial: -1, memberCount: -1, name: 1 }); // the list of groups
communityGroupSchema.index({ postCount: 1 }); // the sum over all groups, from the index alone

export const communityGroupCollection = defineCollection<CommunityGroup>({
  schema: communityGroupSchema,
  holds: "a place for posts, with its numbers of members and posts",
  kept: "for good; erasure takes the creator out",
  userData: {
    owner: "createdBy",
    section: "groupsCreated",
    row: z.object({
      _id: id,
      name: z.string(),
      slug: z.string(),
      description: optional.text,
      icon: optional.text,
      ...rowTimes,
    }),
    erasure: { anonymise: {} },
  },
});

/** What a post shows of its group. */
export type GroupCard = Pick<CommunityGroup, "_id" | "name" | "slug" | "icon">;
const cardFields = { name: 1, slug: 1, icon: 1 } as const;

export function findGroupCards(db: Models, groupIds: readonly Types.ObjectId[]): Promise<GroupCard[]> {
  const groups = nativeCollection(db.CommunityGroup);
  return groups.find({ _id: { $in: [...groupIds] } }, { projection: cardFields }).toArray();
}

/** Those of some groups that exist: a removed group may still be named by posts and memberships. */
export async function findExistingGroups(db: Models, groupIds: readonly Types.ObjectId[]): Promise<Types.ObjectId[]> {
  if (groupIds.length === 0) return [];
  const groups = nativeCollection(db.CommunityGroup);
  const found = await groups.find({ _id: { $in: [...groupIds] } }, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

/** Deletes a group that is no default group. @returns the group; null when there is no such group. */
export function deleteGroup(
  db: Models,
  groupId: Types.ObjectId,
  session: ClientSession,
): Promise<CommunityGroup | null> {
  return nativeCollection(db.CommunityGroup).findOneAndDelete({ _id: groupId, isOfficial: false }, { session });
}

/** Number of posts in some groups, from their counters. */
export async function countPostsInGroups(db: Models, groupIds: readonly Types.ObjectId[]): Promise<number> {
  let posts = 0;
  for (const ids of chunk(groupIds)) {
    const [counted] = await db.CommunityGroup.aggregate<{ posts: number }>([
      { $match: { _id: { $in: ids } } },
      { $group: { _id: null, posts: { $sum: "$postCount" } } },
    ]);
    posts += counted?.posts ?? 0;
  }
  return posts;
}

/** Counts posts in a group. @returns the group; null when there is none. */
export function addGroupPosts(
  db: Models,
  groupId: Types.ObjectId,
  by: 1 | -1,
  session: ClientSession,
): Promise<GroupCard | null> {
  const options = { session, projection: cardFields };
  return nativeCollection(db.CommunityGroup).findOneAndUpdate({ _id: groupId }, { $inc: { postCount: by } }, options);
}

/** Counts members of a group. @returns whether there is such a group. */
export async function addGroupMembers(
  db: Models,
  groupId: Types.ObjectId,
  by: 1 | -1,
  session: ClientSession,
): Promise<boolean> {
  const update = { $inc: { memberCount: by } };
  return (await nativeCollection(db.CommunityGroup).updateOne({ _id: groupId }, update, { session })).matchedCount > 0;
}

/** One user's membership in one group. */
export interface GroupMembership {
  _id: Types.ObjectId;
  userId: string;
  groupId: Types.ObjectId;
  createdAt: Date;
}

const groupMembershipSchema = new Schema<GroupMembership>(
  {
    userId: { type: String, required: true },
    groupId: { type: Schema.Types.ObjectId, required: true },
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false },
);
groupMembershipSchema.index({ groupId: 1 }); // covers a recount
groupMembershipSchema.index({ userId: 1, groupId: 1 }, { unique: true }); // also a user's groups

export const groupMembershipCollection = defineCollection<GroupMembership>({
  schema: groupMembershipSchema,
  holds: "one member of one group",
  kept: "until the user leaves, or erasure",
  userData: {
    owner: "userId",
    section: "memberships",
    row: z.object({ groupId: id, createdAt: timestamp }),
    erasure: "ownStep",
  },
});

/** Stores a membership; the unique index refuses a second one. */
export async function insertMembership(
  db: Models,
  { userId, groupId }: Pick<GroupMembership, "userId" | "groupId">,
  session: ClientSession,
): Promise<void> {
  const membership = { _id: new mongo.ObjectId(), userId, groupId, createdAt: new Date() };
  await nativeCollection(db.GroupMembership).insertOne(membership, { session });
}

/** @returns whether there was one. */
export async function deleteMembership(
  db: Models,
  { userId, groupId }: Pick<GroupMembership, "userId" | "groupId">,
  session: ClientSession,
): Promise<boolean> {
  const { deletedCount } = await nativeCollection(db.GroupMembership).deleteOne({ userId, groupId }, { session });
  return deletedCount > 0;
}

/** Deletes some memberships in a group. @returns whether there may be more. */
export async function deleteMemberships(db: Models, groupId: Types.ObjectId, limit: number): Promise<boolean> {
  const memberships = nativeCollection(db.GroupMembership);
  const found = await memberships.find({ groupId }, { projection: { _id: 1 }, limit }).toArray();
  if (found.length > 0) await memberships.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  return found.length === limit;
}

/** How many groups a user has created, removed ones among them. */
export interface GroupCreations {
  /** User id. */
  _id: string;
  total: number;
  /** The UTC day of the newest creation, such as `2026-11-24`. */
  day: string;
  /** Number of creations on that day. */
  onDay: number;
}

const groupCreationsSchema = new Schema<GroupCreations>(
  {
    _id: { type: String, required: true },
    total: { type: Number, required: true },
    day: { type: String, required: true },
    onDay: { type: Number, required: true },
  },
  { versionKey: false },
);

export const groupCreationsCollection = defineCollection<GroupCreations>({
  schema: groupCreationsSchema,
  holds: "how many groups a user has created, today and in all",
  kept: "erasure",
  userData: {
    owner: "_id",
    section: "groupCreations",
    row: z.object({ total: z.number(), day: z.string(), onDay: z.number() }),
    erasure: "delete",
  },
});

/** Counts one more group of a creator. All creations of one user write this document, so that the numbers are exact. */
export async function addGroupCreation(
  db: Models,
  creatorId: string,
  session: ClientSession,
): Promise<Pick<GroupCreations, "total" | "onDay">> {
  const day = new Date().toISOString().slice(0, 10);
  const one = (field: string) => ({ $add: [{ $ifNull: [field, 0] }, 1] });
  const counted = { total: one("$total"), day, onDay: { $cond: [{ $eq: ["$day", day] }, one("$onDay"), 1] } };
  const options = { session, upsert: true, returnDocument: "after" } as const;
  const creations = nativeCollection(db.GroupCreations);
  const found = await creations.findOneAndUpdate({ _id: creatorId }, [{ $set: counted }], options);
  if (!found) throw new Error("a counted group creation is missing");
  return found;
}

/** A group that was removed, until no post and no membership names it. */
export interface RemovedGroup {
  /** The group's id. */
  _id: Types.ObjectId;
  removedAt: Date;
}

const removedGroupSchema = new Schema<RemovedGroup>(
  { _id: { type: Schema.Types.ObjectId, required: true }, removedAt: { type: Date, required: true } },
  { versionKey: false },
);
removedGroupSchema.index({ removedAt: 1 }); // what the job has to do

export const removedGroupCollection = defineCollection<RemovedGroup>({
  schema: removedGroupSchema,
  holds: "a removed group",
  kept: "until no post and no membership names the group",
  userData: "none",
});
