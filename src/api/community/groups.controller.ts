import { mongo } from "mongoose";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import type { CommunityGroup } from "../../models/community-group.js";
import { createGroup, joinedGroups, toggleMembership } from "../../services/community/groups.js";
import type { GroupParams, NewGroup } from "./community.schemas.js";

export function groupsController({ db }: Deps) {
  return {
    /** Names are ordered by code point, which no locale setting changes. */
    async list({ viewer }: RouteRequest<undefined, undefined, undefined, "public">) {
      const groups = await db.CommunityGroup.find()
        .sort({ isOfficial: -1, memberCount: -1, name: 1 })
        .lean<CommunityGroup[]>();
      const joined = viewer
        ? await joinedGroups(
            db,
            viewer.id,
            groups.map(({ _id }) => _id),
          )
        : [];
      const mine = new Set(joined.map(String));
      return { groups: groups.map((group) => ({ ...group, isMember: mine.has(String(group._id)) })) };
    },

    async create({ viewer, body }: RouteRequest<undefined, undefined, z.output<typeof NewGroup>, "user">) {
      return { group: { ...(await createGroup(db, viewer.id, body)), isMember: true } };
    },

    async toggle({ viewer, params }: RouteRequest<z.output<typeof GroupParams>, undefined, undefined, "user">) {
      return { isMember: await toggleMembership(db, viewer.id, new mongo.ObjectId(params.groupId)) };
    },
  };
}
