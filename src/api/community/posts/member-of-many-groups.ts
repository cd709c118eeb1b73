import type { QueryFilter } from "mongoose";
import type { Db } from "../../../db/db.js";
import { readInOrder } from "../../../db/read-in-order.js";
import { findExistingGroups } from "../../../models/community/community-group.js";
import type { CommunityPost } from "../../../models/community/community-post.js";
import { joinedGroups, readJoinedGroups } from "../../../services/community/groups.js";
import { countPosts } from "../../../services/community/posts.js";
import type { Order } from "./page-of-posts.js";

export interface MemberOfMany {
  readonly memberId: string;
  readonly filter: QueryFilter<CommunityPost>;
  readonly order: Order;
  /** Runs each query in turn with searches: these lists may look at every post. */
  readonly search: <T>(query: () => Promise<T>) => Promise<T>;
}

/**
 * The posts in the groups of a member of very many, in batches. All posts are read in the order of the list, and of each
 * batch those in the member's groups are kept: memory holds one batch, whatever the number of groups.
 */
export async function* postsOfMany(
  db: Db,
  { memberId, filter, order, search: run }: MemberOfMany,
): AsyncGenerator<CommunityPost[]> {
  const sort = order as Readonly<Record<string, 1 | -1>>;
  for await (const posts of readInOrder<CommunityPost, CommunityPost>(db.CommunityPost, { filter, sort, run })) {
    const groupIds = posts.flatMap(({ groupId }) => groupId ?? []);
    const existing = await findExistingGroups(db, await joinedGroups(db, memberId, groupIds));
    const joined = new Set(existing.map(String));
    yield posts.filter(({ groupId }) => groupId !== null && joined.has(String(groupId)));
  }
}

/** One page of the same, with their number. */
export async function pageOfMany(
  db: Db,
  { from, limit, ...member }: MemberOfMany & { readonly from: number; readonly limit: number },
): Promise<{ posts: CommunityPost[]; total: number; hasMore: boolean }> {
  const posts: CommunityPost[] = [];
  const total = await countOfMany(db, member);
  let passed = 0;
  if (from < total) {
    for await (const some of postsOfMany(db, member)) {
      posts.push(...some.slice(Math.max(0, from - passed), Math.max(0, from - passed) + limit + 1));
      passed += some.length;
      if (posts.length > limit) break;
    }
  }
  return { posts: posts.slice(0, limit), total, hasMore: posts.length > limit };
}

/** Their number: by the groups' counters, or of those that hold a text. */
async function countOfMany(db: Db, { memberId, filter, search }: MemberOfMany): Promise<number> {
  const byCounters = Object.keys(filter).length === 0;
  let total = 0;
  for await (const joined of readJoinedGroups(db, memberId)) {
    const ids = await findExistingGroups(db, joined);
    const found = { ...filter, groupId: { $in: ids } };
    total += await search(() => (byCounters ? countPosts(db, ids) : db.CommunityPost.countDocuments(found)));
  }
  return total;
}
