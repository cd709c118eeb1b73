import type { CourseFact, PromptFacts } from "./prompt-facts.js";

/** A roadmap in the platform's format. Every list has distinct entries. */
export interface Roadmap {
  title: string;
  summary: string;
  stages: Record<string, unknown>[];
}

/** Writes a roadmap of a learner's progress and next courses. */
export function personalRoadmap(facts: PromptFacts): Roadmap {
  const courses = facts.courses.length > 0 ? facts.courses : [{ title: "Your first course", percent: 0, chapters: [] }];
  const done = courses.filter(({ percent }) => percent === 100);
  const current = courses.filter(({ percent }) => percent !== 100);
  const focus = (current[0] ?? courses[0])?.title ?? "Your first course";
  return {
    title: facts.learner === null ? "Your learning roadmap" : `${facts.learner}'s learning roadmap`,
    summary: `You finished ${done.length} of ${courses.length} courses. The shortest way forward is “${focus}”, then a project that uses it.`,
    stages: [
      {
        id: "mastered",
        label: "Mastered",
        status: "completed",
        icon: "✅",
        description: "What you can already rely on.",
        skills: uniqueOr(
          done.map(({ title }) => `Working knowledge of ${title}`),
          "Learning with a plan",
        ),
        highlights: uniqueOr(
          done.map(({ title }) => `Completed ${title}`),
          "Started the journey",
        ),
      },
      {
        id: "in_progress",
        label: "In progress",
        status: "current",
        icon: "🚀",
        description: "What deserves your next hours.",
        skills: uniqueOr(
          current.map(({ title }) => `Core ideas of ${title}`),
          "Consolidation",
        ),
        courses: distinctCourses(current),
      },
      {
        id: "next_steps",
        label: "Next steps",
        status: "upcoming",
        icon: "🧭",
        description: "Four steps that build on what you know.",
        recommendations: [
          { title: `Finish the open lectures of ${focus}`, priority: "high", reason: "Momentum is cheapest to keep." },
          { title: `Build a small project with ${focus}`, priority: "high", reason: "Use turns knowledge into skill." },
          { title: "Repeat the quizzes below 75 %", priority: "medium", reason: "They show where gaps remain." },
          {
            title: "Explain one topic in the community",
            priority: "medium",
            reason: "Explaining reveals what is missing.",
          },
        ],
      },
      {
        id: "career_paths",
        label: "Career paths",
        status: "future",
        icon: "🎯",
        description: "Three directions this leads to.",
        paths: [
          { title: `${focus} specialist`, readiness: 55, gap: ["Portfolio of three projects", "Code review practice"] },
          { title: "Product engineer", readiness: 40, gap: ["System design", "Working with users"] },
          { title: "Technical mentor", readiness: 30, gap: ["Public speaking", "Curriculum design"] },
        ],
      },
    ],
  };
}

/** Writes a roadmap from the basics to mastery of one topic. */
export function customRoadmap(topic: string): Roadmap {
  const stage = (id: string, label: string, icon: string, timeEstimate: string, rest: object) => ({
    id,
    label,
    status: "upcoming",
    icon,
    timeEstimate,
    description: `${label} of ${topic}.`,
    ...rest,
  });
  return {
    title: `Roadmap to ${topic}`,
    summary: `A path from the first steps in ${topic} to work that others rely on, with a project in every stage.`,
    stages: [
      stage("foundations", "Foundations", "🧱", "3–4 weeks", {
        skills: [`Vocabulary of ${topic}`, `First complete example in ${topic}`, "Tools and environment"],
        resources: [`An introductory course on ${topic}`, "The official documentation"],
      }),
      stage("core_skills", "Core skills", "🛠️", "6–8 weeks", {
        skills: [`Everyday techniques of ${topic}`, "Testing your own work", "Reading the work of others"],
        projects: [`A small tool that uses ${topic}`, "A rewrite of that tool after feedback"],
      }),
      stage("advanced", "Advanced topics", "📈", "8–10 weeks", {
        skills: [`Performance and limits of ${topic}`, "Design for change", "Diagnosis of hard faults"],
        projects: [`A project in ${topic} with real users`],
      }),
      {
        id: "mastery",
        label: "Mastery",
        status: "future",
        icon: "🏆",
        description: `Where ${topic} can take you.`,
        paths: [
          { title: `${topic} practitioner`, readiness: 0, gap: ["Foundations", "Core skills"] },
          { title: `${topic} lead`, readiness: 0, gap: ["Advanced topics", "Guiding a team"] },
          { title: `${topic} teacher`, readiness: 0, gap: ["Broad experience", "Clear writing"] },
        ],
        certifications: [`A recognised certificate in ${topic}`, "A published case study"],
      },
    ],
  };
}

function uniqueOr(entries: string[], fallback: string): string[] {
  return entries.length === 0 ? [fallback] : [...new Set(entries)].slice(0, 30);
}

function distinctCourses(courses: CourseFact[]): { title: string; completion: number }[] {
  return [...new Map(courses.map(({ title, percent }) => [title, { title, completion: percent ?? 0 }])).values()];
}
