import { type ClientSession, mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { isObjectId, presentFields } from "../../lib/fields.js";
import type { CommunityGroup } from "../../models/community/community-group.js";
import { addUngroupedPosts, type CommunityPost } from "../../models/community/community-post.js";
import type { Actor } from "../audit/record-audit.js";
import { NotTheOwner, UserNotFound } from "../failures.js";
import { GroupNotFound } from "./groups.js";
import { recordRemoval } from "./moderation.js";

export const PostNotFound = failure("post_not_found", 404, "Post not found");

/** The mutex of the document that counts the posts of a group, or of no group. */
const countMutex = (groupId: mongo.ObjectId | null) => (groupId ? (`group:${groupId}` as const) : "ungrouped-posts");

/** Reads the author's profile, which is stored with each text. @returns null for a user without a record. */
export async function readAuthor(db: Db, userId: string) {
  const user = await db.User.findById(userId, { name: 1, imageUrl: 1 }).lean();
  return user && { authorId: userId, authorName: user.name, authorImage: user.imageUrl };
}

/** What identifies a post. Its group may be removed. */
export type PostKey = Pick<CommunityPost, "_id" | "authorId" | "groupId">;

/** Checks that a post exists, without reading its text. @throws PostNotFound */
export async function requirePost(db: Db, postId: mongo.ObjectId): Promise<PostKey> {
  const post = await db.CommunityPost.findById(postId, { authorId: 1, groupId: 1 }).lean<PostKey>();
  if (!post) throw PostNotFound();
  return post;
}

/** Refuses a change that found no post of the caller. @throws PostNotFound, NotTheOwner */
async function refusePostChange(db: Db, postId: mongo.ObjectId): Promise<never> {
  await requirePost(db, postId);
  throw NotTheOwner();
}

/** @throws PostNotFound */
export async function readPost(db: Db, postId: mongo.ObjectId): Promise<CommunityPost> {
  const post = await db.CommunityPost.findById(postId).lean<CommunityPost>();
  if (!post) throw PostNotFound();
  return post;
}

/** Fields of a group that a post shows. */
export type GroupCard = Pick<CommunityGroup, "_id" | "name" | "slug" | "icon">;
const cardFields = { name: 1, slug: 1, icon: 1 } as const;

/** Adds to a post its group: null for a post in no group, and for a post whose group was removed. */
export async function addGroup<T extends Pick<CommunityPost, "groupId">>(db: Db, post: T) {
  const group = post.groupId && (await db.CommunityGroup.findById(post.groupId, cardFields).lean<GroupCard>());
  return Object.assign(post, { group });
}

/** Adds the groups of posts, by one query. */
export async function addGroups<T extends Pick<CommunityPost, "groupId">>(db: Db, posts: readonly T[]) {
  const ids = new Set(posts.flatMap(({ groupId }) => (groupId ? [String(groupId)] : [])));
  const found = ids.size > 0 ? await db.CommunityGroup.find({ _id: { $in: [...ids] } }, cardFields).lean() : [];
  const cards = new Map<string, GroupCard>(found.map((card) => [String(card._id), card]));
  return posts.map((post) => Object.assign(post, { group: cards.get(String(post.groupId)) ?? null }));
}

export interface NewPost {
  title: string;
  content: string;
  tags: string[];
  /** Empty for a post in no group. */
  groupId: string;
}

/** Adds a post. @throws UserNotFound; GroupNotFound */
export async function createPost(
  db: Db,
  authorId: string,
  { groupId, ...fields }: NewPost,
): Promise<{ post: CommunityPost; group: GroupCard | null }> {
  const author = await readAuthor(db, authorId);
  if (!author) throw UserNotFound();
  if (groupId !== "" && !isObjectId(groupId)) throw GroupNotFound();
  const inGroup = groupId === "" ? null : new mongo.ObjectId(groupId);
  return db.transaction(
    async (session) => {
      const post = new db.CommunityPost({ ...author, ...fields, groupId: inGroup });
      await post.save({ session });
      const group = inGroup && (await addGroupPosts(db, session, inGroup, 1));
      if (inGroup && !group) throw GroupNotFound();
      if (!inGroup) await addUngroupedPosts(db, 1, session);
      return { post: post.toObject<CommunityPost>(), group };
    },
    { mutex: countMutex(inGroup) },
  );
}

/** Counts posts in a group. @returns the group; null when there is none. */
function addGroupPosts(db: Db, session: ClientSession, groupId: mongo.ObjectId, by: 1 | -1) {
  const options = { session, timestamps: false, projection: cardFields };
  return db.CommunityGroup.findByIdAndUpdate(groupId, { $inc: { postCount: by } }, options).lean<GroupCard>();
}

/** Changes the caller's own post. @throws PostNotFound, NotTheOwner */
export async function editPost(
  db: Db,
  authorId: string,
  postId: mongo.ObjectId,
  changes: { title?: string | undefined; content?: string | undefined; tags?: string[] | undefined },
): Promise<CommunityPost> {
  const changed = presentFields(changes);
  const post = await db.CommunityPost.findOneAndUpdate(
    { _id: postId, authorId },
    { $set: { ...changed, editedAt: new Date() } },
    { returnDocument: "after" },
  ).lean<CommunityPost>();
  return post ?? refusePostChange(db, postId);
}

/** Marks the caller's own post resolved, or open again; an accepted reply stays accepted. @returns the new mark. */
export async function toggleResolved(db: Db, authorId: string, postId: mongo.ObjectId): Promise<boolean> {
  const post = await db.CommunityPost.findOneAndUpdate(
    { _id: postId, authorId },
    [{ $set: { isResolved: { $not: ["$isResolved"] } } }],
    { updatePipeline: true, returnDocument: "after", projection: { isResolved: 1 } },
  ).lean();
  return post ? post.isResolved : refusePostChange(db, postId);
}

/** Time limit of a removal. It is long, because a post may have thousands of replies. */
const removalMs = 20_000;

/**
 * Removes a post, its replies and all their votes. An administrator's removal is audited and resolves the reports of
 * the post and of its replies.
 * @throws PostNotFound when it is gone already.
 */
export function removePost(db: Db, post: PostKey, moderator?: Actor): Promise<void> {
  const postId = post._id;
  return db.transaction(
    async (session) => {
      const { deletedCount } = await db.CommunityPost.deleteOne({ _id: postId }, { session });
      if (deletedCount === 0) throw PostNotFound();
      await db.CommunityReply.deleteMany({ postId }, { session });
      await db.Vote.deleteMany({ postId }, { session });
      if (moderator) await recordRemoval(db, session, moderator, "post", post, { postId });
      const group = post.groupId && (await addGroupPosts(db, session, post.groupId, -1));
      // The posts of a removed group have counted as posts in no group since its removal.
      if (!group) await addUngroupedPosts(db, -1, session);
    },
    { mutex: countMutex(post.groupId), deadlineMs: removalMs },
  );
}
