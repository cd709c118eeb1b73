import { mongo } from "mongoose";
import type { z } from "zod";
import { toggleResolved } from "../../commands/accept-reply.js";
import { NotAuthorized } from "../../commands/community-author.js";
import {
  createPost,
  editPost,
  PostNotFound,
  removePost,
  requirePost,
  visiblePost,
} from "../../commands/community-posts.js";
import { takingTurns } from "../../commands/in-turn.js";
import { fileReport } from "../../commands/reports.js";
import { toggleVote } from "../../commands/vote.js";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import type { CommunityReply } from "../../models/community-post.js";
import type { NewPostBody, PostChanges, PostParams, PostsQuery, ReportBody } from "./community.schemas.js";
import { findPosts } from "./find-posts.js";
import { asWritten, viewPost, viewPosts, viewReplies } from "./views.js";

type Params = z.output<typeof PostParams>;

/** Searches at once: looking into all texts may take long, and must leave database connections to everybody else. */
const searchesAtOnce = 4;

export function postsController({ db }: Deps) {
  const inTurn = takingTurns();
  let searches = 0;

  /** The caller's own post. @throws PostNotFound, NotAuthorized */
  const ownPost = async (postId: string, viewerId: string) => {
    const post = await visiblePost(db, postId);
    if (post.authorId !== viewerId) throw NotAuthorized();
    return post;
  };

  return {
    async list({ viewer, query }: RouteRequest<undefined, z.output<typeof PostsQuery>, undefined, "public">) {
      const find = () => findPosts(db, query, viewer?.id);
      const found = await (query.q ? inTurn(`search ${searches++ % searchesAtOnce}`, find) : find());
      return { ...found, posts: await viewPosts(db, found.posts, viewer?.id) };
    },

    async show({ viewer, params }: RouteRequest<Params, undefined, undefined, "public">) {
      const post = await visiblePost(db, params.postId);
      const replies = await db.CommunityReply.find({ postId: post._id, state: "in" })
        .sort({ createdAt: 1, _id: 1 })
        .batchSize(1_000)
        .lean<CommunityReply[]>();
      const [view, seen] = await Promise.all([
        viewPost(db, post, viewer?.id),
        viewReplies(db, replies, post, viewer?.id),
      ]);
      const accepted = seen.filter((reply) => reply.isAcceptedAnswer);
      return { post: { ...view, replies: [...accepted, ...seen.filter((reply) => !reply.isAcceptedAnswer)] } };
    },

    async create({ viewer, body }: RouteRequest<undefined, undefined, z.output<typeof NewPostBody>, "user">) {
      const { post, group } = await createPost(db, viewer.id, body);
      return { post: { ...asWritten(post), group, isAuthor: true, isUpvoted: false } };
    },

    async edit({ viewer, params, body }: RouteRequest<Params, undefined, z.output<typeof PostChanges>, "user">) {
      const { _id } = await ownPost(params.postId, viewer.id);
      return { post: await viewPost(db, await editPost(db, _id, body), viewer.id) };
    },

    async remove({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      const { _id } = await ownPost(params.postId, viewer.id);
      if (!(await removePost(db, _id))) throw PostNotFound();
      return {};
    },

    async upvote({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      const targetId = new mongo.ObjectId(params.postId);
      const vote = await inTurn(`${viewer.id} ${targetId}`, async () => {
        await requirePost(db, targetId);
        return toggleVote(db, viewer.id, "post", targetId);
      });
      if (!vote) throw PostNotFound();
      return vote;
    },

    async resolve({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      const { _id } = await ownPost(params.postId, viewer.id);
      const isResolved = await inTurn(`resolve ${_id}`, () => toggleResolved(db, _id));
      if (isResolved === null) throw PostNotFound();
      return { isResolved };
    },

    async report({ viewer, params, body }: RouteRequest<Params, undefined, z.output<typeof ReportBody>, "user">) {
      const _id = new mongo.ObjectId(params.postId);
      await requirePost(db, _id);
      await fileReport(db, { ...body, reporterId: viewer.id, targetKind: "post", targetId: _id, postId: _id });
      return {};
    },
  };
}
