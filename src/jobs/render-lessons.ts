import type { Deps } from "../deps.js";
import { renderDueLessons, renderedBefore } from "../services/courses/render-lessons.js";
import { createJob, maxCounted } from "./create-job.js";

/** Renders the texts of lessons again after an upgrade of the renderer. */
export const renderLessonsJob = ({ db }: Pick<Deps, "db">) =>
  createJob({
    name: "render-lessons",
    work: {
      model: "Course",
      poll: async () => ((await db.Course.exists(renderedBefore)) ? new Date() : undefined),
      backlog: async () => ({
        count: await db.Course.countDocuments(renderedBefore).limit(maxCounted),
        since: undefined,
      }),
    },
    async run(signal) {
      const courses = await renderDueLessons(db, signal);
      return courses > 0 ? `the texts of ${courses} courses rendered` : undefined;
    },
  });
