import type { Deps } from "../deps.js";
import { unlinkRemovedGroups } from "../services/community/remove-group.js";
import { createJob, dueRows } from "./create-job.js";

/** Takes removed groups of the community out of posts and memberships. */
export const unlinkRemovedGroupsJob = ({ db }: Deps) =>
  createJob({
    name: "unlink-removed-groups",
    work: dueRows(db.RemovedGroup, "removedAt"),
    async run(signal) {
      const done = await unlinkRemovedGroups(db, signal);
      return done > 0 ? `posts and memberships of ${done} removed groups unlinked` : undefined;
    },
  });
