import { mongo } from "mongoose";
import type { Deps } from "../../../deps.js";
import { missingOr } from "../../../http/required.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { failure } from "../../../lib/errors.js";
import {
  createGroup,
  GroupNameTaken,
  GroupNotFound,
  listGroups,
  TooManyGroups,
  toggleMembership,
} from "../../../services/community/groups.js";
import { communityRefusals } from "../views.js";
import { GroupBody, GroupReply, GroupsQuery, GroupsReply, MembershipReply } from "./groups.schemas.js";

const NameRequired = failure("group_name_required", 400, "Group name is required");

export function groupsGroup({ db }: Deps): RouteGroup {
  return {
    name: "community",
    base: "/api/community",
    refusals: communityRefusals,
    routes: [
      route("get", "/groups", {
        operationId: "listGroups",
        summary: "Every group",
        description:
          "Official groups first, then by number of members, then by name (code point order). One page with `limit`.",
        access: "public",
        query: GroupsQuery,
        reply: GroupsReply.schema,
        handle: (request) => GroupsReply.answer(request, listGroups(db, request.viewer?.id)),
      }),
      route("post", "/groups", {
        operationId: "createGroup",
        summary: "Create a group",
        description:
          "The caller becomes its first member. Names must differ in more than case and spacing. " +
          "A user creates at most 5 groups a day (UTC) and 50 in all.",
        access: "user",
        body: GroupBody,
        invalid: missingOr(NameRequired),
        reply: GroupReply,
        errors: [NameRequired, GroupNameTaken, TooManyGroups],
        handle: async ({ viewer, body }) => ({
          group: { ...(await createGroup(db, viewer.id, body)), isMember: true },
        }),
      }),
      route("post", "/groups/:groupId/membership", {
        operationId: "toggleGroupMembership",
        summary: "Join a group, or leave it",
        access: "user",
        reply: MembershipReply,
        errors: [GroupNotFound],
        handle: async ({ viewer, params }) => ({
          isMember: await toggleMembership(db, viewer.id, new mongo.ObjectId(params.groupId)),
        }),
      }),
    ],
  };
}
