import { mongo } from "mongoose";
import type { z } from "zod";
import type { Deps } from "../../../deps.js";
import type { RouteRequest } from "../../../http/route.js";
import { fileReport } from "../../../services/community/moderation.js";
import { NotAuthorized, readPost } from "../../../services/community/posts.js";
import {
  acceptReply,
  createReply,
  editReply,
  type ReplyKey,
  removeReply,
  requireReply,
} from "../../../services/community/replies.js";
import { findUpvoted, toggleVote } from "../../../services/community/votes.js";
import type { PostParams, ReportBody } from "../shared.js";
import { newReader, viewReply } from "../views.js";
import type { ReplyBody, ReplyParams } from "./replies.schemas.js";

type Params = z.output<typeof ReplyParams>;

const keyOf = ({ postId, replyId }: Params): ReplyKey => ({
  postId: new mongo.ObjectId(postId),
  replyId: new mongo.ObjectId(replyId),
});

export function repliesController({ db }: Deps) {
  return {
    async create({
      viewer,
      params,
      body,
    }: RouteRequest<z.output<typeof PostParams>, undefined, z.output<typeof ReplyBody>, "user">) {
      const reply = await createReply(db, viewer.id, new mongo.ObjectId(params.postId), body.content);
      return { reply: viewReply(reply, { acceptedReplyId: null }, newReader(viewer.id)) };
    },

    async edit({ viewer, params, body }: RouteRequest<Params, undefined, z.output<typeof ReplyBody>, "user">) {
      const reply = await editReply(db, viewer.id, keyOf(params), body.content);
      const [post, upvoted] = await Promise.all([
        readPost(db, reply.postId),
        findUpvoted(db, viewer.id, { targetId: reply._id }),
      ]);
      return { reply: viewReply(reply, post, { id: viewer.id, upvoted }) };
    },

    async remove({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      const reply = await requireReply(db, keyOf(params));
      if (reply.authorId !== viewer.id) throw NotAuthorized();
      await removeReply(db, reply);
      return {};
    },

    upvote({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      return toggleVote(db, viewer.id, keyOf(params));
    },

    async accept({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      const isAcceptedAnswer = await acceptReply(db, viewer.id, keyOf(params));
      return { isAcceptedAnswer, postResolved: isAcceptedAnswer };
    },

    async report({ viewer, params, body }: RouteRequest<Params, undefined, z.output<typeof ReportBody>, "user">) {
      const { postId, replyId } = keyOf(params);
      await requireReply(db, { postId, replyId });
      await fileReport(db, { ...body, reporterId: viewer.id, targetKind: "reply", targetId: replyId, postId });
      return {};
    },
  };
}
