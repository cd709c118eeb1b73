import { mongo } from "mongoose";
import type { z } from "zod";
import { isTimeLimit } from "../../../db/database-errors.js";
import type { Deps } from "../../../deps.js";
import { clientOf } from "../../../http/context.js";
import { sendWholeList } from "../../../http/list-reply.js";
import { missingOr } from "../../../http/required.js";
import { type PathParams, type RouteGroup, route } from "../../../http/route.js";
import { failure } from "../../../lib/errors.js";
import { createPages, readAllPosts } from "../../../services/community/find-posts.js";
import { GroupNotFound } from "../../../services/community/groups.js";
import { fileReport } from "../../../services/community/moderation.js";
import {
  addGroup,
  addGroups,
  createPost,
  editPost,
  PostNotFound,
  readPost,
  removePost,
  requirePost,
  toggleResolved,
} from "../../../services/community/posts.js";
import { createReplyReader } from "../../../services/community/replies.js";
import { findUpvoted, toggleVote } from "../../../services/community/votes.js";
import { NotTheOwner, UserNotFound } from "../../../services/failures.js";
import { type RunSearch, SearchBusy } from "../../../services/search-limit.js";
import { ReportBody } from "../../report-body.js";
import { communityRefusals, newReader, type Reader, UpvoteReply, viewPost, viewReply } from "../views.js";
import {
  NewPostBody,
  PostChanges,
  PostDetailReply,
  PostReply,
  PostsQuery,
  PostsReply,
  ResolveReply,
} from "./posts.schemas.js";

const idOf = ({ postId }: PathParams<"/:postId">): mongo.ObjectId => new mongo.ObjectId(postId);
const TitleAndContentRequired = failure("post_fields_required", 400, "Title and content are required");

type Search = <T>(read: () => Promise<T>) => Promise<T>;

