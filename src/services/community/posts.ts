import { type ClientSession, mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import { addGroupPosts, countPostsInGroups, type GroupCard } from "../../models/community/community-group.js";
import {
  addUngroupedPosts,
  type CommunityPost,
  countAllPosts,
  deletePost,
  findPostKey,
  type PostKey,
  togglePostResolved,
} from "../../models/community/community-post.js";
import { deleteRepliesAndVotes } from "../../models/community/community-reply.js";
import { UserNotFound } from "../users/failures.js";
import { authorSnapshot, NotAuthorized } from "./author.js";
import { GroupNotFound, groupMutex } from "./groups.js";
import { type Moderator, recordRemoval } from "./removal.js";

export const PostNotFound = failure("post_not_found", 404, "Post not found");

/** Votes and replies are counted in their post: transactions that write the same post run one after another. */
export const postMutex = (postId: mongo.ObjectId): string => `post:${postId}`;

/** Transactions that count in the same document run one after another. */
const countMutex = (groupId: mongo.ObjectId | null): string => (groupId ? groupMutex(groupId) : "ungrouped-posts");

/** Number of posts in some groups, or of all posts, from counters. */
export function countPosts(db: Db, groupIds: readonly mongo.ObjectId[] | undefined): Promise<number> {
  return groupIds ? countPostsInGroups(db, groupIds) : countAllPosts(db);
}

/** Checks that a post exists, without reading its text. @throws PostNotFound */
export async function requirePost(db: Db, postId: mongo.ObjectId): Promise<PostKey> {
  const post = await findPostKey(db, postId);
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

/** Adds a post. @throws UserNotFound; GroupNotFound */
export async function createPost(
  db: Db,
  authorId: string,
  { groupId, ...fields }: NewPost,
): Promise<{ post: CommunityPost; group: GroupCard | null }> {
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
): Promise<GroupCard | null> {
  const group = groupId && (await addGroupPosts(db, groupId, by, session));
  if (group) return group;
  if (groupId && by === 1) throw GroupNotFound();
  // The posts of a removed group are counted as posts in no group since its removal.
  await addUngroupedPosts(db, by, session);
  return null;
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
  return (await togglePostResolved(db, { _id: postId, authorId })) ?? refusePostChange(db, postId);
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
      if (!(await deletePost(db, postId, session))) throw PostNotFound();
      await deleteRepliesAndVotes(db, postId, session);
      if (moderator) await recordRemoval(db, session, moderator, "post", post, { postId });
      await countPost(db, session, post.groupId, -1);
    },
    { mutex: countMutex(post.groupId), deadlineMs: removalMs },
  );
}

/** A post may have very many replies: the removal of a post may take this long, in milliseconds. */
const removalMs = 20_000;
