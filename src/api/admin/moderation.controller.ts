import { mongo } from "mongoose";
import type { z } from "zod";
import { PostNotFound, removePost } from "../../commands/community-posts.js";
import { ReplyNotFound, removeReply } from "../../commands/community-replies.js";
import { findPeople } from "../../commands/people.js";
import { resolveReport } from "../../commands/reports.js";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import type { Report } from "../../models/report.js";
import type { PostParams, ReplyParams, ReportParams, ReportsQuery } from "./moderation.schemas.js";

type Removing<P extends z.ZodType> = RouteRequest<z.output<P>, undefined, undefined, "admin">;

export function moderationController({ db }: Deps) {
  return {
    async removePost({ viewer, params, req }: Removing<typeof PostParams>) {
      const removal = { by: viewer.id, requestId: String(req.id) };
      if (!(await removePost(db, new mongo.ObjectId(params.postId), removal))) throw PostNotFound();
      return {};
    },

    async removeReply({ viewer, params, req }: Removing<typeof ReplyParams>) {
      const removal = { by: viewer.id, requestId: String(req.id) };
      if (!(await removeReply(db, new mongo.ObjectId(params.replyId), removal))) throw ReplyNotFound();
      return {};
    },

    async listReports({ query }: RouteRequest<undefined, z.output<typeof ReportsQuery>, undefined, "admin">) {
      const { state = "all" } = query;
      const reports = await db.Report.find(state === "all" ? {} : { state: { $eq: state as Report["state"] } })
        .sort({ createdAt: -1, _id: -1 })
        .lean<Report[]>();
      const [person, target] = await Promise.all([
        findPeople(
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
      await resolveReport(db, params.id, { actorId: viewer.id, requestId: String(req.id) });
      return {};
    },
  };
}

/** What was reported, in two queries by id; null where it is gone. */
async function findTargets({ CommunityPost: Posts, CommunityReply: Replies }: Db, reports: readonly Report[]) {
  const idsOf = (kind: Report["targetKind"]) =>
    reports.filter(({ targetKind }) => targetKind === kind).map(({ targetId }) => targetId);
  const shown = { authorId: 1, authorName: 1, content: 1, state: 1 };
  const [posts, replies] = await Promise.all([
    Posts.find({ _id: { $in: idsOf("post") } }, { ...shown, title: 1 }).lean(),
    Replies.find({ _id: { $in: idsOf("reply") } }, shown).lean(),
  ]);
  const visible = [...posts, ...replies.map((reply) => ({ ...reply, title: null }))].filter(
    ({ state }) => state === "in",
  );
  const known = new Map(visible.map((target) => [String(target._id), target]));
  return ({ targetId }: Report) => known.get(String(targetId)) ?? null;
}
