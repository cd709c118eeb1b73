import type { Types } from "mongoose";
import { utcHour } from "../../../lib/days.js";
import { distinct } from "../../../lib/distinct.js";
import type { CommunityPost } from "../../../models/community/community-post.js";
import type { CommunityReply } from "../../../models/community/community-reply.js";
import type { Vote } from "../../../models/community/vote.js";
import { noticeTypes } from "../notice-types.js";
import { maxNotices, type NoticeSource, type PlanContext, type PlannedNotice, withinHourOf } from "./source.js";

type Post = Pick<CommunityPost, "_id" | "authorId" | "title">;

async function findPosts({ db, session }: PlanContext, ids: readonly Types.ObjectId[]): Promise<Map<string, Post>> {
  const posts = await db.CommunityPost.find({ _id: { $in: distinct(ids) } }, { authorId: 1, title: 1 })
    .session(session)
    .lean<Post[]>();
  return new Map(posts.map((post) => [String(post._id), post]));
}

/**
 * New replies, of which the author of the post is told, and accepted ones, of which their own author is told once. The
 * notice of a post and an hour counts the new replies of that hour.
 */
export const replies: NoticeSource<Pick<CommunityReply, "_id" | "postId" | "authorId" | "dueNotices" | "createdAt">> = {
  model: "CommunityReply",
  fields: { postId: 1, authorId: 1, dueNotices: 1, createdAt: 1 },
  maxRows: maxNotices / 2,
  async plan(context, rows) {
    const posts = await findPosts(
      context,
      rows.map(({ postId }) => postId),
    );
    const { links } = context;
    const notices = new Map<string, PlannedNotice>();
    for (const { _id, postId, authorId, dueNotices = [], createdAt } of rows) {
      const post = posts.get(String(postId));
      if (!post || post.authorId === authorId) continue;
      // The title of the post is its author's own, so that only the author reads it here.
      const facts = { postId, postTitle: post.title };
      if (dueNotices.includes("reply_accepted")) {
        const text = noticeTypes.reply_accepted.compose(facts, links);
        notices.set(String(_id), { type: "reply_accepted", userId: authorId, cause: String(_id), ...text });
      }
      const cause = `${postId}:${utcHour(createdAt)}`;
      if (!dueNotices.includes("reply_to_post")) continue;
      const count = (notices.get(cause)?.count ?? 0) + 1;
      const text = noticeTypes.reply_to_post.compose(facts, links);
      notices.set(cause, { type: "reply_to_post", userId: post.authorId, cause, count, isAdded: true, ...text });
    }
    return { notices: [...notices.values()], update: { $unset: { noticeDueAt: 1, dueNotices: 1 } } };
  },
};

type PostHour = Pick<Vote, "postId" | "createdAt">;
const causeOf = ({ postId, createdAt }: PostHour): string => `${postId}:${utcHour(createdAt)}`;

/** Counts the upvotes of posts in hours by one command, without those of the posts' authors. */
async function countUpvotes({ db, session }: PlanContext, hours: readonly PostHour[], posts: Map<string, Post>) {
  const $or = hours.flatMap(({ postId, createdAt }) => {
    const post = posts.get(String(postId));
    if (!post) return [];
    return [{ postId, targetId: postId, createdAt: withinHourOf(createdAt), userId: { $ne: post.authorId } }];
  });
  if ($or.length === 0) return new Map<string, number>();
  const hour = { $dateToString: { date: "$createdAt", format: "%Y-%m-%dT%H" } };
  const found = await db.Vote.aggregate<{ _id: { postId: Types.ObjectId; hour: string }; count: number }>([
    { $match: { $or } },
    { $group: { _id: { postId: "$postId", hour }, count: { $sum: 1 } } },
  ]).session(session);
  return new Map(found.map(({ _id, count }) => [`${_id.postId}:${_id.hour}`, count]));
}

/**
 * Upvotes of posts. The notice of a post and an hour counts the upvotes of that hour which still stand. They are counted
 * anew, so that an upvote counts once, however often it is taken back and given again.
 */
export const upvotes: NoticeSource<Pick<Vote, "_id" | "postId" | "createdAt">> = {
  model: "Vote",
  fields: { postId: 1, createdAt: 1 },
  async plan(context, rows) {
    const hours = new Map(rows.map((row) => [causeOf(row), row]));
    const posts = await findPosts(
      context,
      rows.map(({ postId }) => postId),
    );
    const counts = await countUpvotes(context, [...hours.values()], posts);
    const notices = [...hours].flatMap(([cause, { postId }]): PlannedNotice[] => {
      const [post, count = 0] = [posts.get(String(postId)), counts.get(cause)];
      if (!post || count === 0) return [];
      const text = noticeTypes.post_upvoted.compose({ postId, postTitle: post.title }, context.links);
      return [{ type: "post_upvoted", userId: post.authorId, cause, count, ...text }];
    });
    return { notices };
  },
};
