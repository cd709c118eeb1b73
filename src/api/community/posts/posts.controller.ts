import { mongo } from "mongoose";
import type { z } from "zod";
import { readInOrder } from "../../../db/read-in-order.js";
import type { Deps } from "../../../deps.js";
import { ApiError } from "../../../http/errors.js";
import { compileWriter } from "../../../http/replies/compile-writer.js";
import { streamList } from "../../../http/replies/stream-body.js";
import { alreadySent, type RouteRequest } from "../../../http/route.js";
import type { CommunityPost } from "../../../models/community/community-post.js";
import { type CommunityReply, findReply } from "../../../models/community/community-reply.js";
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
import { ReplyView } from "../community-shapes.js";
import { asWritten, viewPost, viewPosts, viewReplies } from "../views.js";
import { findAll, findPage } from "./find-posts.js";
import { createLastSeen } from "./page-of-posts.js";
import { type NewPostBody, type PostChanges, type PostsQuery, PostView } from "./posts.schemas.js";

type Params = z.output<typeof PostParams>;
type Query = z.output<typeof PostsQuery>;

/** Replies that are read and held at a time. */
const repliesAtATime = 1_001;
/** What is shown of a reply. */
const writtenBy = { authorId: 1, authorName: 1, authorImage: 1 } as const;
const replyFields = { ...writtenBy, postId: 1, content: 1, upvoteCount: 1, createdAt: 1, editedAt: 1 } as const;

/** In lists of any length each item is written by itself. */
const writePostView = compileWriter(PostView);
const writeReplyView = compileWriter(ReplyView);

const idOf = ({ postId }: Params): mongo.ObjectId => new mongo.ObjectId(postId);

export function postsController({ db, metrics }: Deps) {
  const searches = createSearchQueue(metrics);
  const lastSeen = createLastSeen();

  async function* shownPosts(batches: AsyncIterable<CommunityPost[]>, viewerId: string | undefined) {
    for await (const posts of batches) {
      const views = await viewPosts(db, posts, viewerId);
      yield views.map(writePostView);
    }
  }

  /** The accepted one first, then the others, oldest first. */
  async function* shownReplies(post: CommunityPost, viewerId: string | undefined) {
    const { _id: postId, acceptedReplyId } = post;
    const shown = async (replies: CommunityReply[]) =>
      (await viewReplies(db, replies, post, viewerId)).map(writeReplyView);
    const accepted = acceptedReplyId && (await findReply(db, { postId, replyId: acceptedReplyId }));
    if (accepted) yield shown([accepted]);
    const sort = { createdAt: 1, _id: 1 } as const;
    // One more than there were a moment ago: then one query finds them all.
    const size = Math.min(post.replyCount + 1, repliesAtATime);
    const read = readInOrder<CommunityReply, CommunityReply>(db.CommunityReply, {
      ...{ filter: { postId }, fields: replyFields, sort, size },
    });
    for await (const batch of read) {
      yield shown(batch.filter(({ _id }) => !_id.equals(acceptedReplyId ?? "")));
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
      const asked = { viewerId: viewer?.id, search, lastSeen };
      try {
        if (query.limit !== undefined) {
          const found = await findPage(db, { ...query, limit: query.limit }, asked);
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

    async show({ viewer, params, res, signal }: RouteRequest<Params, undefined, undefined, "public">) {
      const post = await existingPost(db, idOf(params));
      const view = writePostView(await viewPost(db, post, viewer?.id));
      return streamList(res, signal, {
        head: `{"success":true,"post":${view.slice(0, -1)},"replies":[`,
        batches: shownReplies(post, viewer?.id),
        tail: () => "]}}",
      });
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
