import { mongo } from "mongoose";
import type { z } from "zod";
import type { Deps } from "../../../deps.js";
import type { RouteRequest } from "../../../http/route.js";
import type { ReplyKey } from "../../../models/community/community-reply.js";
import { NotAuthorized } from "../../../services/community/author.js";
import {
  acceptReply,
  createReply,
  editReply,
  ReplyNotFound,
  removeReply,
  requireReply,
} from "../../../services/community/replies.js";
import { fileReport } from "../../../services/community/reports.js";
import { toggleVote } from "../../../services/community/votes.js";
import type { PostParams, ReportBody } from "../community-shapes.js";
import { asWritten, viewReplies } from "../views.js";
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
      return { reply: { ...asWritten(reply), isAuthor: true, isUpvoted: false, isAcceptedAnswer: false } };
    },

    async edit({ viewer, params, body }: RouteRequest<Params, undefined, z.output<typeof ReplyBody>, "user">) {
      const key = keyOf(params);
      const { reply, acceptedReplyId } = await editReply(db, viewer.id, key, body.content);
      const [view] = await viewReplies(db, [reply], { acceptedReplyId }, viewer.id);
      if (!view) throw ReplyNotFound();
      return { reply: view };
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
