import { z } from "zod";
import type { Prompt } from "../../providers/openai/provider.js";
import { dataBlock, dataRule, promptLine } from "../ai/prompt-data.js";
import type { LearnerCourse } from "../enrollments/learner-courses.js";
import { Roadmap } from "./roadmap.js";

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

/** Most courses that a prompt describes; the newest ones win. */
const described = 40;

/** Asks for a learner's progress and next steps. The learner's name is not needed for that. */
export function personalRoadmapPrompt(courses: readonly LearnerCourse[], platform: string): Prompt {
  const instructions = [
    `${planner(platform)} Write a roadmap for the learner below from what they have done.`,
    "Stages, in this order: id `mastered`, status completed (skills, highlights); id `in_progress`, status current " +
      "(skills, courses with their completion); id `next_steps`, status upcoming (4 recommendations with priority " +
      "and reason); id `career_paths`, status future (3 paths with readiness and gap).",
    rules,
  ].join("\n");
  const facts = {
    courses: courses.slice(-described).map((course) => ({
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
    messages: [
      { role: "system", content: instructions },
      { role: "user", content: dataBlock(facts) },
    ],
    maxTokens: 6_000,
    schema,
  };
}
