import { mongo } from "mongoose";
import { z } from "zod";
import type { Deps } from "../../../deps.js";
import { missingOr, requiredText } from "../../../http/required.js";
import { type PathParams, type RouteGroup, route } from "../../../http/route.js";
import { failure } from "../../../lib/errors.js";
import { fileReport } from "../../../services/community/moderation.js";
import { PostNotFound, readPost } from "../../../services/community/posts.js";
import {
  acceptReply,
  createReply,
  editReply,
  OnlyAuthorAccepts,
  type ReplyKey,
  ReplyNotFound,
  removeReply,
  requireReply,
} from "../../../services/community/replies.js";
import { findUpvoted, toggleVote } from "../../../services/community/votes.js";
import { NotTheOwner, UserNotFound } from "../../../services/failures.js";
import { ReportBody } from "../../report-body.js";
import { communityRefusals, newReader, ReplyView, UpvoteReply, viewReply } from "../views.js";

const ReplyBody = z.object({ content: requiredText(3000) });
const ReplyReply = z.object({ reply: ReplyView });

const replyKey = ({ postId, replyId }: PathParams<"/:postId/:replyId">): ReplyKey => ({
  postId: new mongo.ObjectId(postId),
  replyId: new mongo.ObjectId(replyId),
});

const ContentRequired = failure("reply_content_required", 400, "Reply content is required");

export function repliesGroup({ db }: Deps): RouteGroup {
  return {
    name: "community",
    base: "/api/community",
    refusals: communityRefusals,
    routes: [
      route("post", "/posts/:postId/replies", {
        operationId: "createReply",
        summary: "Reply to a post",
        access: "user",
        limit: "communityWrites",
        body: ReplyBody,
        invalid: missingOr(ContentRequired),
        reply: ReplyReply,
        errors: [ContentRequired, PostNotFound, UserNotFound],
        async handle({ viewer, params, body }) {
          const reply = await createReply(db, viewer.id, new mongo.ObjectId(params.postId), body.content);
          return { reply: viewReply(reply, { acceptedReplyId: null }, newReader(viewer.id)) };
        },
      }),
      route("patch", "/posts/:postId/replies/:replyId", {
        operationId: "updateReply",
        summary: "Edit one of the caller's replies",
        description: "Sets `editedAt`.",
        access: "user",
        body: ReplyBody,
        invalid: missingOr(ContentRequired),
        reply: ReplyReply,
        errors: [ContentRequired, PostNotFound, ReplyNotFound, NotTheOwner],
        async handle({ viewer, params, body }) {
          const reply = await editReply(db, viewer.id, replyKey(params), body.content);
          const [post, upvoted] = await Promise.all([
            readPost(db, reply.postId),
            findUpvoted(db, viewer.id, { targetId: reply._id }),
          ]);
          return { reply: viewReply(reply, post, { id: viewer.id, upvoted }) };
        },
      }),
      route("delete", "/posts/:postId/replies/:replyId", {
        operationId: "deleteReply",
        summary: "Delete one of the caller's replies",
        description: "Deleting the accepted reply reopens the post.",
        access: "user",
        errors: [PostNotFound, ReplyNotFound, NotTheOwner],
        async handle({ viewer, params }) {
          const reply = await requireReply(db, replyKey(params));
          if (reply.authorId !== viewer.id) throw NotTheOwner();
          await removeReply(db, reply);
          return {};
        },
      }),
      route("post", "/posts/:postId/replies/:replyId/upvote", {
        operationId: "toggleReplyUpvote",
        summary: "Upvote a reply, or remove the upvote",
        description: "Users may upvote their own replies.",
        access: "user",
        reply: UpvoteReply,
        errors: [ReplyNotFound],
        handle({ viewer, params }) {
          return toggleVote(db, viewer.id, replyKey(params));
        },
      }),
      route("patch", "/posts/:postId/replies/:replyId/accept", {
        operationId: "toggleAcceptedReply",
        summary: "Accept a reply to one of the caller's posts, or undo it",
        description: "Accepting resolves the post and replaces the reply accepted before. Undoing it reopens the post.",
        access: "user",
        reply: z.object({ isAcceptedAnswer: z.boolean(), postResolved: z.boolean() }),
        errors: [PostNotFound, OnlyAuthorAccepts, ReplyNotFound],
        async handle({ viewer, params }) {
          const isAcceptedAnswer = await acceptReply(db, viewer.id, replyKey(params));
          return { isAcceptedAnswer, postResolved: isAcceptedAnswer };
        },
      }),
      route("post", "/posts/:postId/replies/:replyId/report", {
        operationId: "reportReply",
        stability: "beta",
        summary: "Report a reply to the administrators",
        description: "A further report by the same user changes nothing while the first is open.",
        access: "user",
        body: ReportBody,
        errors: [PostNotFound, ReplyNotFound],
        async handle({ viewer, params, body }) {
          const { postId, replyId } = replyKey(params);
          await requireReply(db, { postId, replyId });
          await fileReport(db, { ...body, reporterId: viewer.id, targetKind: "reply", targetId: replyId, postId });
          return {};
        },
      }),
    ],
  };
}
