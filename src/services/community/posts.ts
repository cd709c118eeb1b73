import { type ClientSession, mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../http/errors.js";
import { isObjectId } from "../../http/fields.js";
import { bare } from "../../models/bare.js";
import type { CommunityGroup } from "../../models/community-group.js";
import type { CommunityPost } from "../../models/community-post.js";
import type { Models } from "../../models/index.js";
import { UserNotFound } from "../users/user-cards.js";
import { authorSnapshot, NotAuthorized } from "./author.js";
import { GroupNotFound, groupMutex } from "./groups.js";
import { type Moderator, recordRemoval } from "./removal.js";

export const PostNotFound = failure("post_not_found", 404, "Post not found");

/** Votes and replies are counted in their post: transactions that write the same post run one after another. */
export const postMutex = (postId: mongo.ObjectId): string => `post:${postId}`;

/** Transactions that count in the same document run one after another. */
const countMutex = (groupId: mongo.ObjectId | null): string => (groupId ? groupMutex(groupId) : "ungrouped-posts");

/** The one document that counts the posts in no group. */
const ungrouped = { _id: "all" };

/** Creates the count of posts in no group, so that no transaction has to. Instances may start at the same moment. */
export async function createUngroupedPosts({ UngroupedPosts: Ungrouped }: Models): Promise<void> {
  await Ungrouped.updateOne(ungrouped, { $setOnInsert: { postCount: 0 } }, { upsert: true });
}

/** Number of posts in some groups, or of all posts, from counters. */
export async function countPosts(
  { UngroupedPosts: Ungrouped, CommunityGroup: Groups }: Db,
  groupIds: readonly mongo.ObjectId[] | undefined,
): Promise<number> {
  const counted = groupIds ? { _id: { $in: [...groupIds] } } : { postCount: { $gt: 0 } };
  const [inNone, [inGroups]] = await Promise.all([
    groupIds ? null : bare(Ungrouped).findOne(ungrouped),
    Groups.aggregate<{ posts: number }>([
      { $match: counted },
      { $group: { _id: null, posts: { $sum: "$postCount" } } },
    ]),
  ]);
  return (inNone?.postCount ?? 0) + (inGroups?.posts ?? 0);
}

/** What never changes of a post. */
type PostKey = Pick<CommunityPost, "_id" | "authorId" | "groupId">;

/** Makes sure that a post exists, without reading what it says. @throws PostNotFound */
export async function requirePost(db: Db, postId: mongo.ObjectId): Promise<PostKey> {
  const projection = { authorId: 1, groupId: 1 } as const;
  const post = await bare(db.CommunityPost).findOne({ _id: postId }, { projection });
  if (!post) throw PostNotFound();
  return post;
}

/** Why a change named no post of the caller's own. @throws PostNotFound, NotAuthorized */
async function refusePostChange(db: Db, postId: mongo.ObjectId): Promise<never> {
  await requirePost(db, postId);
  throw NotAuthorized();
}

/** @throws PostNotFound */
export async function existingPost(db: Db, postId: mongo.ObjectId): Promise<CommunityPost> {
  const post = await db.CommunityPost.findById(postId).lean<CommunityPost>();
  if (!post) throw PostNotFound();
  return post;
}

export interface NewPost {
  title: string;
  content: string;
  tags: string[];
  /** Empty: in no group. Anything that names no group is refused. */
  groupId: string;
}

/** What a post shows of its group. */
type GroupOfPost = Pick<CommunityGroup, "_id" | "name" | "slug" | "icon">;

/** Adds a post. @throws UserNotFound; GroupNotFound */
export async function createPost(
  db: Db,
  authorId: string,
  { groupId, ...fields }: NewPost,
): Promise<{ post: CommunityPost; group: GroupOfPost | null }> {
  const author = await authorSnapshot(db, authorId);
  if (!author) throw UserNotFound();
  if (groupId !== "" && !isObjectId(groupId)) throw GroupNotFound();
  const inGroup = groupId === "" ? null : new mongo.ObjectId(groupId);
  return db.transaction(
    async (session) => {
      const post = new db.CommunityPost({ ...author, ...fields, groupId: inGroup });
      await post.save({ session });
      const group = await countPost(db, session, inGroup, 1);
      return { post: post.toObject<CommunityPost>(), group };
    },
    { mutex: countMutex(inGroup) },
  );
}

/** Counts a post in its group, or as one in no group. @returns the group. @throws GroupNotFound */
async function countPost(
  db: Db,
  session: ClientSession,
  groupId: mongo.ObjectId | null,
  by: 1 | -1,
): Promise<GroupOfPost | null> {
  const update = { $inc: { postCount: by } };
  if (groupId === null) {
    const { matchedCount } = await bare(db.UngroupedPosts).updateOne(ungrouped, update, { session });
    if (matchedCount === 0) throw new Error("the count of posts in no group is missing");
    return null;
  }
  const projection = { name: 1, slug: 1, icon: 1 } as const;
  const group = await bare(db.CommunityGroup).findOneAndUpdate({ _id: groupId }, update, { session, projection });
  if (!group) throw GroupNotFound();
  return group;
}

/** Changes what the caller's own post says. @throws PostNotFound, NotAuthorized */
export async function editPost(
  db: Db,
  authorId: string,
  postId: mongo.ObjectId,
  changes: { title?: string | undefined; content?: string | undefined; tags?: string[] | undefined },
): Promise<CommunityPost> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const post = await db.CommunityPost.findOneAndUpdate(
    { _id: postId, authorId },
    { $set: { ...given, editedAt: new Date() } },
    { returnDocument: "after" },
  ).lean<CommunityPost>();
  return post ?? refusePostChange(db, postId);
}

