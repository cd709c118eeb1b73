import type { ClientSession, mongo } from "mongoose";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import { orderedList } from "../../db/ordered-list.js";
import { utcDay } from "../../lib/days.js";
import { failure } from "../../lib/errors.js";
import { nameKey, slugOf } from "../../lib/slug.js";
import type { CommunityGroup } from "../../models/community/community-group.js";
import type { Models } from "../../models/index.js";

export const GroupNotFound = failure("group_not_found", 404, "Group not found");
export const GroupNameTaken = failure("group_name_taken", 409, "A group with this name already exists");
export const TooManyGroups = failure("too_many_groups", 429, "Too many groups");

/** Maximum numbers of groups that one user creates on one UTC day, and in all. Removed groups count. */
const maxCreated = { onDay: 5, total: 50 };

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
    const slug = slugOf(group.name, "group");
    const now = new Date();
    const fields = { ...group, nameKey: nameKey(group.name), createdBy: "system", isOfficial: true };
    const created = { $setOnInsert: { ...fields, createdAt: now, updatedAt: now } };
    try {
      // Mongoose would set `updatedAt` of a group that exists.
      await Groups.updateOne({ slug }, created, { upsert: true, timestamps: false });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

interface NewGroup {
  readonly name: string;
  readonly description: string;
  readonly icon: string;
}

/**
 * Creates a group with its creator as the one member.
 * @throws GroupNameTaken when a group has this name but for case and spacing; TooManyGroups
 */
export async function createGroup(db: Db, creatorId: string, wanted: NewGroup): Promise<CommunityGroup> {
  try {
    return await storeGroup(db, creatorId, wanted);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another group took the name or the slug in the meantime, and is seen now.
    return createGroup(db, creatorId, wanted);
  }
}

function storeGroup(db: Db, creatorId: string, { name, description, icon }: NewGroup): Promise<CommunityGroup> {
  const key = nameKey(name);
  return db.transaction(
    async (session) => {
      if (await db.CommunityGroup.exists({ nameKey: key }).session(session)) throw GroupNameTaken();
      await countCreation(db, session, creatorId);
      const slug = await freeSlug(db, session, slugOf(name, "group"));
      const fields = { nameKey: key, slug, name, description, icon };
      const group = new db.CommunityGroup({ ...fields, createdBy: creatorId, memberCount: 1 });
      await group.save({ session });
      await db.GroupMembership.create([{ userId: creatorId, groupId: group._id }], { session });
      return group.toObject<CommunityGroup>();
    },
    { mutex: `groups-of:${creatorId}` },
  );
}

/** Returns the slug, with the first free suffix from `-2` on if another group has it. */
async function freeSlug(db: Db, session: ClientSession, slug: string): Promise<string> {
  // In the order of characters, `.` is behind `-`.
  const alike = { slug: { $gte: slug, $lt: `${slug}.` } };
  const taken = new Set(
    (await db.CommunityGroup.find(alike, { _id: 0, slug: 1 }).session(session).lean()).map((group) => group.slug),
  );
  let free = slug;
  for (let n = 2; taken.has(free); n += 1) free = `${slug}-${n}`;
  return free;
}

/**
 * Counts one more group of a creator. All creations of one user write this document, so that the limit holds under any
 * race.
 * @throws TooManyGroups
 */
async function countCreation(db: Db, session: ClientSession, creatorId: string): Promise<void> {
  const day = utcDay(new Date());
  const oneMore = (field: string) => ({ $add: [{ $ifNull: [field, 0] }, 1] });
  const counted = {
    total: oneMore("$total"),
    day,
    onDay: { $cond: [{ $eq: ["$day", day] }, oneMore("$onDay"), 1] },
  };
  const options = { session, upsert: true, updatePipeline: true, returnDocument: "after" } as const;
  const { total, onDay } = await db.GroupCreations.findByIdAndUpdate(creatorId, [{ $set: counted }], options)
    .orFail()
    .lean();
  if (onDay > maxCreated.onDay || total > maxCreated.total) throw TooManyGroups();
}

/** Joins a group, or leaves it. @returns whether the user is a member now. @throws GroupNotFound */
export function toggleMembership(db: Db, userId: string, groupId: mongo.ObjectId): Promise<boolean> {
  return db.transaction(
    async (session) => {
      const { deletedCount } = await db.GroupMembership.deleteOne({ userId, groupId }, { session });
      const isMember = deletedCount === 0;
      if (isMember) await db.GroupMembership.create([{ userId, groupId }], { session });
      if (!(await addMembers(db, session, groupId, isMember ? 1 : -1))) throw GroupNotFound();
      return isMember;
    },
    { mutex: `group:${groupId}` },
  );
}

/** Leaves a group; for a user who is no member nothing changes. */
export function leaveGroup(db: Db, userId: string, groupId: mongo.ObjectId): Promise<void> {
  return db.transaction(
    async (session) => {
      const { deletedCount } = await db.GroupMembership.deleteOne({ userId, groupId }, { session });
      if (deletedCount > 0) await addMembers(db, session, groupId, -1);
    },
    { mutex: `group:${groupId}` },
  );
}

/** Counts members of a group. @returns whether there is such a group. */
async function addMembers(db: Db, session: ClientSession, groupId: mongo.ObjectId, by: 1 | -1): Promise<boolean> {
  const options = { session, timestamps: false };
  const { matchedCount } = await db.CommunityGroup.updateOne({ _id: groupId }, { $inc: { memberCount: by } }, options);
  return matchedCount > 0;
}

/**
 * Lists official groups first, then those with most members, each with whether the viewer is a member. Names are unique,
 * and ordered by code point.
 */
export const listGroups = (db: Db, viewerId: string | undefined) =>
  orderedList(db.CommunityGroup, {
    filter: {},
    sort: { isOfficial: -1, memberCount: -1, name: 1 },
    async describe(groups) {
      const ids = groups.map(({ _id }) => _id);
      const mine = new Set(viewerId === undefined ? [] : (await listJoinedGroups(db, viewerId, ids)).map(String));
      return groups.map((group) => Object.assign(group, { isMember: mine.has(String(group._id)) }));
    },
  });

/** Ids of groups that one command reads. */
export const groupsPerCommand = 10_000;

/**
 * Reads the ids of a user's groups. A group that was removed may still have members.
 * @param among only these groups, unless undefined.
 */
export async function listJoinedGroups(
  db: Db,
  userId: string,
  among?: readonly mongo.ObjectId[],
): Promise<mongo.ObjectId[]> {
  const memberships = await db.GroupMembership.find(
    { userId, ...(among && { groupId: { $in: [...among] } }) },
    { groupId: 1, _id: 0 },
  )
    .batchSize(groupsPerCommand)
    .lean();
  return memberships.map(({ groupId }) => groupId);
}
