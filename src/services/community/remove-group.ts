import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { addUngroupedPosts } from "../../models/community/community-post.js";
import { type Actor, audited } from "../audit/record-audit.js";
import { GroupNotFound } from "./groups.js";

export const DefaultGroupsStay = failure("default_groups_stay", 409, "Default groups stay");

/**
 * Removes a group. Its posts count as posts in no group from now on. A job takes the group out of posts and deletes its
 * memberships, because there may be thousands; until then readers check whether a group exists. Every new post or
 * membership writes the group, so nothing is added after the removal. Audited.
 * @throws GroupNotFound, DefaultGroupsStay
 */
export async function removeGroup(db: Db, groupId: mongo.ObjectId, moderator: Actor): Promise<void> {
  await db.transaction(
    async (session) => {
      const group = await db.CommunityGroup.findOneAndDelete({ _id: groupId, isOfficial: false }, { session }).lean();
      if (!group) {
        const isDefault = await db.CommunityGroup.exists({ _id: groupId }).session(session);
        throw isDefault ? DefaultGroupsStay() : GroupNotFound();
      }
      const { name, createdBy, memberCount, postCount } = group;
      await db.RemovedGroup.create([{ _id: groupId, removedAt: new Date() }], { session });
      const before = { name, createdBy, memberCount, postCount };
      await audited(db, session, moderator, "community.group.remove", ["community.group", groupId], { before });
      if (postCount > 0) await addUngroupedPosts(db, postCount, session);
    },
    { mutex: `group:${groupId}` },
  );
  db.jobWakeups.emit("RemovedGroup");
}

/** Posts or memberships that one command changes, so that each command ends in time. */
const maxBatchRows = 500;

/**
 * Takes a removed group out of some posts and deletes some memberships. It may be repeated, so no transaction holds the
 * batches together.
 * @returns whether more may be left.
 */
export async function unlinkRemovedGroup(db: Db, groupId: mongo.ObjectId): Promise<boolean> {
  if (await unlinkBatch(db, groupId)) return true;
  await db.RemovedGroup.deleteOne({ _id: groupId });
  return false;
}

/** @returns whether there may be more posts or memberships of the group. */
async function unlinkBatch(db: Db, groupId: mongo.ObjectId): Promise<boolean> {
  const posts = await db.CommunityPost.find({ groupId }, { _id: 1 }).limit(maxBatchRows).lean();
  const memberships = await db.GroupMembership.find({ groupId }, { _id: 1 }).limit(maxBatchRows).lean();
  const ids = (rows: typeof posts | typeof memberships) => ({ $in: rows.map(({ _id }) => _id) });
  await db.CommunityPost.updateMany({ _id: ids(posts), groupId }, { $set: { groupId: null } }, { timestamps: false });
  await db.GroupMembership.deleteMany({ _id: ids(memberships) });
  return posts.length === maxBatchRows || memberships.length === maxBatchRows;
}
