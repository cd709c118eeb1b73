import { z } from "zod";
import type { Deps } from "../../deps.js";
import { alreadySent, type RouteGroup, route } from "../../http/route.js";
import { failure } from "../../lib/errors.js";
import { boundedString, text } from "../../lib/fields.js";
import { AiFault } from "../../providers/openai/fault.js";
import type { Prompt } from "../../providers/openai/provider.js";
import { learnerCourses } from "../../services/enrollments/learner-courses.js";
import { UserNotFound } from "../../services/failures.js";
import { customRoadmapPrompt, personalRoadmapPrompt, Roadmap, readRoadmap } from "../../services/roadmaps/roadmap.js";
import { userExists } from "../../services/users/user-cards.js";

/**
 * A topic made safe for a prompt: one line, without quotes, backticks and backslashes. Its length is checked after that.
 */
const topic = boundedString(120)
  .transform((given) => given.replace(/[\r\n`"\\]/g, " ").replace(/\s+/g, " "))
  .pipe(text(2, 120));

const PersonalRoadmapReply = z.object({
  roadmap: Roadmap,
  courseStats: z.array(
    z.object({
      title: z.string(),
      description: z.string().meta({ description: "plain text, at most 250 characters" }),
      completionPercent: z.int().min(0).max(100),
      totalLectures: z.int(),
      doneLectures: z.int(),
    }),
  ),
});

const InvalidTopic = failure("invalid_topic", 400, "Please provide a valid topic (at least 2 characters).");
const NothingEnrolled = failure("nothing_enrolled", 404, "No enrolled courses found. Enroll in some courses first.");
const UnreadableRoadmap = failure("unreadable_roadmap", 500, "Failed to parse AI response. Please try again.");

/** Learning roadmaps, written by the AI and checked by a schema. */
export function roadmapsGroup({ db, ai, config }: Deps): RouteGroup {
  const { name: platform } = config.platform;
  /** Returns `undefined` when the learner went away. */
  async function generate(prompt: Prompt, signal: AbortSignal) {
    try {
      return await ai.ask({ ...prompt, signal, read: readRoadmap });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof AiFault && error.kind === "unusable") throw UnreadableRoadmap(error);
      throw error;
    }
  }
  return {
    name: "roadmaps",
    base: "/api/user",
    routes: [
      route("post", "/generate-personal-roadmap", {
        operationId: "generatePersonalRoadmap",
        summary: "A roadmap from the caller's courses and progress",
        access: "user",
        limit: "aiGeneration",
        reply: PersonalRoadmapReply,
        errors: [UserNotFound, NothingEnrolled, UnreadableRoadmap],
        async handle({ viewer, signal }) {
          if (!(await userExists(db, viewer.id))) throw UserNotFound();
          const courses = await learnerCourses(db, viewer.id);
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
      }),
      route("post", "/generate-custom-roadmap", {
        operationId: "generateCustomRoadmap",
        summary: "A roadmap for any topic",
        description:
          "Line breaks, quotes, backticks and backslashes are removed. The topic must then have 2 to 120 characters.",
        access: "user",
        limit: "aiGeneration",
        body: z.object({ topic }),
        invalid: InvalidTopic,
        reply: z.object({ roadmap: Roadmap }),
        errors: [UnreadableRoadmap],
        async handle({ body, signal }) {
          const roadmap = await generate(customRoadmapPrompt(body.topic, platform), signal);
          return roadmap ? { roadmap } : alreadySent;
        },
      }),
    ],
  };
}
