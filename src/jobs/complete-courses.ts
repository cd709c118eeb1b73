import type { Deps } from "../deps.js";
import { completeDueCourses } from "../services/learning/complete-courses.js";
import { dueRows } from "./due-work.js";
import type { Job } from "./scheduler.js";

/** Completes courses for learners who had only lectures left that the educator has removed. */
export function completeCourses({ db }: Pick<Deps, "db">): Job {
  return {
    name: "complete-courses",
    everyMs: 5_000,
    restMs: 29_000,
    ...dueRows(db.Course, "completionsDueAt"),
    async run(signal) {
      const completed = await completeDueCourses(db, signal);
      return completed > 0 ? `${completed} courses of learners completed` : undefined;
    },
  };
}
