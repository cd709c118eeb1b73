import { mongo } from "mongoose";
import { failure } from "../http/errors.js";
import { isObjectId } from "../http/fields.js";
import type { CommunityGroup } from "../models/community-group.js";
import type { CommunityPost, Removal } from "../models/community-post.js";
import type { Models } from "../models/index.js";
import { authorSnapshot } from "./community-author.js";
import { GroupNotFound } from "./community-groups.js";
import { type InTime, inlineBudget, recordRemoval } from "./community-removal.js";
import { type Claimed, type Counter, claim, leave, settle } from "./counted-fact.js";
import { deleteVotes } from "./vote.js";

export const PostNotFound = failure(404, "Post not found");

const postCounter = ({ CommunityGroup: model }: Models, groupId: mongo.ObjectId | null): Counter<CommunityGroup> => ({
  model,
  counted: { _id: groupId },
  add: { postCount: 1 },
  take: { postCount: -1 },
});

/** A post that readers can see. @throws PostNotFound */
export async function visiblePost(models: Models, postId: string): Promise<CommunityPost> {
  const post = await models.CommunityPost.findOne({ _id: postId, state: "in" }).lean<CommunityPost>();
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
  models: Models,
  authorId: string,
  { groupId, ...fields }: NewPost,
): Promise<CommunityPost> {
  const author = await authorSnapshot(models, authorId);
  if (groupId === "") {
    const post = await models.CommunityPost.create({ ...author, ...fields, state: "in" });
    return post.toObject<CommunityPost>();
  }
  if (!isObjectId(groupId) || !(await models.CommunityGroup.exists({ _id: groupId }))) throw GroupNotFound();
  const created = await models.CommunityPost.create({
    ...author,
    ...fields,
    groupId: new mongo.ObjectId(groupId),
    ...claim("adding"),
  });
  const post = created.toObject() as Claimed<CommunityPost>;
  await settle(models.CommunityPost, post, postCounter(models, post.groupId));
  return post;
}

/** Changes what a post says. @throws PostNotFound */
export async function editPost(
  models: Models,
  postId: mongo.ObjectId,
  changes: { title?: string | undefined; content?: string | undefined; tags?: string[] | undefined },
): Promise<CommunityPost> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const post = await models.CommunityPost.findOneAndUpdate(
    { _id: postId, state: "in" },
    { $set: { ...given, editedAt: new Date() } },
    { returnDocument: "after" },
  ).lean<CommunityPost>();
  if (!post) throw PostNotFound();
  return post;
}

/** Removes a post, its replies and all their votes. @returns whether it was still there. */
export async function removePost(models: Models, postId: mongo.ObjectId, removal?: Removal): Promise<boolean> {
  const post = await leave(models.CommunityPost, { _id: postId }, removal ? { removal } : {});
  if (post) await settlePost(models, post, inlineBudget());
  return post !== null;
}

/** Ends a post's creation or removal that was begun. The post has been invisible since the removal began. */
export async function settlePost(models: Models, post: Claimed<CommunityPost>, inTime: InTime = () => true) {
  await settle(models.CommunityPost, post, postCounter(models, post.groupId), {
    async cleanUp(held, renew) {
      await recordRemoval(models, "post", held, { postId: held._id });
      const goOn = async () => inTime() && (await renew());
      return (await deleteReplies(models, held._id, goOn)) && (await deleteVotes(models, "post", [held._id], goOn));
    },
  });
}

const batch = 200;

/**
 * Deletes the replies of a post that is being removed, batch by batch. Each is first taken out of `in`, from when on no vote
 * can be added to it. A reply that comes in at this moment is not counted, as the post is not `in`, and so undoes itself.
 */
async function deleteReplies(models: Models, postId: mongo.ObjectId, goOn: () => Promise<boolean>): Promise<boolean> {
  const { CommunityReply: Replies } = models;
  for (;;) {
    const replies = await Replies.find({ postId }, { _id: 1 }).limit(batch).batchSize(batch).lean();
    const ids = replies.map(({ _id }) => _id);
    if (ids.length > 0) {
      await Replies.updateMany({ _id: { $in: ids } }, { $set: claim("removing") }, { timestamps: false });
      if (!(await deleteVotes(models, "reply", ids, goOn))) return false;
      await Replies.deleteMany({ _id: { $in: ids } });
    }
    if (ids.length < batch) return true;
    if (!(await goOn())) return false;
  }
}
