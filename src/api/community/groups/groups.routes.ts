import type { Deps } from "../../../deps.js";
import { missingOr } from "../../../http/required.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { failure } from "../../../lib/errors.js";
import { GroupNameTaken, GroupNotFound, TooManyGroups } from "../../../services/community/groups.js";
import { communityRefusals } from "../shared.js";
import { groupsController } from "./groups.controller.js";
import { GroupParams, GroupReply, GroupsQuery, GroupsReply, MembershipReply, NewGroup } from "./groups.schemas.js";

const NameRequired = failure("name_required", 400, "Group name is required");

export function groupsGroup(deps: Deps): RouteGroup {
  const groups = groupsController(deps);
  return {
    name: "community",
    base: "/api/community",
    refusals: communityRefusals,
    routes: [
      route({
        method: "get",
        path: "/groups",
        summary: "Every group",
        description:
          "Official ones first, then by number of members, then by name (code point order). One page of them with `limit`.",
        access: "public",
        query: GroupsQuery,
        reply: GroupsReply,
        errors: [],
        handle: groups.list,
      }),
      route({
        method: "post",
        path: "/groups",
        summary: "Create a group",
        description:
          "The caller becomes its first member. Names differ by more than case and spacing, and in their slug. " +
          "A user creates at most 5 groups a day (UTC) and 50 in all.",
        access: "user",
        body: NewGroup,
        invalid: missingOr(NameRequired),
        reply: GroupReply,
        errors: [NameRequired, GroupNameTaken, TooManyGroups],
        handle: groups.create,
      }),
      route({
        method: "post",
        path: "/groups/:groupId/membership",
        summary: "Join a group, or leave it",
        access: "user",
        params: GroupParams,
        reply: MembershipReply,
        errors: [GroupNotFound],
        handle: groups.toggle,
      }),
    ],
  };
}
