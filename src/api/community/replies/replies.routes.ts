import type { Deps } from "../../../deps.js";
import { missingOr } from "../../../http/required.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { failure } from "../../../lib/errors.js";
import { NotAuthorized, PostNotFound } from "../../../services/community/posts.js";
import { OnlyAuthorAccepts, ReplyNotFound } from "../../../services/community/replies.js";
import { UserNotFound } from "../../../services/failures.js";
import { communityRefusals, Done, PostParams, ReportBody, UpvoteReply } from "../shared.js";
import { repliesController } from "./replies.controller.js";
import { AcceptReply, ReplyBody, ReplyParams, ReplyReply } from "./replies.schemas.js";

const ContentRequired = failure("content_required", 400, "Reply content is required");

export function repliesGroup(deps: Deps): RouteGroup {
  const replies = repliesController(deps);
  return {
    name: "community",
    base: "/api/community",
    refusals: communityRefusals,
    routes: [
      route({
        method: "post",
        path: "/posts/:postId/replies",
        summary: "Reply to a post",
        access: "user",
        limit: "communityWrites",
        params: PostParams,
        body: ReplyBody,
        invalid: missingOr(ContentRequired),
        reply: ReplyReply,
        errors: [ContentRequired, PostNotFound, UserNotFound],
        handle: replies.create,
      }),
      route({
        method: "patch",
        path: "/posts/:postId/replies/:replyId",
        summary: "Change what one's own reply says",
        description: "Sets `editedAt`.",
        access: "user",
        params: ReplyParams,
        body: ReplyBody,
        invalid: missingOr(ContentRequired),
        reply: ReplyReply,
        errors: [ContentRequired, PostNotFound, ReplyNotFound, NotAuthorized],
        handle: replies.edit,
      }),
      route({
        method: "delete",
        path: "/posts/:postId/replies/:replyId",
        summary: "Delete one's own reply",
        description: "If it was the accepted one, the post is open again.",
        access: "user",
        params: ReplyParams,
        reply: Done,
        errors: [PostNotFound, ReplyNotFound, NotAuthorized],
        handle: replies.remove,
      }),
      route({
        method: "post",
        path: "/posts/:postId/replies/:replyId/upvote",
        summary: "Upvote a reply, or take that back",
        description: "One's own replies too.",
        access: "user",
        params: ReplyParams,
        reply: UpvoteReply,
        errors: [ReplyNotFound],
        handle: replies.upvote,
      }),
      route({
        method: "patch",
        path: "/posts/:postId/replies/:replyId/accept",
        summary: "Accept a reply to one's own post as the answer, or take that back",
        description:
          "The reply accepted before is so no longer. Accepting resolves the post, taking back opens it again.",
        access: "user",
        params: ReplyParams,
        reply: AcceptReply,
        errors: [PostNotFound, OnlyAuthorAccepts, ReplyNotFound],
        handle: replies.accept,
      }),
      route({
        method: "post",
        path: "/posts/:postId/replies/:replyId/report",
        summary: "Report a reply to the administrators",
        description: "A further report by the same user changes nothing while the first is open.",
        access: "user",
        params: ReplyParams,
        body: ReportBody,
        reply: Done,
        errors: [PostNotFound, ReplyNotFound],
        handle: replies.report,
      }),
    ],
  };
}
