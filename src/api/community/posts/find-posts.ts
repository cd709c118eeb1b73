import { mongo, type QueryFilter } from "mongoose";
import type { z } from "zod";
import type { Db } from "../../../db/db.js";
import { mergeInOrder, readInOrder } from "../../../db/read-in-order.js";
import { rowsAtATime } from "../../../http/pages.js";
import { sharedRead } from "../../../http/shared-reads.js";
import { chunk } from "../../../lib/chunk.js";
import { isObjectId } from "../../../lib/fields.js";
import { findExistingGroups } from "../../../models/community/community-group.js";
import type { CommunityPost } from "../../../models/community/community-post.js";
import { readJoinedGroups } from "../../../services/community/groups.js";
import { countPosts } from "../../../services/community/posts.js";
import { type MemberOfMany, pageOfMany, postsOfMany } from "./member-of-many-groups.js";
import { createReadPage, inOrder, type Order } from "./page-of-posts.js";
import type { PostsQuery } from "./posts.schemas.js";

type Query = z.output<typeof PostsQuery>;

const orders: Readonly<Record<"newest" | "oldest" | "upvotes", Order>> = {
  newest: { createdAt: -1, _id: -1 },
  oldest: { createdAt: 1, _id: 1 },
  upvotes: { upvoteCount: -1, createdAt: -1, _id: -1 },
};

/** Most posts that can be passed over. */
const farthest = 2 ** 31 - 1;
/** Posts before a page for which order keys of several groups are held and merged; beyond it the list is read in batches. */
const farthestMerged = 500;

interface Asked {
  /** Who asks. */
  readonly viewerId: string | undefined;
  /** Runs each read that looks into texts. */
  readonly search: <T>(search: () => Promise<T>) => Promise<T>;
}

/** Reads that requests share. */
export const createSharedPosts = (db: Db) => ({
  readPage: createReadPage(db),
  countAll: sharedRead(() => countPosts(db, undefined)),
});

/**
 * One page of the posts that a query asks for, in its order. It looks at about `limit` posts: filters and orders each
 * have an index, and `total` comes from counters. `q` alone looks into texts, of the posts that the other filters leave:
 * of all of them once for `total`, unless the page is the last one and tells it.
 */
export async function findPage(
  db: Db,
  query: Query & { limit: number },
  { viewerId, search }: Asked,
  shared: ReturnType<typeof createSharedPosts>,
): Promise<{ posts: CommunityPost[]; total: number; hasMore: boolean }> {
  const { q, limit } = query;
  const groupIds = await groupsAskedFor(db, query, viewerId);
  const [filter, order] = [matching(q), orderOf(query)];
  const from = Math.min((Number(query.page ?? 1) - 1) * limit, farthest);
  const isMerged = groupIds !== undefined && groupIds.length > 1;
  if (groupIds === "many" || (isMerged && from > farthestMerged))
    return pageOfMany(db, { ...memberOfMany(query, viewerId, search), from, limit });
  if (groupIds?.length === 0) return { posts: [], total: 0, hasMore: false };
  const counting = q ? undefined : groupIds ? countPosts(db, groupIds) : shared.countAll();
  const beyond = counting !== undefined && from > 0 && from >= (await counting);
  const read = () => shared.readPage({ filter, groupIds, order, from, limit });
  const page = beyond ? { posts: [], found: 0 } : q ? search(read) : read();
  const [{ posts, found }, counted] = await Promise.all([page, counting]);
  const isLast = found <= limit && (found > 0 || from === 0);
  const count = async () => {
    let counted = 0;
    for (const ids of groupIds ? chunk(groupIds) : [undefined]) {
      counted += await db.CommunityPost.countDocuments(inGroups(filter, ids));
    }
    return counted;
  };
  const total = isLast ? from + found : (counted ?? (await search(count)));
  return { posts, total, hasMore: found > limit };
}

/** All posts that a query asks for, in its order, in batches. */
export async function* findAll(db: Db, query: Query, { viewerId, search }: Asked): AsyncGenerator<CommunityPost[]> {
  const groupIds = await groupsAskedFor(db, query, viewerId);
  if (groupIds === "many") return yield* postsOfMany(db, memberOfMany(query, viewerId, search));
  if (groupIds?.length === 0) return;
  const filters = (groupIds ? chunk(groupIds) : [undefined]).map((ids) => inGroups(matching(query.q), ids));
  const order = orderOf(query);
  const sort = order as Readonly<Record<string, 1 | -1>>;
  const size = Math.ceil(rowsAtATime / filters.length);
  const reads = filters.map((filter) =>
    readInOrder<CommunityPost, CommunityPost>(db.CommunityPost, {
      ...{ filter, sort, size },
      ...(query.q ? { run: search } : {}),
    }),
  );
  yield* mergeInOrder(reads, inOrder(order), rowsAtATime);
}

const orderOf = ({ sort, tab }: Query): Order => orders[sort ?? (tab === "trending" ? "upvotes" : "newest")];

const inGroups = (filter: QueryFilter<CommunityPost>, groupIds: mongo.ObjectId[] | undefined) =>
  groupIds ? { ...filter, groupId: { $in: groupIds } } : filter;

/** More groups of one member than these are not held in memory. */
const mostGroupsHeld = 2_000;

/**
 * The groups whose posts are asked for, of which there may be none; undefined: every post is. "many": those of a member
 * of more groups than can be held.
 */
async function groupsAskedFor(
  db: Db,
  { tab, groupId }: Pick<Query, "tab" | "groupId">,
  viewerId: string | undefined,
): Promise<mongo.ObjectId[] | undefined | "many"> {
  if (groupId !== undefined) return isObjectId(groupId) ? findExistingGroups(db, [new mongo.ObjectId(groupId)]) : [];
  if (tab !== "myGroups" || viewerId === undefined) return undefined;
  const joined: mongo.ObjectId[] = [];
  for await (const some of readJoinedGroups(db, viewerId)) {
    joined.push(...(await findExistingGroups(db, some)));
    if (joined.length > mostGroupsHeld) return "many";
  }
  return joined;
}

const memberOfMany = (query: Query, memberId: string | undefined, search: Asked["search"]): MemberOfMany => ({
  ...{ memberId: memberId ?? "", filter: matching(query.q), order: orderOf(query), search },
});

/** Which posts hold a text, in title or content, whatever its case. */
function matching(q: string | undefined): QueryFilter<CommunityPost> {
  if (!q) return {};
  const text = new RegExp(literally(q), "i");
  return { $or: [{ title: text }, { content: text }] };
}

/** A pattern that matches exactly this text. The database takes no NUL inside a pattern. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\0", "\\x00");
