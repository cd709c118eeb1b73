import type { Deps } from "../../../deps.js";
import { missingOr } from "../../../http/required.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { failure } from "../../../lib/errors.js";
import { GroupNotFound } from "../../../services/community/groups.js";
import { NotAuthorized, PostNotFound } from "../../../services/community/posts.js";
import { SearchBusy } from "../../../services/community/search-limit.js";
import { UserNotFound } from "../../../services/failures.js";
import { communityRefusals, Done, PostParams, ReportBody, UpvoteReply } from "../shared.js";
import { postsController } from "./posts.controller.js";
import {
  NewPostBody,
  PostChanges,
  PostDetailReply,
  PostReply,
  PostsQuery,
  PostsReply,
  ResolveReply,
} from "./posts.schemas.js";

const TitleAndContentRequired = failure("title_and_content_required", 400, "Title and content are required");

export function postsGroup(deps: Deps): RouteGroup {
  const posts = postsController(deps);
  return {
    name: "community",
    base: "/api/community",
    refusals: communityRefusals,
    routes: [
      route({
        method: "get",
        path: "/posts",
        summary: "Posts, newest first unless asked otherwise",
        description: "Complete without `limit`; one page of them with it.",
        access: "public",
        query: PostsQuery,
        reply: PostsReply,
        errors: [SearchBusy],
        handle: posts.list,
      }),
      route({
        method: "post",
        path: "/posts",
        summary: "Write a post",
        description: "In a group or in none; membership is not needed.",
        access: "user",
        limit: "communityWrites",
        body: NewPostBody,
        invalid: missingOr(TitleAndContentRequired),
        reply: PostReply,
        errors: [TitleAndContentRequired, UserNotFound, GroupNotFound],
        handle: posts.create,
      }),
      route({
        method: "get",
        path: "/posts/:postId",
        summary: "One post with its replies",
        description: "The accepted reply first, then the others, oldest first.",
        access: "public",
        params: PostParams,
        reply: PostDetailReply,
        errors: [PostNotFound],
        handle: posts.show,
      }),
      route({
        method: "patch",
        path: "/posts/:postId",
        summary: "Change what one's own post says",
        description: "Any of title, content and tags; sets `editedAt`.",
        access: "user",
        params: PostParams,
        body: PostChanges,
        invalid: missingOr(TitleAndContentRequired),
        reply: PostReply,
        errors: [TitleAndContentRequired, PostNotFound, NotAuthorized],
        handle: posts.edit,
      }),
      route({
        method: "delete",
        path: "/posts/:postId",
        summary: "Delete one's own post with its replies",
        access: "user",
        params: PostParams,
        reply: Done,
        errors: [PostNotFound, NotAuthorized],
        handle: posts.remove,
      }),
      route({
        method: "post",
        path: "/posts/:postId/upvote",
        summary: "Upvote a post, or take that back",
        access: "user",
        params: PostParams,
        reply: UpvoteReply,
        errors: [PostNotFound],
        handle: posts.upvote,
      }),
      route({
        method: "patch",
        path: "/posts/:postId/resolve",
        summary: "Mark one's own post resolved, or open again",
        description: "An accepted reply stays accepted.",
        access: "user",
        params: PostParams,
        reply: ResolveReply,
        errors: [PostNotFound, NotAuthorized],
        handle: posts.resolve,
      }),
      route({
        method: "post",
        path: "/posts/:postId/report",
        summary: "Report a post to the administrators",
        description: "A further report by the same user changes nothing while the first is open.",
        access: "user",
        params: PostParams,
        body: ReportBody,
        reply: Done,
        errors: [PostNotFound],
        handle: posts.report,
      }),
    ],
  };
}
