import type { QueryFilter } from "mongoose";
import type { z } from "zod";
import { joinedGroups } from "../../commands/community-groups.js";
import { isObjectId } from "../../http/fields.js";
import type { CommunityPost } from "../../models/community-post.js";
import type { Models } from "../../models/index.js";
import type { PostsQuery } from "./community.schemas.js";

type Query = z.output<typeof PostsQuery>;

const orders = {
  newest: { createdAt: -1, _id: -1 },
  oldest: { createdAt: 1, _id: 1 },
  upvotes: { upvoteCount: -1, createdAt: -1, _id: -1 },
} as const;

/** Posts fetched per round trip: a complete list takes few. */
const batchSize = 1_000;

/**
 * The posts that a query asks for, in its order. With `limit`, one page of them: `total` then costs a count over index entries.
 * Filters and orders each have an index; `q` alone looks into texts, of the posts that the other filters leave.
 */
export async function findPosts(
  models: Models,
  { tab, groupId, q, sort, limit, page }: Query,
  viewerId: string | undefined,
): Promise<{ posts: CommunityPost[]; total: number; hasMore: boolean }> {
  const filter = await postFilter(models, { tab, groupId, q }, viewerId);
  if (!filter) return { posts: [], total: 0, hasMore: false };
  const order = orders[sort ?? (tab === "trending" ? "upvotes" : "newest")];
  const wanted = models.CommunityPost.find(filter).sort(order).batchSize(batchSize).lean<CommunityPost[]>();
  if (limit === undefined) {
    const posts = await wanted;
    return { posts, total: posts.length, hasMore: false };
  }
  const total = await models.CommunityPost.countDocuments(filter);
  const from = (Number(page ?? 1) - 1) * limit;
  const posts = from < total ? await wanted.skip(from).limit(limit) : [];
  return { posts, total, hasMore: from + limit < total };
}

/** Null when nothing can match. */
async function postFilter(
  models: Models,
  { tab, groupId, q }: Pick<Query, "tab" | "groupId" | "q">,
  viewerId: string | undefined,
): Promise<QueryFilter<CommunityPost> | null> {
  const filter: QueryFilter<CommunityPost> = { state: "in" };
  if (groupId !== undefined) {
    if (!isObjectId(groupId)) return null;
    filter.groupId = groupId;
  } else if (tab === "myGroups" && viewerId !== undefined) {
    filter.groupId = { $in: await joinedGroups(models, viewerId) };
  }
  if (q) {
    const match = new RegExp(literally(q), "i");
    filter.$or = [{ title: match }, { content: match }];
  }
  return filter;
}

/** A pattern that matches exactly this text. The database takes no NUL inside a pattern. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\0", "\\x00");
