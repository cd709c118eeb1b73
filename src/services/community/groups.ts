import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { isDuplicateKey } from "../../db/duplicate-key.js";
import { readInOrder } from "../../db/read-in-order.js";
import { maxIdsPerQuery } from "../../lib/chunk.js";
import { failure } from "../../lib/errors.js";
import {
  addGroupCreation,
  addGroupMembers,
  type CommunityGroup,
  deleteMembership,
  type GroupMembership,
  insertMembership,
} from "../../models/community/community-group.js";
import type { Models } from "../../models/index.js";
import { groupNameKey, groupSlug } from "./group-name.js";

export const GroupNotFound = failure("group_not_found", 404, "Group not found");
export const GroupNameTaken = failure("group_name_taken", 409, "A group with this name already exists");
export const TooManyGroups = failure("too_many_groups", 429, "Too many groups");

/** Groups that one user may create on one UTC day, and in all. A group that was removed counts. */
const mostGroups = { onDay: 5, total: 50 };

/** Groups that exist from the first start. */
const defaultGroups = [
  {
    name: "Web Development",
    icon: "🌐",
    description: "Building sites and services: browser code, Node, and everything between them.",
  },
  {
    name: "Data Science & AI",
    icon: "🤖",
    description: "Models, statistics, and Python put to work on real data.",
  },
  {
    name: "UI/UX Design",
    icon: "🎨",
    description: "Interfaces and prototypes, and what studies with users say about them.",
  },
  {
    name: "Career & Jobs",
    icon: "💼",
    description: "Applications, interviews, and getting hired.",
  },
];

/** Creates the default groups whose slug is absent. Instances may start at the same moment. */
export async function createDefaultGroups({ CommunityGroup: Groups }: Models): Promise<void> {
  for (const group of defaultGroups) {
    const slug = groupSlug(group.name);
    const fields = { ...group, nameKey: groupNameKey(group.name), createdBy: "system", isOfficial: true };
    try {
      await Groups.updateOne({ slug }, { $setOnInsert: fields }, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/** Members and posts of a group are counted in it: transactions that move these counts run one after another. */
export const groupMutex = (groupId: mongo.ObjectId): string => `group:${groupId}`;

/**
 * Creates a group with its creator as the one member.
 * @throws GroupNameTaken when a group has this slug, or this name but for case and spacing; TooManyGroups
 */
export function createGroup(
  db: Db,
  creatorId: string,
  { name, description, icon }: { name: string; description: string; icon: string },
): Promise<CommunityGroup> {
  const unique = { nameKey: groupNameKey(name), slug: groupSlug(name) };
  return db.transaction(
    async (session) => {
      const sameName = { $or: [{ nameKey: unique.nameKey }, { slug: unique.slug }] };
      if (await db.CommunityGroup.exists(sameName).session(session)) throw GroupNameTaken();
      const { onDay, total } = await addGroupCreation(db, creatorId, session);
      if (onDay > mostGroups.onDay || total > mostGroups.total) throw TooManyGroups();
      const group = new db.CommunityGroup({ ...unique, name, description, icon, createdBy: creatorId, memberCount: 1 });
      await group.save({ session });
      await insertMembership(db, { userId: creatorId, groupId: group._id }, session);
      return group.toObject<CommunityGroup>();
    },
    { mutex: `groups-of:${creatorId}` },
  );
}

/** Joins a group, or leaves it. @returns whether the user is a member now. @throws GroupNotFound */
export function toggleMembership(db: Db, userId: string, groupId: mongo.ObjectId): Promise<boolean> {
  return db.transaction(
    async (session) => {
      const isMember = !(await deleteMembership(db, { userId, groupId }, session));
      if (isMember) await insertMembership(db, { userId, groupId }, session);
      if (!(await addGroupMembers(db, groupId, isMember ? 1 : -1, session))) throw GroupNotFound();
      return isMember;
    },
    { mutex: groupMutex(groupId) },
  );
}

/** Leaves a group; for a user who is no member nothing changes. */
export function leaveGroup(db: Db, userId: string, groupId: mongo.ObjectId): Promise<void> {
  return db.transaction(
    async (session) => {
      if (await deleteMembership(db, { userId, groupId }, session)) await addGroupMembers(db, groupId, -1, session);
    },
    { mutex: groupMutex(groupId) },
  );
}

/** The groups among `groupIds` that a user is a member of. */
export async function joinedGroups(
  { GroupMembership: Memberships }: Db,
  userId: string,
  groupIds: readonly mongo.ObjectId[],
): Promise<mongo.ObjectId[]> {
  const among = { groupId: { $in: [...groupIds] } };
  const memberships = await Memberships.find({ userId, ...among }, { groupId: 1, _id: 0 }).lean();
  return memberships.map(({ groupId }) => groupId);
}

/** The groups that a user's memberships name, in batches. One that was removed may still be named. */
export async function* readJoinedGroups(db: Db, userId: string): AsyncGenerator<mongo.ObjectId[]> {
  const memberships = readInOrder<GroupMembership, GroupMembership>(db.GroupMembership, {
    ...{ filter: { userId }, fields: { groupId: 1 }, sort: { groupId: 1 }, size: maxIdsPerQuery },
  });
  for await (const some of memberships) yield some.map(({ groupId }) => groupId);
}
