import { mongo } from "mongoose";
import type { z } from "zod";
import type { Db } from "../../../db/db.js";
import type { Deps } from "../../../deps.js";
import type { RouteRequest } from "../../../http/route.js";
import type { Report } from "../../../models/report.js";
import { removePost, requirePost } from "../../../services/community/posts.js";
import { ReplyNotFound, removeReply } from "../../../services/community/replies.js";
import { resolveReport } from "../../../services/community/reports.js";
import { userCards } from "../../../services/users/user-cards.js";
import type { PostParams, ReplyParams, ReportParams, ReportsQuery } from "./moderation.schemas.js";

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

    async listReports({ query }: RouteRequest<undefined, z.output<typeof ReportsQuery>, undefined, "admin">) {
      const { state = "all" } = query;
      const reports = await db.Report.find(state === "all" ? {} : { state: { $eq: state as Report["state"] } })
        .sort({ createdAt: -1, _id: -1 })
        .lean<Report[]>();
      const [person, target] = await Promise.all([
        userCards(
          db,
          reports.map(({ reporterId }) => reporterId),
        ),
        findTargets(db, reports),
      ]);
      return {
        reports: reports.map((report) => ({
          ...report,
          reporter: person(report.reporterId),
          target: target(report),
        })),
      };
    },

    async resolve({ viewer, params, req }: RouteRequest<z.output<typeof ReportParams>, undefined, undefined, "admin">) {
      await resolveReport(db, new mongo.ObjectId(params.id), { actorId: viewer.id, requestId: String(req.id) });
      return {};
    },
  };
}

/** What was reported, in two queries by id; null where it is gone. */
async function findTargets({ CommunityPost: Posts, CommunityReply: Replies }: Db, reports: readonly Report[]) {
  const idsOf = (kind: Report["targetKind"]) =>
    reports.filter(({ targetKind }) => targetKind === kind).map(({ targetId }) => targetId);
  const shown = { authorId: 1, authorName: 1, content: 1 };
  const [posts, replies] = await Promise.all([
    Posts.find({ _id: { $in: idsOf("post") } }, { ...shown, title: 1 }).lean(),
    Replies.find({ _id: { $in: idsOf("reply") } }, shown).lean(),
  ]);
  const targets = [...posts, ...replies.map((reply) => ({ ...reply, title: null }))];
  const known = new Map(targets.map((target) => [String(target._id), target]));
  return ({ targetId }: Report) => known.get(String(targetId)) ?? null;
}
