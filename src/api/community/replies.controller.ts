import { mongo } from "mongoose";
import type { z } from "zod";
import { acceptReply } from "../../commands/accept-reply.js";
import { NotAuthorized } from "../../commands/community-author.js";
import { visiblePost } from "../../commands/community-posts.js";
import {
  createReply,
  editReply,
  ReplyNotFound,
  removeReply,
  replyTo,
  requireReply,
} from "../../commands/community-replies.js";
import { takingTurns } from "../../commands/in-turn.js";
import { fileReport } from "../../commands/reports.js";
import { toggleVote } from "../../commands/vote.js";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import type { PostParams, ReplyBody, ReplyParams, ReportBody } from "./community.schemas.js";
import { asWritten, viewReplies } from "./views.js";

type Params = z.output<typeof ReplyParams>;

export function repliesController({ db }: Deps) {
  const inTurn = takingTurns();

  /** The caller's own reply. @throws PostNotFound, ReplyNotFound, NotAuthorized */
  const ownReply = async ({ postId, replyId }: Params, viewerId: string) => {
    const post = await visiblePost(db, postId);
    const reply = await replyTo(db, postId, replyId);
    if (reply.authorId !== viewerId) throw NotAuthorized();
    return { post, reply };
  };

  return {
    async create({
      viewer,
      params,
      body,
    }: RouteRequest<z.output<typeof PostParams>, undefined, z.output<typeof ReplyBody>, "user">) {
      const reply = await createReply(db, viewer.id, params.postId, body.content);
      return { reply: { ...asWritten(reply), isAuthor: true, isUpvoted: false, isAcceptedAnswer: false } };
    },

    async edit({ viewer, params, body }: RouteRequest<Params, undefined, z.output<typeof ReplyBody>, "user">) {
      const { post, reply } = await ownReply(params, viewer.id);
      const edited = await editReply(db, reply._id, body.content);
      const [view] = await viewReplies(db, [edited], post, viewer.id);
      if (!view) throw ReplyNotFound();
      return { reply: view };
    },

    async remove({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      const { reply } = await ownReply(params, viewer.id);
      if (!(await removeReply(db, reply._id))) throw ReplyNotFound();
      return {};
    },

    async upvote({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      const targetId = new mongo.ObjectId(params.replyId);
      const vote = await inTurn(`${viewer.id} ${targetId}`, async () => {
        await requireReply(db, new mongo.ObjectId(params.postId), targetId);
        return toggleVote(db, viewer.id, "reply", targetId);
      });
      if (!vote) throw ReplyNotFound();
      return vote;
    },

    async accept({ viewer, params }: RouteRequest<Params, undefined, undefined, "user">) {
      return inTurn(params.postId.toLowerCase(), () => acceptReply(db, viewer.id, params.postId, params.replyId));
    },

    async report({ viewer, params, body }: RouteRequest<Params, undefined, z.output<typeof ReportBody>, "user">) {
      const post = await visiblePost(db, params.postId);
      const reply = await replyTo(db, params.postId, params.replyId);
      await fileReport(db, {
        ...body,
        reporterId: viewer.id,
        targetKind: "reply",
        targetId: reply._id,
        postId: post._id,
      });
      return {};
    },
  };
}
