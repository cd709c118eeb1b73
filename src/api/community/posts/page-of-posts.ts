import { LRUCache } from "lru-cache";
import type { QueryFilter, Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import { sharedReadByKey } from "../../../http/shared-reads.js";
import { chunk, maxIdsPerQuery } from "../../../lib/chunk.js";
import type { CommunityPost } from "../../../models/community/community-post.js";

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

/** `found`: how many posts there are from the page's first one on, as far as the first post of the next page. */
export type ReadPage = (wanted: PageRequest) => Promise<{ posts: CommunityPost[]; found: number }>;

/** What a post is ordered by; the number of votes only where that is part of the order. */
type Place = Pick<CommunityPost, "createdAt"> & { upvoteCount?: number };

/** Places that are kept. */
const mostPlaces = 10_000;

/**
 * Reads pages of posts. The first page of one group or of all is read as it is, and requests for the same one share the
 * read. Any other begins with order keys, which the index holds, so that only the posts of the page itself are looked at;
 * what lies before it costs index entries. Made once per server.
 */
export function createReadPage(db: Db): ReadPage {
  const { CommunityPost: Posts } = db;
  /** Where pages without a filter ended when they were read last. */
  const lastPlaces = new LRUCache<string, Place>({ max: mostPlaces });

  /**
   * The posts, or keys, of a page of one source, and one more. A database that sorts what it finds would sort all posts: so
   * it is asked for those not beyond the place where the page ended last. When they fill the page, they are what would
   * have been found; otherwise some were removed since, and all are asked for.
   */
  async function findUpTo<T extends Place>(
    wanted: PageRequest,
    source: Filter,
    find: (within: Filter) => Promise<T[]>,
  ): Promise<T[]> {
    const { filter, limit, order } = wanted;
    if (Object.keys(filter).length > 0) return find(source);
    const name = nameOf(wanted);
    const last = lastPlaces.get(name);
    let found = await find(last ? notBeyond(last, source, order) : source);
    if (last && found.length <= limit) found = await find(source);
    const next = found[limit];
    if (!next) lastPlaces.delete(name);
    else lastPlaces.set(name, { createdAt: next.createdAt, upvoteCount: next.upvoteCount ?? 0 });
    return found;
  }

  async function readFirst(wanted: PageRequest): Promise<CommunityPost[]> {
    const { limit, order } = wanted;
    const [source = {}] = sourcesOf(wanted);
    return findUpTo(wanted, source, (within) =>
      Posts.find(within)
        .sort(order)
        .limit(limit + 1)
        .lean<CommunityPost[]>(),
    );
  }

  const readFirstTogether = sharedReadByKey(
    (wanted: readonly PageRequest[]) =>
      Promise.all(wanted.map((page) => readFirst(page).catch((error: Error) => error))),
    nameOf,
  );

  /** The order keys of a page and of the first post after it. Of several sources, each gives as many as all might need. */
  async function readKeys(wanted: PageRequest, sources: readonly Filter[]): Promise<OrderKey[]> {
    const { order, from, limit } = wanted;
    const [only] = sources;
    const fields = Object.fromEntries(Object.keys(order).map((field) => [field, 1]));
    const find = (within: Filter, skip: number, most: number) =>
      Posts.find(within, fields).sort(order).skip(skip).limit(most).lean<OrderKey[]>();
    if (only && sources.length === 1) return findUpTo(wanted, only, (within) => find(within, from, limit + 1));
    const keys = await Promise.all(sources.map((source) => find(source, 0, from + limit + 1)));
    return keys
      .flat()
      .sort(inOrder(order))
      .slice(from, from + limit + 1);
  }

  return async (wanted) => {
    const { filter, from, limit } = wanted;
    const sources = sourcesOf(wanted);
    if (sources.length === 1 && from === 0) {
      const isWhole = Object.keys(filter).length === 0;
      const posts = await (isWhole ? readFirstTogether(wanted) : readFirst(wanted));
      return { posts: posts.slice(0, limit), found: posts.length };
    }
    const keys = await readKeys(wanted, sources);
    const ids = keys.slice(0, limit).map(({ _id }) => _id);
    const posts = await Posts.find({ _id: { $in: ids } }).lean<CommunityPost[]>();
    const known = new Map(posts.map((post) => [String(post._id), post]));
    return { posts: ids.flatMap((id) => known.get(String(id)) ?? []), found: keys.length };
  };
}

/** Tells pages without a filter apart. */
const nameOf = ({ order, from, limit, groupIds }: PageRequest): string =>
  [...Object.entries(order).flat(), from, limit, ...(groupIds ?? [])].join();

/** Posts of a source that come no later in an order than a place in it. Very many may have the same number of votes. */
function notBeyond({ createdAt, upvoteCount = 0 }: Place, source: Filter, order: Order): Filter {
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
  const together = Math.min(Math.ceil(groupIds.length / mostQueries), maxIdsPerQuery);
  return chunk(groupIds, together).map((ids) => ({ ...filter, groupId: { $in: ids } }));
}

export const inOrder = (order: Order) => (a: OrderKey, b: OrderKey) => {
  const fields = Object.entries(order) as [OrderField, 1 | -1][];
  return fields.reduce((decided, [field, direction]) => decided || direction * compare(a[field], b[field]), 0);
};

function compare(a: OrderKey[OrderField], b: OrderKey[OrderField]): number {
  const [x, y] = typeof a === "object" && "toHexString" in a ? [String(a), String(b)] : [Number(a), Number(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}
