import { mongo } from "mongoose";
import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { failure } from "../http/errors.js";
import { isObjectId } from "../http/fields.js";
import { bare } from "../models/bare.js";
import type { CommunityGroup } from "../models/community-group.js";
import type { CommunityPost, Removal } from "../models/community-post.js";
import type { Models } from "../models/index.js";
import type { PostTotal } from "../models/totals.js";
import { authorSnapshot } from "./community-author.js";
import { GroupNotFound } from "./community-groups.js";
import { type InTime, inlineBudget, recordRemoval } from "./community-removal.js";
import { type Claimed, type Counter, claim, leave, settle } from "./counted-fact.js";
import { deleteVotes } from "./vote.js";

export const PostNotFound = failure(404, "Post not found");

/** What counts a post: the total, and its group if it is in one. */
function postCounters(db: Db, groupId: mongo.ObjectId | null) {
  const total: Counter<PostTotal> = {
    model: db.PostTotal,
    counted: { _id: "posts" },
    add: { posts: 1 },
    take: { posts: -1 },
  };
  const ofGroup: Counter<CommunityGroup> = {
    model: db.CommunityGroup,
    counted: { _id: groupId },
    add: { postCount: 1 },
    take: { postCount: -1 },
  };
  return { total, ofGroup: groupId ? ofGroup : undefined };
}

/**
 * Makes the total of posts if there is none, in a new database or in one older than the total. Before the first
 * request, so that nothing is counted meanwhile; the first of several instances sets it.
 */
export async function createPostTotal({ PostTotal: Totals, CommunityPost: Posts }: Models): Promise<void> {
  if (await Totals.exists({ _id: "posts" })) return;
  // A removal that a crash left will still be taken off; what is being added will still be added.
  const posts = await Posts.countDocuments({ state: { $in: ["in", "removing"] } });
  try {
    await Totals.updateOne({ _id: "posts" }, { $setOnInsert: { posts } }, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/**
 * Number of posts in some groups, or of all posts, from counters. A post that is being added at this moment may be in
 * it.
 */
export async function countPosts(
  { PostTotal: Totals, CommunityGroup: Groups }: Db,
  groupIds: readonly mongo.ObjectId[] | undefined,
): Promise<number> {
  if (!groupIds) return (await Totals.findById("posts").lean())?.posts ?? 0;
  const groups = await Groups.find({ _id: { $in: [...groupIds] } }, { postCount: 1 }).lean();
  return groups.reduce((sum, { postCount }) => sum + postCount, 0);
}

/** Makes sure that readers can see a post, without reading what it says. @throws PostNotFound */
export async function requirePost(db: Db, postId: mongo.ObjectId): Promise<void> {
  const visible = { _id: postId, state: "in" as const };
  if (!(await bare(db.CommunityPost).findOne(visible, { projection: { _id: 1 } }))) throw PostNotFound();
}

/** A post that readers can see. @throws PostNotFound */
export async function visiblePost(db: Db, postId: string): Promise<CommunityPost> {
  const post = await db.CommunityPost.findOne({ _id: postId, state: "in" }).lean<CommunityPost>();
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
  const group = groupId === "" ? null : await existingGroup(db, groupId);
  const inGroup = group?._id ?? null;
  const created = await db.CommunityPost.create({ ...author, ...fields, groupId: inGroup, ...claim("adding") });
  const post = created.toObject() as Claimed<CommunityPost>;
  const { total, ofGroup } = postCounters(db, inGroup);
  if (!(await settle(db.CommunityPost, post, total, { also: ofGroup }))) throw new Error("no total of posts");
  return { post, group };
}

async function existingGroup(db: Db, groupId: string): Promise<GroupOfPost> {
  if (!isObjectId(groupId)) throw GroupNotFound();
  const shown = { name: 1, slug: 1, icon: 1 } as const;
  const group = await bare(db.CommunityGroup).findOne({ _id: new mongo.ObjectId(groupId) }, { projection: shown });
  if (!group) throw GroupNotFound();
  return group;
}

/** Changes what a post says. @throws PostNotFound */
export async function editPost(
  db: Db,
  postId: mongo.ObjectId,
  changes: { title?: string | undefined; content?: string | undefined; tags?: string[] | undefined },
): Promise<CommunityPost> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const post = await db.CommunityPost.findOneAndUpdate(
    { _id: postId, state: "in" },
    { $set: { ...given, editedAt: new Date() } },
    { returnDocument: "after" },
  ).lean<CommunityPost>();
  if (!post) throw PostNotFound();
  return post;
}

/** Removes a post, its replies and all their votes. @returns whether it was still there. */
export async function removePost(db: Db, postId: mongo.ObjectId, removal?: Removal): Promise<boolean> {
  const post = await leave(db.CommunityPost, { _id: postId }, removal ? { removal } : {});
  if (post) await settlePost(db, post, inlineBudget());
  return post !== null;
}

/** Ends a post's creation or removal that was begun. The post has been invisible since the removal began. */
export async function settlePost(db: Db, post: Claimed<CommunityPost>, inTime: InTime = () => true) {
  const { total, ofGroup } = postCounters(db, post.groupId);
  await settle(db.CommunityPost, post, total, {
    also: ofGroup,
    async cleanUp(held, renew) {
      await recordRemoval(db, "post", held, { postId: held._id });
      const goOn = async () => inTime() && (await renew());
      return (await deleteReplies(db, held._id, goOn)) && (await deleteVotes(db, "post", [held._id], goOn));
    },
  });
}

const batch = 200;

/**
 * Deletes the replies of a post that is being removed, batch by batch. Each is first taken out of `in`, from when on no
 * vote can be added to it. A reply that comes in at this moment is not counted, as the post is not `in`, and so undoes
 * itself.
 */
async function deleteReplies(db: Db, postId: mongo.ObjectId, goOn: () => Promise<boolean>): Promise<boolean> {
  const { CommunityReply: Replies } = db;
  for (;;) {
    const replies = await Replies.find({ postId }, { _id: 1 }).limit(batch).batchSize(batch).lean();
    const ids = replies.map(({ _id }) => _id);
    if (ids.length > 0) {
      await Replies.updateMany({ _id: { $in: ids } }, { $set: claim("removing") }, { timestamps: false });
      if (!(await deleteVotes(db, "reply", ids, goOn))) return false;
      await Replies.deleteMany({ _id: { $in: ids } });
    }
    if (ids.length < batch) return true;
    if (!(await goOn())) return false;
  }
}
