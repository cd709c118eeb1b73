import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { alreadySent, type RouteRequest } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { AiFault } from "../../providers/openai/fault.js";
import type { Prompt } from "../../providers/openai/provider.js";
import type { CourseOutlines } from "../../services/courses/course-outlines.js";
import { learnerCourses } from "../../services/enrollments/learner-courses.js";
import { UserNotFound } from "../../services/failures.js";
import { customRoadmapPrompt, personalRoadmapPrompt, readRoadmap } from "../../services/roadmaps/roadmap.js";
import type { CustomRoadmapBody } from "./roadmaps.schemas.js";

export const InvalidTopic = failure("invalid_topic", 400, "Please provide a valid topic (at least 2 characters).");
export const NothingEnrolled = failure(
  "nothing_enrolled",
  404,
  "No enrolled courses found. Enroll in some courses first.",
);
export const UnreadableRoadmap = failure("unreadable_roadmap", 500, "Failed to parse AI response. Please try again.");

export function roadmapsController({ db, ai, config }: Deps, outlines: CourseOutlines) {
  const { name: platform } = config.platform;

  /** Returns `undefined` when the learner went away. */
  async function generate(prompt: Prompt, signal: AbortSignal) {
    try {
      return await ai.ask({ ...prompt, purpose: "roadmap", signal, read: readRoadmap });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof AiFault && error.kind === "unusable") throw UnreadableRoadmap(error);
      throw error;
    }
  }

  return {
    async personal({ viewer, signal }: RouteRequest<undefined, undefined, undefined, "user">) {
      if (!(await db.User.exists({ _id: viewer.id }))) throw UserNotFound();
      const courses = await learnerCourses(db, outlines, viewer.id);
      if (courses.length === 0) throw NothingEnrolled();
      const roadmap = await generate(personalRoadmapPrompt(courses, platform), signal);
      if (!roadmap) return alreadySent;
      const courseStats = courses.map(({ title, description, percent, totalLectures, doneLectures }) => ({
        title,
        description,
        completionPercent: percent,
        totalLectures,
        doneLectures,
      }));
      return { roadmap, courseStats };
    },

    async custom({ body, signal }: RouteRequest<undefined, undefined, z.output<typeof CustomRoadmapBody>, "user">) {
      const roadmap = await generate(customRoadmapPrompt(body.topic, platform), signal);
      return roadmap ? { roadmap } : alreadySent;
    },
  };
}