export function postsGroup({ db }: Deps, runSearch: RunSearch): RouteGroup {
  const readPage = createPages(db);
  const readReplies = createReplyReader(db);
  async function readerOf(viewerId: string | undefined, posts: readonly { _id: mongo.ObjectId }[]): Promise<Reader> {
    return {
      id: viewerId,
      upvoted: await findUpvoted(db, viewerId, { targetId: { $in: posts.map(({ _id }) => _id) } }),
    };
  }
  /**
   * Reads all posts in batches, so that memory holds two of them. A search counts as running until its first batch, so
   * that slow readers do not keep others from searching.
   */
  async function* readAll(query: z.output<typeof PostsQuery>, viewerId: string | undefined, search: Search) {
    const batches = readAllPosts(db, query, viewerId);
    try {
      let next = await (query.q ? search(() => batches.next()) : batches.next());
      for (; !next.done; next = await batches.next()) {
        const posts = await addGroups(db, next.value);
        const reader = await readerOf(viewerId, posts);
        yield posts.map((post) => viewPost(post, reader));
      }
    } finally {
      await batches.return(undefined);
    }
  }

  return {
    name: "community",
    base: "/api/community",
    refusals: communityRefusals,
    routes: [
      route("get", "/posts", {
        operationId: "listPosts",
        summary: "Posts, newest first by default",
        description: "The whole list without `limit`, one page with it.",
        access: "public",
        query: PostsQuery,
        reply: PostsReply,
        errors: [SearchBusy],
        async handle(request) {
          const { viewer, query, req, signal } = request;
          const search: Search = (read) => runSearch(clientOf(req), read, signal);
          try {
            if (query.limit === undefined) {
              let total = 0;
              return await sendWholeList(request, readAll(query, viewer?.id, search), (posts) => {
                total += posts.length;
                return { posts, hasMore: false, total };
              });
            }
            const wanted = { ...query, limit: query.limit };
            const read = () => readPage(wanted, viewer?.id);
            const page = await (query.q ? search(read) : read());
            const reader = await readerOf(viewer?.id, page.posts);
            return { ...page, posts: page.posts.map((post) => viewPost(post, reader)) };
          } catch (error) {
            throw query.q && isTimeLimit(error) ? SearchBusy(error) : error;
          }
        },
      }),
      route("post", "/posts", {
        operationId: "createPost",
        summary: "Write a post",
        description: "In a group or without one. Membership is not required.",
        access: "user",
        limit: "communityWrites",
        body: NewPostBody,
        invalid: missingOr(TitleAndContentRequired),
        reply: PostReply,
        errors: [TitleAndContentRequired, UserNotFound, GroupNotFound],
        async handle({ viewer, body }) {
          const { post, group } = await createPost(db, viewer.id, body);
          return { post: viewPost({ ...post, group }, newReader(viewer.id)) };
        },
      }),
      route("get", "/posts/:postId", {
        operationId: "getPost",
        summary: "One post with its replies",
        description: "The accepted reply first, then the others, oldest first.",
        access: "public",
        reply: PostDetailReply,
        errors: [PostNotFound],
        async handle({ viewer, params }) {
          const found = await readPost(db, idOf(params));
          const [post, replies, upvoted] = await Promise.all([
            addGroup(db, found),
            readReplies(found),
            findUpvoted(db, viewer?.id, { postId: found._id }),
          ]);
          const reader = { id: viewer?.id, upvoted };
          const views = replies.map((reply) => viewReply(reply, post, reader));
          return { post: { ...viewPost(post, reader), replies: views } };
        },
      }),
      route("patch", "/posts/:postId", {
        operationId: "updatePost",
        summary: "Edit one of the caller's posts",
        description: "Any of title, content and tags; sets `editedAt`.",
        access: "user",
        body: PostChanges,
        invalid: missingOr(TitleAndContentRequired),
        reply: PostReply,
        errors: [TitleAndContentRequired, PostNotFound, NotTheOwner],
        async handle({ viewer, params, body }) {
          const post = await addGroup(db, await editPost(db, viewer.id, idOf(params), body));
          return { post: viewPost(post, await readerOf(viewer.id, [post])) };
        },
      }),
      route("delete", "/posts/:postId", {
        operationId: "deletePost",
        summary: "Delete one of the caller's posts with its replies",
        access: "user",
        errors: [PostNotFound, NotTheOwner],
        async handle({ viewer, params }) {
          const post = await requirePost(db, idOf(params));
          if (post.authorId !== viewer.id) throw NotTheOwner();
          await removePost(db, post);
          return {};
        },
      }),
      route("post", "/posts/:postId/upvote", {
        operationId: "togglePostUpvote",
        summary: "Upvote a post, or remove the upvote",
        access: "user",
        reply: UpvoteReply,
        errors: [PostNotFound],
        handle({ viewer, params }) {
          return toggleVote(db, viewer.id, { postId: idOf(params) });
        },
      }),
      route("patch", "/posts/:postId/resolve", {
        operationId: "togglePostResolved",
        summary: "Mark one of the caller's posts as resolved, or reopen it",
        description: "An accepted reply stays accepted.",
        access: "user",
        reply: ResolveReply,
        errors: [PostNotFound, NotTheOwner],
        handle: async ({ viewer, params }) => ({ isResolved: await toggleResolved(db, viewer.id, idOf(params)) }),
      }),
      route("post", "/posts/:postId/report", {
        operationId: "reportPost",
        stability: "beta",
        summary: "Report a post to the administrators",
        description: "A further report by the same user changes nothing while the first is open.",
        access: "user",
        body: ReportBody,
        errors: [PostNotFound],
        async handle({ viewer, params, body }) {
          const _id = idOf(params);
          await requirePost(db, _id);
          await fileReport(db, { ...body, reporterId: viewer.id, targetKind: "post", targetId: _id, postId: _id });
          return {};
        },
      }),
    ],
  };
}
