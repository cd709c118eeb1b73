import type { Deps } from "../deps.js";
import { findDueSources, makeNotices, noticeSources } from "../services/notices/make-notices.js";
import { earliest, type Job, maxCounted } from "./create-job.js";

/** Makes the notices that rows of several collections cause. One command polls all of these collections. */
export function makeNoticesJob(deps: Deps): Job {
  const { db } = deps;
  return {
    name: "make-notices",
    // Many writes of users wake this job.
    doneLevel: "debug",
    models: noticeSources.map(({ model }) => model),
    async poll() {
      return earliest((await findDueSources(db)).map(({ since }) => since));
    },
    async backlog() {
      const due = await findDueSources(db, maxCounted);
      return {
        count: due.reduce((sum, { count }) => sum + count, 0),
        since: earliest(due.map(({ since }) => since)),
      };
    },
    async run(signal) {
      const made = await makeNotices(deps, signal);
      return made > 0 ? `${made} notices made` : undefined;
    },
  };
}
