import { mongo } from "mongoose";
import type { z } from "zod";
import { isTimeLimit } from "../../../db/database-errors.js";
import type { Deps } from "../../../deps.js";
import { streamList } from "../../../http/replies/stream-body.js";
import type { RouteRequest } from "../../../http/route.js";
import { ApiError } from "../../../lib/errors.js";
import { fileReport } from "../../../services/community/moderation.js";
import {
  addGroup,
  addGroups,
  createPost,
  editPost,
  NotAuthorized,
  readPost,
  removePost,
  requirePost,
  toggleResolved,
} from "../../../services/community/posts.js";
import { listReplies } from "../../../services/community/replies.js";
import { createSearchLimit, SearchBusy, searchRetrySeconds } from "../../../services/community/search-limit.js";
import { findUpvoted, toggleVote } from "../../../services/community/votes.js";
import type { PostParams, ReportBody } from "../shared.js";
import { newReader, type Reader, viewPost, viewReply } from "../views.js";
import { createPages, readAllPosts } from "./find-posts.js";
import { type NewPostBody, type PostChanges, type PostsQuery, PostView } from "./posts.schemas.js";

type Params = z.output<typeof PostParams>;
type Query = z.output<typeof PostsQuery>;

const idOf = ({ postId }: Params): mongo.ObjectId => new mongo.ObjectId(postId);

export function postsController({ db, metrics }: Deps) {
  const runSearch = createSearchLimit(metrics);
  const readPage = createPages(db);

  async function readerOf(viewerId: string | undefined, posts: readonly { _id: mongo.ObjectId }[]): Promise<Reader> {
    return {
      id: viewerId,
      upvoted: await findUpvoted(db, viewerId, { targetId: { $in: posts.map(({ _id }) => _id) } }),
    };
  }

  /**
   * Answers with all posts in batches, so that memory holds two of them. A search counts as running until its first
   * batch, so that slow readers do not keep others from searching.
   */
  function streamAll({ viewer, query, res, signal }: RouteRequest<undefined, Query, undefined, "public">) {
    let total = 0;
    async function* texts() {
      const batches = readAllPosts(db, query, viewer?.id);
      try {
        let next = await (query.q ? runSearch(() => batches.next()) : batches.next());
        for (; !next.done; next = await batches.next()) {
          const posts = await addGroups(db, next.value);
          const reader = await readerOf(viewer?.id, posts);
          total += posts.length;
          yield posts.map((post) => JSON.stringify(PostView.parse(viewPost(post, reader))));
        }
      } finally {
        await batches.return(undefined);
      }
    }
    return streamList(res, signal, {
      head: '{"success":true,"posts":[',
      batches: texts(),
      tail: () => `],"hasMore":false,"total":${total}}`,
    });
  }

  return {
    async list(request: RouteRequest<undefined, Query, undefined, "public">) {
      const { viewer, query, res } = request;
      try {
        if (query.limit === undefined) return await streamAll(request);
        const wanted = { ...query, limit: query.limit };
        const read = () => readPage(wanted, viewer?.id);
        const page = await (query.q ? runSearch(read) : read());
        const reader = await readerOf(viewer?.id, page.posts);
        return { ...page, posts: page.posts.map((post) => viewPost(post, reader)) };
      } catch (error) {
        const failed = query.q && isTimeLimit(error) ? SearchBusy(error) : error;
        const isBusy = failed instanceof ApiError && failed.id === SearchBusy.id;
        if (isBusy && !res.headersSent) res.setHeader("Retry-After", searchRetrySeconds);
        throw failed;
      }
    },

    async show({ viewer, params }: RouteRequest<Params, undefined, undefined, "public">) {
      const found = await readPost(db, idOf(params));
      const [post, replies, upvoted] = await Promise.all([
        addGroup(db, found),
        listReplies(db, found),
        findUpvoted(db, viewer?.id, { postId: found._id }),
      ]);
      const reader = { id: viewer?.id, upvoted };
      const views = replies.map((reply) => viewReply(reply, post, reader));
      return { post: { ...viewPost(post, reader), replies: views } };
    },

    async create({ viewer, body }: RouteRequest<undefined, undefined, z.output<typeof NewPostBody>, "user">) {
      const { post, group } = await createPost(db, viewer.id, body);
      return { post: viewPost({ ...post, group }, newReader(viewer.id)) };
    },

    async edit({ viewer, params, body }: RouteRequest<Params, undefined, z.output<typeof PostChanges>, "user">) {
      const post = await addGroup(db, await editPost(db, viewer.id, idOf(params), body));
      return { post: viewPost(post, await readerOf(viewer.id, [post])) };
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
