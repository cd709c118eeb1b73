import { mongo, type QueryFilter } from "mongoose";
import type { z } from "zod";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../http/fields.js";
import type { CommunityPost } from "../../models/community-post.js";
import { joinedGroups } from "../../services/community/groups.js";
import { countPosts } from "../../services/community/posts.js";
import type { PostsQuery } from "./community.schemas.js";
import { type Order, readPage } from "./page-of-posts.js";

type Query = z.output<typeof PostsQuery>;

const orders: Readonly<Record<"newest" | "oldest" | "upvotes", Order>> = {
  newest: { createdAt: -1, _id: -1 },
  oldest: { createdAt: 1, _id: 1 },
  upvotes: { upvoteCount: -1, createdAt: -1, _id: -1 },
};

/** Posts fetched per round trip: a complete list takes few. */
const batchSize = 1_000;
/** Most posts that can be passed over. */
const farthest = 2 ** 31 - 1;

/**
 * The posts that a query asks for, in its order. With `limit`, one page of them, which looks at about `limit` posts:
 * filters and orders each have an index, and `total` comes from counters. `q` alone looks into texts, of the posts that
 * the other filters leave: of all of them once for `total`, unless the page is the last one and tells it.
 */
export async function findPosts(
  db: Db,
  { tab, groupId, q, sort, limit, page }: Query,
  viewerId: string | undefined,
): Promise<{ posts: CommunityPost[]; total: number; hasMore: boolean }> {
  const groupIds = await groupsAskedFor(db, { tab, groupId }, viewerId);
  if (groupIds?.length === 0) return { posts: [], total: 0, hasMore: false };
  const order = orders[sort ?? (tab === "trending" ? "upvotes" : "newest")];
  const filter = matching(q);
  const inGroups = groupIds ? { ...filter, groupId: { $in: groupIds } } : filter;
  if (limit === undefined) {
    const posts = await db.CommunityPost.find(inGroups).sort(order).batchSize(batchSize).lean<CommunityPost[]>();
    return { posts, total: posts.length, hasMore: false };
  }
  const counted = q ? undefined : await countPosts(db, groupIds);
  const from = Math.min((Number(page ?? 1) - 1) * limit, farthest);
  const beyond = counted !== undefined && from >= counted;
  const { posts, found } = beyond
    ? { posts: [], found: 0 }
    : await readPage(db, { filter, groupIds, order, from, limit });
  const isLast = found <= limit && (found > 0 || from === 0);
  const total = isLast ? from + found : (counted ?? (await db.CommunityPost.countDocuments(inGroups)));
  return { posts, total, hasMore: found > limit };
}

/** The groups whose posts are asked for, of which there may be none; undefined: every post is. */
async function groupsAskedFor(
  db: Db,
  { tab, groupId }: Pick<Query, "tab" | "groupId">,
  viewerId: string | undefined,
): Promise<mongo.ObjectId[] | undefined> {
  if (groupId !== undefined) return isObjectId(groupId) ? [new mongo.ObjectId(groupId)] : [];
  return tab === "myGroups" && viewerId !== undefined ? joinedGroups(db, viewerId) : undefined;
}

/** Which posts hold a text, in title or content, whatever its case. */
function matching(q: string | undefined): QueryFilter<CommunityPost> {
  if (!q) return {};
  const text = new RegExp(literally(q), "i");
  return { $or: [{ title: text }, { content: text }] };
}

/** A pattern that matches exactly this text. The database takes no NUL inside a pattern. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\0", "\\x00");
