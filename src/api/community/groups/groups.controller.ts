import { mongo } from "mongoose";
import type { z } from "zod";
import { findAfter } from "../../../db/find-after.js";
import type { Deps } from "../../../deps.js";
import { type OrderedList, replyWithList } from "../../../http/reply-with-list.js";
import type { RouteRequest } from "../../../http/route.js";
import type { CommunityGroup } from "../../../models/community/community-group.js";
import { createGroup, listJoinedGroups, toggleMembership } from "../../../services/community/groups.js";
import type { GroupParams, GroupsQuery, NewGroup } from "./groups.schemas.js";

type Place = NonNullable<z.output<typeof GroupsQuery>["after"]>;

export function groupsController({ db }: Deps) {
  /** Official groups first, then those with most members. Names are unique, and ordered by code point. */
  const groupsFor = (viewerId: string | undefined) =>
    ({
      find: (after, limit) =>
        findAfter(db.CommunityGroup, { filter: {}, sort: { isOfficial: -1, memberCount: -1, name: 1 }, after, limit }),
      keyOf: ({ isOfficial, memberCount, name }) => [isOfficial, memberCount, name],
      async describe(groups) {
        const ids = groups.map(({ _id }) => _id);
        const mine = new Set(viewerId === undefined ? [] : (await listJoinedGroups(db, viewerId, ids)).map(String));
        return groups.map((group) => Object.assign(group, { isMember: mine.has(String(group._id)) }));
      },
    }) satisfies OrderedList<CommunityGroup, Place, unknown>;

  return {
    list: (request: RouteRequest<undefined, z.output<typeof GroupsQuery>, undefined, "public">) =>
      replyWithList(request, groupsFor(request.viewer?.id), (groups, page) => ({ groups, ...page })),

    async create({ viewer, body }: RouteRequest<undefined, undefined, z.output<typeof NewGroup>, "user">) {
      return { group: { ...(await createGroup(db, viewer.id, body)), isMember: true } };
    },

    async toggle({ viewer, params }: RouteRequest<z.output<typeof GroupParams>, undefined, undefined, "user">) {
      return { isMember: await toggleMembership(db, viewer.id, new mongo.ObjectId(params.groupId)) };
    },
  };
}
