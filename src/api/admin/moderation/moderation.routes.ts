import { mongo } from "mongoose";
import { z } from "zod";
import type { Deps } from "../../../deps.js";
import { listReply } from "../../../http/list-reply.js";
import { byDateOrAll, nextCursorOfPage } from "../../../http/pages.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { id, text, timestamp } from "../../../lib/fields.js";
import { targetKinds } from "../../../models/community/report.js";
import { GroupNotFound } from "../../../services/community/groups.js";
import { ReportNotFound, reportsNewestFirst, resolveReport } from "../../../services/community/moderation.js";
import { PostNotFound, removePost, requirePost } from "../../../services/community/posts.js";
import { DefaultGroupsStay, removeGroup } from "../../../services/community/remove-group.js";
import { findReply, ReplyNotFound, removeReply } from "../../../services/community/replies.js";

const ReportsQuery = z.object({
  state: text(0, 20)
    .optional()
    .meta({ description: "`open` or `resolved`; absent or `all`: both; anything else matches nothing" }),
  ...byDateOrAll,
});

const ReportView = z
  .object({
    _id: id,
    targetKind: z.enum(targetKinds),
    targetId: id,
    postId: id.optional().meta({ description: "the post itself, or the reply's post; absent for a review" }),
    courseId: id.optional().meta({ description: "the course of a review" }),
    reason: z.string(),
    state: z.enum(["open", "resolved"]),
    reporter: z.object({ _id: z.string(), name: z.string(), imageUrl: z.string() }),
    target: z
      .object({ authorId: z.string(), authorName: z.string(), title: z.string().nullable(), content: z.string() })
      .nullable()
      .meta({
        description: "what was reported, as it is now; null when it was removed. Only posts have a title",
      }),
    resolvedBy: z.string().nullable(),
    resolvedAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "CommunityReport" });

const ReportsReply = listReply("reports", ReportView, nextCursorOfPage);

/** Moderation of the community: reports and removals. */
export function moderationGroup({ db }: Deps): RouteGroup {
  return {
    name: "admin",
    base: "/api/admin",
    routes: [
      route("delete", "/community/posts/:postId", {
        operationId: "removePost",
        stability: "beta",
        summary: "Remove any post with its replies",
        description: "Audited. Resolves the open reports of the post.",
        access: "admin",
        errors: [PostNotFound],
        async handle({ params, manager }) {
          const post = await requirePost(db, new mongo.ObjectId(params.postId));
          await removePost(db, post, manager);
          return {};
        },
      }),
      route("delete", "/community/replies/:replyId", {
        operationId: "removeReply",
        stability: "beta",
        summary: "Remove any reply",
        description: "Audited. Resolves the open reports of the reply.",
        access: "admin",
        errors: [ReplyNotFound],
        handle: async ({ params, manager }) => removeReply(db, await findReply(db, params.replyId), manager),
      }),
      route("delete", "/groups/:id", {
        operationId: "removeGroup",
        summary: "Remove a group of the community",
        description: "Audited. The posts of the group stay, without a group. The default groups cannot be removed.",
        access: "admin",
        errors: [GroupNotFound, DefaultGroupsStay],
        handle: ({ params, manager }) => removeGroup(db, new mongo.ObjectId(params.id), manager),
      }),
      route("get", "/community/reports", {
        operationId: "listReports",
        stability: "beta",
        summary: "Reports of posts, replies and reviews, newest first",
        access: "admin",
        query: ReportsQuery,
        reply: ReportsReply.schema,
        handle: (request) => ReportsReply.answer(request, reportsNewestFirst(db, request.query.state)),
      }),
      route("post", "/community/reports/:id/resolve", {
        operationId: "resolveReport",
        stability: "beta",
        summary: "Mark a report as resolved",
        description: "Audited. Repeating the request changes nothing.",
        access: "admin",
        errors: [ReportNotFound],
        handle: ({ params, manager }) => resolveReport(db, new mongo.ObjectId(params.id), manager),
      }),
    ],
  };
}
