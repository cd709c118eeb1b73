import { mongo } from "mongoose";
import type { z } from "zod";
import type { Deps } from "../../../deps.js";
import { replyWithList } from "../../../http/reply-with-list.js";
import type { RouteRequest } from "../../../http/route.js";
import { resolveReport } from "../../../services/community/moderation.js";
import { removePost, requirePost } from "../../../services/community/posts.js";
import { removeGroup } from "../../../services/community/remove-group.js";
import { ReplyNotFound, removeReply } from "../../../services/community/replies.js";
import { reportsNewestFirst } from "./list-reports.js";
import type { GroupParams, PostParams, ReplyParams, ReportParams, ReportsQuery } from "./moderation.schemas.js";

type Removing<P extends z.ZodType> = RouteRequest<z.output<P>, undefined, undefined, "admin">;

export function moderationController({ db }: Deps) {
  return {
    async removePost({ viewer, params, req }: Removing<typeof PostParams>) {
      const post = await requirePost(db, new mongo.ObjectId(params.postId));
      await removePost(db, post, { actorId: viewer.id, requestId: String(req.id) });
      return {};
    },

    async removeReply({ viewer, params, req }: Removing<typeof ReplyParams>) {
      const reply = await db.CommunityReply.findById(params.replyId, { postId: 1, authorId: 1 }).lean();
      if (!reply) throw ReplyNotFound();
      await removeReply(db, reply, { actorId: viewer.id, requestId: String(req.id) });
      return {};
    },

    async removeGroup({ viewer, params, req }: Removing<typeof GroupParams>) {
      await removeGroup(db, new mongo.ObjectId(params.id), { actorId: viewer.id, requestId: String(req.id) });
      return {};
    },

    listReports: (request: RouteRequest<undefined, z.output<typeof ReportsQuery>, undefined, "admin">) =>
      replyWithList(request, reportsNewestFirst(db, request.query.state), (reports, page) => ({ reports, ...page })),

    async resolve({ viewer, params, req }: RouteRequest<z.output<typeof ReportParams>, undefined, undefined, "admin">) {
      await resolveReport(db, new mongo.ObjectId(params.id), { actorId: viewer.id, requestId: String(req.id) });
      return {};
    },
  };
}