/** Marks the caller's own post resolved, or open again; an accepted reply stays what it is. @returns the new mark. */
export async function toggleResolved(db: Db, authorId: string, postId: mongo.ObjectId): Promise<boolean> {
  const post = await bare(db.CommunityPost).findOneAndUpdate(
    { _id: postId, authorId },
    [{ $set: { isResolved: { $not: ["$isResolved"] }, updatedAt: new Date() } }],
    { returnDocument: "after", projection: { isResolved: 1 } },
  );
  return post ? post.isResolved : refusePostChange(db, postId);
}

/**
 * Removes a post, its replies and all their votes. An administrator's removal is audited and resolves the reports of
 * all of these.
 * @throws PostNotFound when it is gone already.
 */
export function removePost(db: Db, post: PostKey, moderator?: Moderator): Promise<void> {
  const postId = post._id;
  return db.transaction(
    async (session) => {
      const { deletedCount } = await bare(db.CommunityPost).deleteOne({ _id: postId }, { session });
      if (deletedCount === 0) throw PostNotFound();
      await removeAllOf(bare(db.CommunityReply), postId, session);
      await removeAllOf(bare(db.Vote), postId, session);
      if (moderator) await recordRemoval(db, session, moderator, "post", post, { postId });
      await countPost(db, session, post.groupId, -1);
    },
    { mutex: countMutex(post.groupId), deadlineMs: removalMs },
  );
}

/** The removal of a post may take so long, since it may have very many replies; in milliseconds. */
const removalMs = 20_000;
/** Documents that one command removes, so that each command ends in time. */
const removedAtOnce = 2_000;

/** Removes what belongs to a post from one collection, by as many commands as it takes. */
async function removeAllOf<T extends { _id: mongo.ObjectId; postId: mongo.ObjectId }>(
  collection: mongo.Collection<T>,
  postId: mongo.ObjectId,
  session: ClientSession,
): Promise<void> {
  const ofPost = { postId } as mongo.Filter<T>;
  const options = { session, projection: { _id: 1 }, limit: removedAtOnce, batchSize: removedAtOnce + 1 };
  for (;;) {
    const ids = (await collection.find(ofPost, options).toArray()).map(({ _id }) => _id);
    if (ids.length > 0) await collection.deleteMany({ _id: { $in: ids } } as mongo.Filter<T>, { session });
    if (ids.length < removedAtOnce) return;
  }
}
