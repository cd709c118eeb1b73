import { z } from "zod";
import { codePoints } from "../../lib/fields.js";
import type { Prompt } from "../../providers/openai/provider.js";
import { findJson } from "../ai/find-json.js";
import { dataRule, promptLine, promptMessages } from "../ai/model-text.js";
import type { LearnerCourse } from "../enrollments/learner-courses.js";

const distinct = <T>(items: readonly T[], key: (item: T) => unknown): boolean =>
  new Set(items.map(key)).size === items.length;

const label = z
  .string()
  .refine((text) => text !== "" && codePoints(text) <= 3_000)
  .meta({ minLength: 1, maxLength: 3_000 });
const labels = z
  .array(label)
  .max(30)
  .refine((list) => distinct(list, (item) => item), "repeats an entry")
  .meta({ uniqueItems: true });
const percent = z.number().min(0).max(100);
const titled = <S extends z.ZodType<{ title: string }>>(item: S) =>
  z.array(item).refine((list) => distinct(list, ({ title }) => title), "repeats a title");

const Stage = z.object({
  id: label,
  label,
  status: z.enum(["completed", "current", "upcoming", "future"]),
  icon: z.string().optional(),
  description: z.string().optional(),
  timeEstimate: z.string().optional(),
  skills: labels.optional(),
  highlights: labels.optional(),
  projects: labels.optional(),
  resources: labels.optional(),
  certifications: labels.optional(),
  courses: titled(z.object({ title: label, completion: percent })).optional(),
  recommendations: titled(
    z.object({ title: label, priority: z.enum(["high", "medium"]), reason: z.string().optional() }),
  ).optional(),
  paths: titled(z.object({ title: label, readiness: percent, gap: labels })).optional(),
});

/** What the client renders. Unknown keys are stripped; lengths are in code points. */
export const Roadmap = z
  .object({
    title: label,
    summary: label,
    stages: z
      .array(Stage)
      .min(1)
      .max(12)
      .refine((stages) => distinct(stages, ({ id }) => id), "repeats a stage id"),
  })
  .meta({ id: "Roadmap" });

/** Reads the roadmap in a model's answer. Returns `undefined` when the client could not render it. */
export function readRoadmap(answer: string): z.output<typeof Roadmap> | undefined {
  return findJson(answer, (value) => Roadmap.safeParse(value).data);
}

const schema = { name: "roadmap", schema: z.toJSONSchema(Roadmap, { io: "input" }) as Record<string, unknown> };

const rules = [
  "Answer with one JSON object and nothing else: {title, summary, stages:[{id, label, status, icon, description, …}]}.",
  "Every entry of skills, highlights, projects, resources, certifications and gap is a short string, never an " +
    "object; no list repeats an entry or a title; stage ids are unique. `icon` is one emoji. `readiness` and " +
    "`completion` are numbers from 0 to 100, `priority` is high or medium.",
  dataRule,
].join("\n");

const planner = (platform: string): string =>
  `You plan learning roadmaps for ${platform}, an online learning platform.`;

/** Number of the newest courses that a prompt describes. */
const describedCourses = 40;

/** Asks for a learner's progress and next steps, without the learner's name. */
export function personalRoadmapPrompt(courses: readonly LearnerCourse[], platform: string): Prompt {
  const instructions = [
    `${planner(platform)} Write a roadmap for the learner below from what they have done.`,
    "Stages, in this order: id `mastered`, status completed (skills, highlights); id `in_progress`, status current " +
      "(skills, courses with their completion); id `next_steps`, status upcoming (4 recommendations with priority " +
      "and reason); id `career_paths`, status future (3 paths with readiness and gap).",
    rules,
  ].join("\n");
  const facts = {
    courses: courses.slice(-describedCourses).map((course) => ({
      title: promptLine(course.title, 120),
      completion: course.percent,
      about: promptLine(course.description, 250),
      chapters: course.chapters.slice(0, 20).map(({ title }) => promptLine(title, 80)),
    })),
  };
  return prompt(instructions, facts);
}

/** Asks for a roadmap from the first steps to mastery in a topic. */
export function customRoadmapPrompt(topic: string, platform: string): Prompt {
  const instructions = [
    `${planner(platform)} Write a roadmap from the first steps to mastery in the topic below.`,
    "Stages, in this order: id `foundations`, id `core_skills`, id `advanced`, each with status upcoming (skills, " +
      "timeEstimate, and resources or projects); id `mastery`, status future (3 paths with readiness 0 and gap; " +
      "certifications).",
    rules,
  ].join("\n");
  return prompt(instructions, { topic: promptLine(topic, 240) });
}

function prompt(instructions: string, facts: Record<string, unknown>): Prompt {
  return {
    messages: promptMessages(instructions, facts),
    maxTokens: 6_000,
    schema,
    purpose: "roadmap",
  };
}
