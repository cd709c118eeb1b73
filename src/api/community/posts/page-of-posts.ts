import { LRUCache } from "lru-cache";
import type { QueryFilter, Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import { sharedReadByKey } from "../../../http/shared-reads.js";
import type { CommunityPost } from "../../../models/community/community-post.js";
import { idsOfOneQuery, piecesOf } from "../../../models/pieces.js";

type Filter = QueryFilter<CommunityPost>;
type OrderField = "createdAt" | "upvoteCount" | "_id";
export type Order = Readonly<Partial<Record<OrderField, 1 | -1>>>;

/** What an order goes by; on an index of that order, all of it is in the index. */
type OrderKey = Pick<CommunityPost, OrderField>;

interface PageRequest {
  filter: Filter;
  /** Only posts of these; undefined: of all, and of none. */
  groupIds: readonly Types.ObjectId[] | undefined;
  order: Order;
  /** Number of posts before the page. */
  from: number;
  limit: number;
}

/** Most queries that the groups of one page are spread over. */
const mostQueries = 20;

/**
 * One page of posts. The first page of one group or of all is read as it is. Any other begins with order keys, which
 * the index holds, so that only the posts of the page itself are looked at; what lies before it costs index entries.
 * @returns `found`: how many there are from here on, as far as the first post of the next page.
 */
export async function readPage(
  db: Db,
  wanted: PageRequest,
  firstPosts: FirstPosts,
): Promise<{ posts: CommunityPost[]; found: number }> {
  const { CommunityPost: Posts } = db;
  const { from, limit } = wanted;
  const sources = sourcesOf(wanted);
  const [source] = sources;
  if (source && sources.length === 1 && from === 0) {
    const isWhole = Object.keys(wanted.filter).length === 0;
    const posts = isWhole ? await firstPosts(wanted) : await findFirst(db, source, wanted);
    return { posts: posts.slice(0, limit), found: posts.length };
  }
  const keys = await readKeys(db, sources, wanted);
  const ids = keys.slice(0, limit).map(({ _id }) => _id);
  const posts = await Posts.find({ _id: { $in: ids } }).lean<CommunityPost[]>();
  const known = new Map(posts.map((post) => [String(post._id), post]));
  return { posts: ids.flatMap((id) => known.get(String(id)) ?? []), found: keys.length };
}

type Some = Pick<PageRequest, "groupIds" | "order" | "limit">;

/** The first posts of a list without a filter, one more than the page has. */
export type FirstPosts = (wanted: Some) => Promise<CommunityPost[]>;

/** What the last post of a first page was ordered by. */
type Last = Pick<CommunityPost, "createdAt" | "upvoteCount">;

const keptLast = 10_000;

/**
 * Reads first posts, which requests for the same ones share. A database that sorts what it finds would sort all posts: so
 * it is asked for those not beyond the last one that was seen. When they fill the page, they are the first of all;
 * otherwise some were removed since, and all are asked for. Made once per server.
 */
export function createFirstPosts(db: Db): FirstPosts {
  const lastSeen = new LRUCache<string, Last>({ max: keptLast });

  async function read({ groupIds, order, limit }: Some): Promise<CommunityPost[]> {
    const [source = {}] = sourcesOf({ filter: {}, groupIds, order });
    const name = nameOf({ groupIds, order, limit });
    const find = (within: Filter) => findFirst(db, within, { order, limit });
    const last = lastSeen.get(name);
    let posts = await find(last ? notBeyond(last, source, order) : source);
    if (last && posts.length <= limit) posts = await find(source);
    const next = posts[limit];
    if (!next) lastSeen.delete(name);
    else lastSeen.set(name, { createdAt: next.createdAt, upvoteCount: next.upvoteCount });
    return posts;
  }
  const readEach = (wanted: readonly Some[]) =>
    Promise.all(wanted.map((some) => read(some).catch((error: Error) => error)));
  return sharedReadByKey(readEach, nameOf);
}

const nameOf = ({ groupIds, order, limit }: Some): string =>
  [...Object.entries(order).flat(), limit, ...(groupIds ?? [])].join();

const findFirst = (
  { CommunityPost: Posts }: Db,
  within: Filter,
  { order, limit }: Pick<PageRequest, "order" | "limit">,
): Promise<CommunityPost[]> =>
  Posts.find(within)
    .sort(order)
    .limit(limit + 1)
    .lean<CommunityPost[]>();

/** Posts of a source that come no later in an order than a place in it. Very many may have the same number of votes. */
function notBeyond({ createdAt, upvoteCount }: Last, source: Filter, order: Order): Filter {
  if (order.createdAt === 1) return { ...source, createdAt: { $lte: createdAt } };
  const asNew = { createdAt: { $gte: createdAt } };
  if (!order.upvoteCount) return { ...source, ...asNew };
  return { ...source, upvoteCount: { $gte: upvoteCount }, $or: [{ upvoteCount: { $gt: upvoteCount } }, asNew] };
}

/** Every post has these: named in the filter, they lead every planner to the index of the order. */
const everyPost = { createdAt: { $gte: new Date(0) }, upvoteCount: { $gte: 0 } };

/**
 * The queries whose results together are the posts of a list. Each has an index in the orders. Groups are spread over
 * `mostQueries` queries; only with more than that many full pieces there are more.
 */
export function sourcesOf({ filter, groupIds, order }: Pick<PageRequest, "filter" | "groupIds" | "order">): Filter[] {
  const { createdAt, upvoteCount } = everyPost;
  if (!groupIds) return [{ ...filter, ...(order.upvoteCount ? { upvoteCount } : { createdAt }) }];
  const together = Math.min(Math.ceil(groupIds.length / mostQueries), idsOfOneQuery);
  return piecesOf(groupIds, together).map((ids) => ({ ...filter, groupId: { $in: ids } }));
}

/**
 * The order keys of a page and of the first post after it. Of several sources, each gives as many as all might need.
 */
async function readKeys(
  { CommunityPost: Posts }: Db,
  sources: readonly Filter[],
  { order, from, limit }: PageRequest,
): Promise<OrderKey[]> {
  const alone = sources.length === 1;
  const fields = Object.fromEntries(Object.keys(order).map((field) => [field, 1]));
  const keys = await Promise.all(
    sources.map((source) =>
      Posts.find(source, fields)
        .sort(order)
        .skip(alone ? from : 0)
        .limit((alone ? 0 : from) + limit + 1)
        .lean<OrderKey[]>(),
    ),
  );
  const merged = keys.flat().sort(inOrder(order));
  return alone ? merged : merged.slice(from, from + limit + 1);
}

export const inOrder = (order: Order) => (a: OrderKey, b: OrderKey) => {
  const fields = Object.entries(order) as [OrderField, 1 | -1][];
  return fields.reduce((decided, [field, direction]) => decided || direction * compare(a[field], b[field]), 0);
};

function compare(a: OrderKey[OrderField], b: OrderKey[OrderField]): number {
  const [x, y] = typeof a === "object" && "toHexString" in a ? [String(a), String(b)] : [Number(a), Number(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}
