import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { GroupNotFound } from "../../../services/community/groups.js";
import { ReportNotFound } from "../../../services/community/moderation.js";
import { PostNotFound } from "../../../services/community/posts.js";
import { DefaultGroupsStay } from "../../../services/community/remove-group.js";
import { ReplyNotFound } from "../../../services/community/replies.js";
import { moderationController } from "./moderation.controller.js";
import {
  Done,
  GroupParams,
  PostParams,
  ReplyParams,
  ReportParams,
  ReportsQuery,
  ReportsReply,
} from "./moderation.schemas.js";

/** Moderation of the community: reports and removals. */
export function moderationGroup(deps: Deps): RouteGroup {
  const moderation = moderationController(deps);
  return {
    name: "admin",
    base: "/api/admin",
    access: "admin",
    limit: "admin",
    routes: [
      route({
        method: "delete",
        path: "/community/posts/:postId",
        summary: "Remove any post with its replies",
        description: "Audited. Open reports of it are resolved.",
        access: "admin",
        params: PostParams,
        reply: Done,
        errors: [PostNotFound],
        handle: moderation.removePost,
      }),
      route({
        method: "delete",
        path: "/community/replies/:replyId",
        summary: "Remove any reply",
        description: "Audited. Open reports of it are resolved.",
        access: "admin",
        params: ReplyParams,
        reply: Done,
        errors: [ReplyNotFound],
        handle: moderation.removeReply,
      }),
      route({
        method: "delete",
        path: "/groups/:id",
        summary: "Remove a group of the community",
        description: "Audited. Its posts stay without a group. The groups that every server has cannot be removed.",
        access: "admin",
        params: GroupParams,
        reply: Done,
        errors: [GroupNotFound, DefaultGroupsStay],
        handle: moderation.removeGroup,
      }),
      route({
        method: "get",
        path: "/community/reports",
        summary: "Reports of posts and replies, newest first",
        access: "admin",
        query: ReportsQuery,
        reply: ReportsReply,
        errors: [],
        handle: moderation.listReports,
      }),
      route({
        method: "post",
        path: "/community/reports/:id/resolve",
        summary: "Mark a report as dealt with",
        description: "Audited. Repeating it changes nothing.",
        access: "admin",
        params: ReportParams,
        reply: Done,
        errors: [ReportNotFound],
        handle: moderation.resolve,
      }),
    ],
  };
}
