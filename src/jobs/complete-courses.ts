import type { Deps } from "../deps.js";
import { completeDueCourses } from "../services/learning/complete-courses.js";
import { createJob, dueRows } from "./create-job.js";

/** Completes courses for learners who had only lectures left that the educator has removed. */
export const completeCoursesJob = ({ db }: Deps) =>
  createJob({
    name: "complete-courses",
    work: dueRows(db.Course, "completionsDueAt"),
    async run(signal) {
      const completed = await completeDueCourses(db, signal);
      return completed > 0 ? `${completed} courses of learners completed` : undefined;
    },
  });
