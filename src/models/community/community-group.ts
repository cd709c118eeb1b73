import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";

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
  { timestamps: true },
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
  { timestamps: { createdAt: true, updatedAt: false } },
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

const groupCreationsSchema = new Schema<GroupCreations>({
  _id: { type: String, required: true },
  total: { type: Number, required: true },
  day: { type: String, required: true },
  onDay: { type: Number, required: true },
});

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

/** A group that was removed, until no post and no membership names it. */
export interface RemovedGroup {
  /** The group's id. */
  _id: Types.ObjectId;
  removedAt: Date;
}

const removedGroupSchema = new Schema<RemovedGroup>({
  _id: { type: Schema.Types.ObjectId, required: true },
  removedAt: { type: Date, required: true },
});
removedGroupSchema.index({ removedAt: 1 }); // what the job has to do

export const removedGroupCollection = defineCollection<RemovedGroup>({
  schema: removedGroupSchema,
  holds: "a removed group",
  kept: "until no post and no membership names the group",
  userData: "none",
});
