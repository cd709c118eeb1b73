import type { Deps } from "../deps.js";
import { unlinkRemovedGroups } from "../services/community/remove-group.js";
import { dueRows } from "./due-work.js";
import type { Job } from "./scheduler.js";

/** Takes removed groups of the community out of posts and memberships. */
export function unlinkRemovedGroupsJob({ db }: Pick<Deps, "db">): Job {
  return {
    name: "unlink-removed-groups",
    everyMs: 2_000,
    restMs: 29_000,
    ...dueRows(db.RemovedGroup, "removedAt"),
    async run(signal) {
      const done = await unlinkRemovedGroups(db, signal);
      return done > 0 ? `posts and memberships of ${done} removed groups unlinked` : undefined;
    },
  };
}
