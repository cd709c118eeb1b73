import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { deleteGroup, deleteMemberships } from "../../models/community/community-group.js";
import { addUngroupedPosts, unlinkPosts } from "../../models/community/community-post.js";
import { recordAudit } from "../audit/record-audit.js";
import { GroupNotFound, groupMutex } from "./groups.js";
import type { Moderator } from "./removal.js";

export const DefaultGroupsStay = failure("default_groups_stay", 409, "Default groups stay");

/**
 * Removes a group. Its posts are counted as posts in no group from now on; a job takes the group out of posts and
 * memberships, of which there may be very many. Until then readers ask whether a group exists. Whatever adds a post or a
 * membership writes the group, so that nothing is added after this. Audited.
 * @throws GroupNotFound, DefaultGroupsStay
 */
export async function removeGroup(db: Db, groupId: mongo.ObjectId, { actorId, requestId }: Moderator): Promise<void> {
  await db.transaction(
    async (session) => {
      const group = await deleteGroup(db, groupId, session);
      if (!group) {
        const isDefault = await db.CommunityGroup.exists({ _id: groupId }).session(session);
        throw isDefault ? DefaultGroupsStay() : GroupNotFound();
      }
      const { name, createdBy, memberCount, postCount } = group;
      await db.RemovedGroup.create([{ _id: groupId, removedAt: new Date() }], { session });
      await recordAudit(db, session, {
        ...{ actorId, requestId, action: "community.group.remove" },
        ...{ targetKind: "community.group", targetId: String(groupId) },
        before: { name, createdBy, memberCount, postCount },
      });
      if (postCount > 0) await addUngroupedPosts(db, postCount, session);
    },
    { mutex: groupMutex(groupId) },
  );
  db.jobCalls.emit("unlink-removed-groups", new Date());
}

/** Posts or memberships that one command changes. */
const rowsAtATime = 500;

/**
 * Takes removed groups out of posts and memberships, batch by batch. Each batch may be repeated, so no transaction holds
 * them together. @returns for how many groups that is done.
 */
export async function unlinkRemovedGroups(db: Db, signal: AbortSignal): Promise<number> {
  let done = 0;
  for await (const { _id } of db.RemovedGroup.find().sort({ removedAt: 1 }).lean()) {
    let isMore = true;
    while (isMore) {
      if (signal.aborted) return done;
      const [posts, memberships] = [
        await unlinkPosts(db, _id, rowsAtATime),
        await deleteMemberships(db, _id, rowsAtATime),
      ];
      isMore = posts || memberships;
    }
    await db.RemovedGroup.deleteOne({ _id });
    done += 1;
  }
  return done;
}
