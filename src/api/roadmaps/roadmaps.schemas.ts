import { z } from "zod";
import { text } from "../../lib/fields.js";
import { Roadmap } from "../../services/roadmaps/roadmap.js";

/**
 * A topic made safe for a prompt: one line, without quotes, backticks and backslashes. Its length is checked after that.
 */
const topic = z
  .string()
  .transform((given) => given.replace(/[\r\n`"\\]/g, " ").replace(/\s+/g, " "))
  .pipe(text(2, 120));

export const CustomRoadmapBody = z.object({ topic });

export const CustomRoadmapReply = z.object({ roadmap: Roadmap });

export const PersonalRoadmapReply = z.object({
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
