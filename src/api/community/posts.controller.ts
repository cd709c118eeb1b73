import { mongo } from "mongoose";
import PQueue from "p-queue";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import type { CommunityReply } from "../../models/community-post.js";
import { NotAuthorized } from "../../services/community/author.js";
import {
  createPost,
  editPost,
  existingPost,
  removePost,
  requirePost,
  toggleResolved,
} from "../../services/community/posts.js";
import { fileReport } from "../../services/community/reports.js";
import { toggleVote } from "../../services/community/votes.js";
import type { NewPostBody, PostChanges, PostParams, PostsQuery, ReportBody } from "./community.schemas.js";
import { findPosts } from "./find-posts.js";
import { asWritten, viewPost, viewPosts, viewReplies } from "./views.js";

type Params = z.output<typeof PostParams>;

/** Searches at once: looking into all texts may take long, and must leave database connections to other requests. */
const searchesAtOnce = 4;

const idOf = ({ postId }: Params): mongo.ObjectId => new mongo.ObjectId(postId);

export function postsController({ db }: Deps) {
  const searches = new PQueue({ concurrency: searchesAtOnce });

  return {
    async list({ viewer, query }: RouteRequest<undefined, z.output<typeof PostsQuery>, undefined, "public">) {
      const find = () => findPosts(db, query, viewer?.id);
      const found = await (query.q ? searches.add(find) : find());
      return { ...found, posts: await viewPosts(db, found.posts, viewer?.id) };
    },

    async show({ viewer, params }: RouteRequest<Params, undefined, undefined, "public">) {
      const post = await existingPost(db, idOf(params));
      const replies = await db.CommunityReply.find({ postId: post._id })
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
      return { post: await viewPost(db, await editPost(db, viewer.id, idOf(params), body), viewer.id) };
    },

    async remove({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      const post = await requirePost(db, idOf(params));
      if (post.authorId !== viewer.id) throw NotAuthorized();
      await removePost(db, post);
      return {};
    },

    upvote({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      return toggleVote(db, viewer.id, { postId: idOf(params) });
    },

    async resolve({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      return { isResolved: await toggleResolved(db, viewer.id, idOf(params)) };
    },

    async report({ viewer, params, body }: RouteRequest<Params, undefined, z.output<typeof ReportBody>, "user">) {
      const _id = idOf(params);
      await requirePost(db, _id);
      await fileReport(db, { ...body, reporterId: viewer.id, targetKind: "post", targetId: _id, postId: _id });
      return {};
    },
  };
}
