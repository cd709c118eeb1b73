import { Types } from "mongoose";
import type { Db } from "../../src/db/db.js";
import { insertRows } from "../../tests/factories/stored-sales.js";

export interface Scene {
  readonly groupId: string;
  readonly posts: readonly { readonly postId: string; readonly replyId: string }[];
}

/**
 * A group of `size` members with some posts by `authorId`; each has `size` votes and `size` replies, and the first of
 * these has `size` votes.
 */
export async function fillCommunity(
  db: Db,
  { authorId, size, posts: count }: { authorId: string; size: number; posts: number },
): Promise<Scene> {
  const groupId = new Types.ObjectId();
  const key = String(groupId);
  const at = new Date();
  const facts = { createdAt: at, updatedAt: at };
  const written = { ...facts, authorId, authorName: "Asha Rao", content: "What I think about it. ".repeat(10) };
  const list = <T>(make: (i: number) => T): T[] => Array.from({ length: size }, (_, i) => make(i));
  await db.CommunityGroup.create({
    ...{ _id: groupId, name: key, nameKey: key, slug: key, icon: "💬", createdBy: authorId },
    ...{ memberCount: size, postCount: count },
  });
  await insertRows(
    db.GroupMembership,
    list((i) => ({ ...facts, userId: `user_${i}`, groupId })),
  );
  const posts = [];
  for (let n = 0; n < count; n++) {
    const [postId, replyId] = [new Types.ObjectId(), new Types.ObjectId()];
    const counts = { upvoteCount: size, replyCount: size };
    await insertRows(db.CommunityPost, [{ ...written, ...counts, _id: postId, groupId, title: `Post ${n}` }]);
    await insertRows(
      db.CommunityReply,
      list((i) => ({
        ...{ ...written, postId, _id: i === 0 ? replyId : new Types.ObjectId(), upvoteCount: i === 0 ? size : 0 },
      })),
    );
    const votes = (targetId: Types.ObjectId) =>
      insertRows(
        db.Vote,
        list((i) => ({
          ...facts,
          userId: `user_${i}`,
          targetKind: targetId === postId ? "post" : "reply",
          targetId,
          postId,
        })),
      );
    await votes(postId);
    await votes(replyId);
    posts.push({ postId: String(postId), replyId: String(replyId) });
  }
  return { groupId: key, posts };
}

/** Posts in turn in each of some groups, which `memberId` has joined, and in none. @returns the groups' ids. */
export async function fillLists(
  db: Db,
  { posts, groups, memberId }: { posts: number; groups: number; memberId: string },
): Promise<string[]> {
  const ids = Array.from({ length: groups }, () => new Types.ObjectId());
  const groupOf = (i: number) => ids[i % (groups + 1)] ?? null;
  const began = Date.now();
  const all = Array.from({ length: posts }, (_, i) => ({
    ...{ _id: new Types.ObjectId(), createdAt: new Date(began + i), updatedAt: new Date(began + i) },
    ...{ authorId: "user_author", authorName: "Asha Rao", title: `Post number ${i} of many` },
    ...{ content: "What I think about it. ".repeat(10), groupId: groupOf(i), upvoteCount: i % 17 },
  }));
  for (let from = 0; from < posts; from += 5_000) await insertRows(db.CommunityPost, all.slice(from, from + 5_000));
  for (const _id of ids) {
    const key = String(_id);
    const postCount = all.filter(({ groupId }) => groupId === _id).length;
    const named = { name: key, nameKey: key, slug: key, icon: "💬", createdBy: "user_author" };
    await db.CommunityGroup.create({ _id, ...named, memberCount: 1, postCount });
    await insertRows(db.GroupMembership, [{ _id: new Types.ObjectId(), userId: memberId, groupId: _id }]);
  }
  const inNone = all.filter(({ groupId }) => groupId === null).length;
  await db.UngroupedPosts.updateOne({}, { $inc: { postCount: inNone } });
  return ids.map(String);
}
