import { mongo } from "mongoose";
import type { z } from "zod";
import type { Deps } from "../../../deps.js";
import { streamList } from "../../../http/replies/stream-body.js";
import { alreadySent, type RouteRequest } from "../../../http/route.js";
import { ApiError } from "../../../lib/errors.js";
import type { CommunityPost } from "../../../models/community/community-post.js";
import { NotAuthorized } from "../../../services/community/author.js";
import {
  createPost,
  editPost,
  existingPost,
  removePost,
  requirePost,
  toggleResolved,
} from "../../../services/community/posts.js";
import { fileReport } from "../../../services/community/reports.js";
import { createSearchQueue, SearchBusy, searchRetrySeconds } from "../../../services/community/search-queue.js";
import { toggleVote } from "../../../services/community/votes.js";
import type { PostParams, ReportBody } from "../community-shapes.js";
import { asWritten, viewPost, viewPosts } from "../views.js";
import { createSharedPosts, findAll, findPage } from "./find-posts.js";
import { type NewPostBody, type PostChanges, type PostsQuery, writePostView } from "./posts.schemas.js";
import { createShowPost } from "./show-post.js";

type Params = z.output<typeof PostParams>;
type Query = z.output<typeof PostsQuery>;

const idOf = ({ postId }: Params): mongo.ObjectId => new mongo.ObjectId(postId);

export function postsController({ db, metrics }: Deps) {
  const searches = createSearchQueue(metrics);
  const shared = createSharedPosts(db);
  const showPost = createShowPost({ db });

  async function* shownPosts(batches: AsyncIterable<CommunityPost[]>, viewerId: string | undefined) {
    for await (const posts of batches) {
      const views = await viewPosts(db, posts, viewerId);
      yield views.map(writePostView);
    }
  }

  return {
    /** Complete lists are written as they are read. */
    async list({ viewer, query, res, signal }: RouteRequest<undefined, Query, undefined, "public">) {
      let begun = false;
      const search = <T>(work: () => Promise<T>): Promise<T> => {
        const run = begun ? searches.goOn : searches.run;
        begun = true;
        return run(signal, work);
      };
      const asked = { viewerId: viewer?.id, search };
      try {
        if (query.limit !== undefined) {
          const found = await findPage(db, { ...query, limit: query.limit }, asked, shared);
          return { ...found, posts: await viewPosts(db, found.posts, viewer?.id) };
        }
        let total = 0;
        const counted = async function* () {
          for await (const batch of shownPosts(findAll(db, query, asked), viewer?.id)) {
            total += batch.length;
            yield batch;
          }
        };
        return await streamList(res, signal, {
          head: '{"success":true,"posts":[',
          batches: counted(),
          tail: () => `],"hasMore":false,"total":${total}}`,
        });
      } catch (error) {
        if (signal.aborted) return alreadySent;
        if (!res.headersSent && error instanceof ApiError && error.status === SearchBusy.status) {
          res.setHeader("Retry-After", searchRetrySeconds);
        }
        throw error;
      }
    },

    async show(request: RouteRequest<Params, undefined, undefined, "public">) {
      return showPost(await existingPost(db, idOf(request.params)), request);
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
