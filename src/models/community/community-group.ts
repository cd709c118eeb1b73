import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** A place for posts about one thing. An administrator may remove it, unless it is a default group. */
export type CommunityGroup = z.input<typeof communityGroupRow>;
const communityGroupRow = z.object({
  _id: objectIdField,
  name: z.string(),
  /** The name without case and spacing: two groups cannot share it. */
  nameKey: z.string(),
  slug: z.string(),
  description: withDefault(z.string(), ""),
  icon: z.string(),
  /** User id, or `system`. */
  createdBy: z.string(),
  /** It is a default group. */
  isOfficial: withDefault(z.boolean(), false),
  /** Number of memberships. */
  memberCount: withDefault(z.number(), 0),
  /** Number of posts in the group. */
  postCount: withDefault(z.number(), 0),
  ...rowTimes,
});

export const communityGroupCollection = defineCollection({
  row: communityGroupRow,
  indexes: [
    [{ nameKey: 1 }, { unique: true }],
    [{ createdBy: 1 }], // what their creator may see and erase
    [{ slug: 1 }, { unique: true }],
    [{ isOfficial: -1, memberCount: -1, name: 1 }], // the list of groups
    [{ postCount: 1 }], // the sum over all groups, from the index alone
  ],
  holds: "a place for posts, with its numbers of members and posts",
  kept: "for good; erasure takes the creator out",
  userData: {
    owner: "createdBy",
    section: "groupsCreated",
    exported: ["_id", "name", "slug", "description", "icon", "createdAt", "updatedAt"],
    exportedAs: { icon: z.string().optional() },
    erasure: { anonymise: {} },
  },
});

/** One user's membership in one group. */
const groupMembershipRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  groupId: objectIdField,
  createdAt: rowTimes.createdAt,
});

export const groupMembershipCollection = defineCollection({
  row: groupMembershipRow,
  indexes: [
    [{ groupId: 1 }], // covers a recount
    [{ userId: 1, groupId: 1 }, { unique: true }], // also a user's groups
  ],
  holds: "one member of one group",
  kept: "until the user leaves, or erasure",
  userData: {
    owner: "userId",
    section: "memberships",
    exported: ["groupId", "createdAt"],
    exportedAs: { createdAt: timestamp },
    erasure: "ownStep",
  },
});

/** How many groups a user has created, removed ones among them. */
const groupCreationsRow = z.object({
  /** User id. */
  _id: z.string(),
  total: z.number(),
  /** The UTC day of the newest creation, such as `2026-11-24`. */
  day: z.string(),
  /** Number of creations on that day. */
  onDay: z.number(),
});

export const groupCreationsCollection = defineCollection({
  row: groupCreationsRow,
  holds: "how many groups a user has created, today and in all",
  kept: "erasure",
  userData: {
    owner: "_id",
    section: "groupCreations",
    exported: ["total", "day", "onDay"],
    erasure: "delete",
  },
});

/** A group that was removed, until no post and no membership names it. */
const removedGroupRow = z.object({
  /** The group's id. */
  _id: objectIdField,
  removedAt: timestamp,
});

export const removedGroupCollection = defineCollection({
  row: removedGroupRow,
  indexes: [
    [{ removedAt: 1 }], // what the job has to do
  ],
  holds: "a removed group",
  kept: "until no post and no membership names the group",
  userData: "none",
});
