import { countPerson } from "../commands/people-total.js";
import type { Deps } from "../deps.js";
import type { Job } from "./scheduler.js";

/** Takes people into the total whom a crash, or a bulk load, left out of it. */
export function countPeopleJob({ db }: Pick<Deps, "db">): Job {
  return {
    name: "count-people",
    everyMs: 10_000,
    async run(signal) {
      const uncounted = await db.User.find({ counted: false }, { _id: 1 }).limit(1_000).lean();
      for (const { _id } of uncounted) {
        if (signal.aborted) break;
        await countPerson(db, _id);
      }
      return uncounted.length > 0 ? `${uncounted.length} people counted` : undefined;
    },
  };
}
