import type { Types } from "mongoose";
import { distinct } from "../../../lib/distinct.js";
import type { CommunityPost } from "../../../models/community/community-post.js";
import type { CommunityReply } from "../../../models/community/community-reply.js";
import type { Vote } from "../../../models/community/vote.js";
import { noticeTypes } from "../notice-types.js";
import { maxNotices, type NoticeSource, type PlanContext, type PlannedNotice } from "./source.js";

type Post = Pick<CommunityPost, "_id" | "authorId" | "title">;

async function findPosts({ db, session }: PlanContext, ids: readonly Types.ObjectId[]): Promise<Map<string, Post>> {
  const posts = await db.CommunityPost.find({ _id: { $in: distinct(ids) } }, { authorId: 1, title: 1 })
    .session(session)
    .lean<Post[]>();
  return new Map(posts.map((post) => [String(post._id), post]));
}

/** New replies, of which the author of the post is told, and accepted ones, of which their own author is told once. */
export const replies: NoticeSource<Pick<CommunityReply, "_id" | "postId" | "authorId" | "dueNotices">> = {
  model: "CommunityReply",
  fields: { postId: 1, authorId: 1, dueNotices: 1 },
  maxRows: maxNotices / 2,
  async plan(context, rows) {
    const posts = await findPosts(
      context,
      rows.map(({ postId }) => postId),
    );
    const notices = rows.flatMap(({ _id, postId, authorId, dueNotices = [] }): PlannedNotice[] => {
      const post = posts.get(String(postId));
      if (!post || post.authorId === authorId) return [];
      // The title of the post is its author's own, so that only the author reads it here.
      const facts = { postId, postTitle: post.title };
      return dueNotices.map((type) => {
        const userId = type === "reply_accepted" ? authorId : post.authorId;
        return { type, userId, cause: String(_id), ...noticeTypes[type].compose(facts, context.links) };
      });
    });
    return { notices, update: { $unset: { noticeDueAt: 1, dueNotices: 1 } } };
  },
};

/** The UTC hour of a moment, such as `2026-11-27T19`. */
const utcHour = (at: Date): string => at.toISOString().slice(0, 13);

/**
 * Upvotes of posts. The notice of a post and an hour counts the upvotes of that hour which still stand. They are counted
 * anew, so that an upvote counts once, however often it is taken back and given again.
 */
export const upvotes: NoticeSource<Pick<Vote, "_id" | "postId" | "createdAt">> = {
  model: "Vote",
  fields: { postId: 1, createdAt: 1 },
  async plan(context, rows) {
    const { db, session, links } = context;
    const hours = new Map(
      rows.map(({ postId, createdAt }) => [`${postId}:${utcHour(createdAt)}`, { postId, createdAt }]),
    );
    const posts = await findPosts(
      context,
      rows.map(({ postId }) => postId),
    );
    const notices: PlannedNotice[] = [];
    for (const [cause, { postId, createdAt }] of hours) {
      const post = posts.get(String(postId));
      if (!post) continue;
      const from = new Date(`${utcHour(createdAt)}:00:00Z`);
      const hour = { $gte: from, $lt: new Date(from.getTime() + 3_600_000) };
      const given = { postId, targetId: postId, createdAt: hour, userId: { $ne: post.authorId } };
      const count = await db.Vote.countDocuments(given).session(session);
      if (count === 0) continue;
      const text = noticeTypes.post_upvoted.compose({ postId, postTitle: post.title }, links);
      notices.push({ type: "post_upvoted", userId: post.authorId, cause, count, ...text });
    }
    return { notices };
  },
};
