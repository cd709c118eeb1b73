import { mongo, type QueryFilter } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../lib/fields.js";
import { inBatches } from "../../lib/read-batches.js";
import { singleFlights } from "../../lib/single-flight.js";
import { textPattern } from "../../lib/text-pattern.js";
import { cursorLimitMs } from "../../models/command-limit.js";
import { type CommunityPost, countAllPosts } from "../../models/community/community-post.js";
import { groupsPerCommand, listJoinedGroups } from "./groups.js";
import { addGroups } from "./posts.js";

interface Query {
  readonly tab: "all" | "myGroups" | "trending";
  readonly groupId?: string | undefined;
  readonly q?: string | undefined;
  readonly sort?: keyof typeof orders | undefined;
}

interface PageQuery extends Query {
  readonly limit: number;
  /** From 1 on; the first by default. */
  readonly page?: unknown;
}

const orders = {
  newest: { createdAt: -1, _id: -1 },
  oldest: { createdAt: 1, _id: 1 },
  upvotes: { upvoteCount: -1, createdAt: -1, _id: -1 },
} as const;

const orderOf = ({ sort, tab }: Query) => orders[sort ?? (tab === "trending" ? "upvotes" : "newest")];

/** Number of posts that the database can skip at most. */
const maxSkip = 2 ** 31 - 1;

/** Rows of a whole list that are read and written at a time. */
const batchRows = 200;

/** Number of pages whose concurrent readers share one read. */
const maxSharedPages = 20;

/**
 * Creates the reader of pages. Concurrent callers of the same page share one read, which cuts the CPU of a busy first page
 * to a quarter. A search, and the groups of one member, are read for each caller.
 */
export function createPages(db: Db) {
  const share = singleFlights<Awaited<ReturnType<typeof readPage>>>(maxSharedPages);
  return (query: PageQuery, viewerId: string | undefined) =>
    query.q || isOfMember(query, viewerId)
      ? readPage(db, query, viewerId)
      : share(JSON.stringify(query), () => readPage(db, query, undefined));
}

/** Reads one page. `total` comes from counters. For a search, a query counts it, except on the last page. */
async function readPage(db: Db, query: PageQuery, viewerId: string | undefined) {
  const { q, limit, page } = query;
  const groups = await findGroups(db, query, viewerId);
  const filter = filterOf(q, groups?.ids);
  const skip = Math.min((Number(page ?? 1) - 1) * limit, maxSkip);
  const find = () =>
    db.CommunityPost.find(filter)
      .sort(orderOf(query))
      .skip(skip)
      .limit(limit + 1)
      .lean<CommunityPost[]>()
      .exec();
  // Further pages are counted first, because a skip past the end reads all posts.
  const [counted, first] = await Promise.all([countPosts(db, q, groups), skip === 0 ? find() : undefined]);
  if (counted !== undefined && skip >= counted) return { posts: [], total: counted, hasMore: false };
  const found = first ?? (await find());
  const isLast = found.length <= limit && (found.length > 0 || skip === 0);
  const total = counted ?? (isLast ? skip + found.length : await db.CommunityPost.countDocuments(filter));
  return { posts: await addGroups(db, found.slice(0, limit)), total, hasMore: found.length > limit };
}

/** Reads all posts that a query selects, in its order, in batches. */
export async function* readAllPosts(
  db: Db,
  query: Query,
  viewerId: string | undefined,
): AsyncGenerator<CommunityPost[]> {
  const groups = await findGroups(db, query, viewerId);
  if (groups?.ids.length === 0) return;
  const find = db.CommunityPost.find(filterOf(query.q, groups?.ids)).sort(orderOf(query)).lean<CommunityPost[]>();
  if (!query.q) find.maxTimeMS(cursorLimitMs);
  yield* inBatches(find.cursor({ batchSize: batchRows }), batchRows);
}

/** Reads the number of selected posts from counters. @returns undefined for a search, which has no counter. */
async function countPosts(db: Db, q: string | undefined, groups: Groups | undefined): Promise<number | undefined> {
  if (groups?.ids.length === 0) return 0;
  if (q) return undefined;
  return groups ? groups.postCount : countAllPosts(db);
}

const isOfMember = ({ tab, groupId }: Query, viewerId: string | undefined): viewerId is string =>
  tab === "myGroups" && groupId === undefined && viewerId !== undefined;

interface Groups {
  readonly ids: mongo.ObjectId[];
  readonly postCount: number;
}

/** Finds the groups whose posts a query selects, and their number of posts. @returns undefined for all posts. */
async function findGroups(db: Db, query: Query, viewerId: string | undefined): Promise<Groups | undefined> {
  const { groupId } = query;
  const isMember = isOfMember(query, viewerId);
  if (groupId === undefined && !isMember) return undefined;
  const named = groupId !== undefined && isObjectId(groupId) ? [new mongo.ObjectId(groupId)] : [];
  const wanted = isMember ? await listJoinedGroups(db, viewerId) : named;
  if (wanted.length === 0) return { ids: [], postCount: 0 };
  // A removed group may still have posts and members.
  const groups = await db.CommunityGroup.find({ _id: { $in: wanted } }, { postCount: 1 })
    .batchSize(groupsPerCommand)
    .lean();
  return {
    ids: groups.map(({ _id }) => _id),
    postCount: groups.reduce((sum, { postCount }) => sum + postCount, 0),
  };
}

/** Selects posts that contain a text in title or content, whatever its case, and that are in one of some groups. */
function filterOf(q: string | undefined, groupIds: mongo.ObjectId[] | undefined): QueryFilter<CommunityPost> {
  const filter: QueryFilter<CommunityPost> = groupIds ? { groupId: { $in: groupIds } } : {};
  if (!q) return filter;
  const text = textPattern(q);
  return { ...filter, $or: [{ title: text }, { content: text }] };
}
