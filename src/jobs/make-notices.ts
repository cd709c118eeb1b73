import type { Model } from "mongoose";
import type { Deps } from "../deps.js";
import { findDueSources, makeNotices, noticeSources } from "../services/notices/make-notices.js";
import { createJob, dueRows, type Job } from "./create-job.js";

/** Makes the notices that rows of several collections cause. One command polls all of these collections. */
export function makeNoticesJob(deps: Deps): Job {
  const { db } = deps;
  const work = noticeSources.map(({ model }) =>
    dueRows(db[model] as unknown as Model<{ noticeDueAt: Date }>, "noticeDueAt"),
  );
  return {
    ...createJob({
      name: "make-notices",
      // Many writes of users wake this job.
      doneLevel: "debug",
      work,
      async run(signal) {
        const made = await makeNotices(deps, signal);
        return made > 0 ? `${made} notices made` : undefined;
      },
    }),
    poll: async () => ((await findDueSources(db)).length > 0 ? new Date() : undefined),
  };
}
