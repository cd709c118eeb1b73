import { mongo } from "mongoose";
import type { z } from "zod";
import { readInOrder } from "../../../db/read-in-order.js";
import type { Deps } from "../../../deps.js";
import { compileWriter } from "../../../http/replies/compile-writer.js";
import { streamList } from "../../../http/replies/stream-body.js";
import type { RouteRequest } from "../../../http/route.js";
import type { CommunityGroup } from "../../../models/community/community-group.js";
import { createGroup, joinedGroups, toggleMembership } from "../../../services/community/groups.js";
import { type GroupParams, GroupView, type NewGroup } from "./groups.schemas.js";

/** In a list of any length each group is written by itself. */
const writeGroupView = compileWriter(GroupView);

export function groupsController({ db }: Deps) {
  async function* shown(batches: AsyncIterable<CommunityGroup[]>, viewerId: string | undefined) {
    for await (const groups of batches) {
      const ids = groups.map(({ _id }) => _id);
      const joined = viewerId === undefined ? [] : await joinedGroups(db, viewerId, ids);
      const mine = new Set(joined.map(String));
      yield groups.map((group) => writeGroupView(Object.assign(group, { isMember: mine.has(String(group._id)) })));
    }
  }

  return {
    /** Names are ordered by code point, which no locale setting changes. */
    list({ viewer, res, signal }: RouteRequest<undefined, undefined, undefined, "public">) {
      const sort = { isOfficial: -1, memberCount: -1, name: 1 } as const;
      const groups = readInOrder<CommunityGroup, CommunityGroup>(db.CommunityGroup, { filter: {}, sort });
      return streamList(res, signal, {
        head: '{"success":true,"groups":[',
        batches: shown(groups, viewer?.id),
        tail: () => "]}",
      });
    },

    async create({ viewer, body }: RouteRequest<undefined, undefined, z.output<typeof NewGroup>, "user">) {
      return { group: { ...(await createGroup(db, viewer.id, body)), isMember: true } };
    },

    async toggle({ viewer, params }: RouteRequest<z.output<typeof GroupParams>, undefined, undefined, "user">) {
      return { isMember: await toggleMembership(db, viewer.id, new mongo.ObjectId(params.groupId)) };
    },
  };
}
