import { mongo } from "mongoose";
import type { Deps } from "../../../deps.js";
import { replyWithList } from "../../../http/reply-with-list.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { IdParams } from "../../../lib/fields.js";
import { GroupNotFound } from "../../../services/community/groups.js";
import { reportsNewestFirst } from "../../../services/community/list-reports.js";
import { ReportNotFound, resolveReport } from "../../../services/community/moderation.js";
import { PostNotFound, removePost, requirePost } from "../../../services/community/posts.js";
import { DefaultGroupsStay, removeGroup } from "../../../services/community/remove-group.js";
import { findReply, ReplyNotFound, removeReply } from "../../../services/community/replies.js";
import { PostParams, ReplyParams, ReportsQuery, ReportsReply } from "./moderation.schemas.js";

/** Moderation of the community: reports and removals. */
export function moderationGroup({ db }: Deps): RouteGroup {
  return {
    name: "admin",
    base: "/api/admin",
    access: "admin",
    limit: "admin",
    routes: [
      route({
        method: "delete",
        path: "/community/posts/:postId",
        operationId: "removePost",
        stability: "beta",
        summary: "Remove any post with its replies",
        description: "Audited. Resolves the open reports of the post.",
        access: "admin",
        params: PostParams,
        errors: [PostNotFound],
        async handle({ params, manager }) {
          const post = await requirePost(db, new mongo.ObjectId(params.postId));
          await removePost(db, post, manager);
          return {};
        },
      }),
      route({
        method: "delete",
        path: "/community/replies/:replyId",
        operationId: "removeReply",
        stability: "beta",
        summary: "Remove any reply",
        description: "Audited. Resolves the open reports of the reply.",
        access: "admin",
        params: ReplyParams,
        errors: [ReplyNotFound],
        async handle({ params, manager }) {
          await removeReply(db, await findReply(db, params.replyId), manager);
          return {};
        },
      }),
      route({
        method: "delete",
        path: "/groups/:id",
        operationId: "removeGroup",
        summary: "Remove a group of the community",
        description: "Audited. The posts of the group stay, without a group. The default groups cannot be removed.",
        access: "admin",
        params: IdParams,
        errors: [GroupNotFound, DefaultGroupsStay],
        async handle({ params, manager }) {
          await removeGroup(db, new mongo.ObjectId(params.id), manager);
          return {};
        },
      }),
      route({
        method: "get",
        path: "/community/reports",
        operationId: "listReports",
        stability: "beta",
        summary: "Reports of posts and replies, newest first",
        access: "admin",
        query: ReportsQuery,
        reply: ReportsReply,
        handle: (request) =>
          replyWithList(request, reportsNewestFirst(db, request.query.state), (reports, page) => ({
            reports,
            ...page,
          })),
      }),
      route({
        method: "post",
        path: "/community/reports/:id/resolve",
        operationId: "resolveReport",
        stability: "beta",
        summary: "Mark a report as resolved",
        description: "Audited. Repeating the request changes nothing.",
        access: "admin",
        params: IdParams,
        errors: [ReportNotFound],
        async handle({ params, manager }) {
          await resolveReport(db, new mongo.ObjectId(params.id), manager);
          return {};
        },
      }),
    ],
  };
}
