import { mongo } from "mongoose";
import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { failure } from "../http/errors.js";
import type { CommunityGroup, GroupMembership } from "../models/community-group.js";
import type { Models } from "../models/index.js";
import { type Claimed, type Counter, claim, settle, toggleFact } from "./counted-fact.js";
import { groupNameKey, groupSlug } from "./group-name.js";

export const GroupNotFound = failure(404, "Group not found");
export const GroupNameTaken = failure(409, "A group with this name already exists");

/** Groups that exist from the first start (contract §18). */
const defaultGroups = [
  {
    name: "Web Development",
    icon: "🌐",
    description: "Building sites and services: browser code, Node, and everything between them.",
  },
  {
    name: "Data Science & AI",
    icon: "🤖",
    description: "Db, statistics, and Python put to work on real data.",
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

export const memberCounter = ({ CommunityGroup: model }: Db, groupId: mongo.ObjectId): Counter<CommunityGroup> => ({
  model,
  counted: { _id: groupId },
  add: { memberCount: 1 },
  take: { memberCount: -1 },
});

/** Ends a membership change that was begun. */
export async function settleMembership(db: Db, membership: Claimed<GroupMembership>): Promise<void> {
  await settle(db.GroupMembership, membership, memberCounter(db, membership.groupId));
}

/**
 * Creates a group with its creator as the one member. The creator's membership is written first and the group is born
 * with it counted: if the group is refused, or the process dies in between, the membership of no group is removed.
 * @throws GroupNameTaken when a group has this slug, or this name but for case and spacing.
 */
export async function createGroup(
  db: Db,
  creatorId: string,
  { name, description, icon }: { name: string; description: string; icon: string },
): Promise<CommunityGroup> {
  const groupId = new mongo.ObjectId();
  const membership = new db.GroupMembership({ userId: creatorId, groupId, ...claim("adding") });
  await membership.save();
  const claimed = membership.toObject() as Claimed<GroupMembership>;
  const fields = { name, nameKey: groupNameKey(name), slug: groupSlug(name), description, icon, createdBy: creatorId };
  const counted = { memberCount: 1, countedKeys: [`+${claimed._id}`] };
  const group = await db.CommunityGroup.create({ _id: groupId, ...fields, ...counted }).catch((error: unknown) => {
    if (isDuplicateKey(error)) return null;
    throw error; // perhaps created all the same: the sweeper looks later
  });
  await settleMembership(db, claimed);
  if (!group) throw GroupNameTaken();
  return group.toObject<CommunityGroup>();
}

/** Joins a group or leaves it. @throws GroupNotFound */
export async function toggleMembership(
  db: Db,
  userId: string,
  groupId: string,
): Promise<{ on: boolean; counted: CommunityGroup }> {
  const id = new mongo.ObjectId(groupId);
  if (!(await db.CommunityGroup.exists({ _id: id }))) throw GroupNotFound();
  const toggled = await toggleFact(db.GroupMembership, { userId, groupId: id }, memberCounter(db, id));
  if (!toggled) throw GroupNotFound();
  return toggled;
}

/** The groups that somebody is a member of: all, or those among `groupIds`. */
export async function joinedGroups(
  { GroupMembership: Memberships }: Db,
  userId: string,
  groupIds?: readonly mongo.ObjectId[],
): Promise<mongo.ObjectId[]> {
  const among = groupIds ? { groupId: { $in: [...groupIds] } } : {};
  const memberships = await Memberships.find(
    { userId, ...among, state: { $ne: "removing" } },
    { groupId: 1, _id: 0 },
  ).lean();
  return memberships.map(({ groupId }) => groupId);
}
