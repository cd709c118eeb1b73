import type { Prompt } from "@lyceum/provider-emulators";
import { z } from "zod";
import texts from "./ai-answers.json" with { type: "json" };

const Course = z
  .object({ title: z.string(), completion: z.number(), chapters: z.array(z.string()).default([]) })
  .or(
    z
      .object({ course: z.string(), percentComplete: z.number(), chapters: z.array(z.string()).default([]) })
      .transform(({ course, percentComplete, chapters }) => ({ title: course, completion: percentComplete, chapters })),
  );

/** The facts of the server's prompts that answers use. Each prompt has some of them. */
const Facts = z.object({
  learner: z.string().default(""),
  courses: z.array(Course).default([]),
  chapterTitle: z.string().default("this chapter"),
  lectures: z.array(z.string()).default([]),
  missedQuestions: z.array(z.string()).default([]),
  relevantLectures: z.array(z.object({ lecture: z.string() })).default([]),
  topic: z.string().optional(),
});
type Facts = z.output<typeof Facts>;

/**
 * Answers the server's prompts in development: quizzes, roadmaps, recommendations and the tutor. The id of a request
 * begins with its purpose. Equal prompts get equal answers.
 */
export function answerPrompt({ requestId = "", messages, random }: Prompt): string | object | undefined {
  const facts = Facts.parse(JSON.parse(dataIn(messages)));
  switch (requestId.split("-", 1)[0]) {
    case "quiz":
      return { questions: quizQuestions(facts, random) };
    case "roadmap":
      return facts.topic === undefined ? personalRoadmap(facts) : fill(texts.customRoadmap, { topic: facts.topic });
    case "recommendations":
      return recommendations(facts);
    case "chat":
      return chatAnswer(facts, messages.at(-1)?.text ?? "");
    default:
      return undefined;
  }
}

/** The first block of facts in a prompt, as JSON. */
function dataIn(messages: Prompt["messages"]): string {
  const text = messages.map((message) => message.text).join("\n");
  return /^<data>\n(.*)\n<\/data>$/m.exec(text)?.[1] ?? "{}";
}

/** Copies a template and replaces `{name}` in its texts. */
const fill = <Template>(template: Template, values: Readonly<Record<string, string>>): Template =>
  JSON.parse(JSON.stringify(template), (_key, value: unknown) =>
    typeof value === "string" ? value.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole) : value,
  );

function quizQuestions({ chapterTitle, lectures }: Facts, random: Prompt["random"]) {
  const below = (limit: number): number => Math.floor(random() * limit);
  const first = below(lectures.length);
  return texts.quiz.map((draft, position) => {
    const lecture = lectures[(first + position) % lectures.length] ?? chapterTitle;
    const { right, wrong, ...question } = fill(draft, { lecture, chapter: chapterTitle });
    const correctIndex = below(4);
    return { ...question, options: wrong.toSpliced(correctIndex, 0, right), correctIndex };
  });
}

function personalRoadmap({ courses }: Facts) {
  const byTitle = [...new Map(courses.map((course) => [course.title, course])).values()].slice(0, 30);
  const done = byTitle.filter(({ completion }) => completion === 100);
  const open = byTitle.filter(({ completion }) => completion < 100);
  const focus = open[0]?.title ?? done[0]?.title ?? "your first course";
  const counts = { done: `${done.length}`, all: `${byTitle.length}` };
  const { stages, ...roadmap } = fill(texts.personalRoadmap, { focus, ...counts });
  const [mastered, inProgress, ...later] = stages;
  return {
    ...roadmap,
    stages: [
      {
        ...mastered,
        ...(done.length > 0 && {
          skills: done.map(({ title }) => `Working knowledge of ${title}`),
          highlights: done.map(({ title }) => `Completed ${title}`),
        }),
      },
      {
        ...inProgress,
        ...(open.length > 0 && { skills: open.map(({ title }) => `Core ideas of ${title}`) }),
        courses: open.map(({ title, completion }) => ({ title, completion })),
      },
      ...later,
    ],
  };
}

function recommendations({ chapterTitle, missedQuestions: [missed = chapterTitle] }: Facts): string {
  return fill(texts.recommendations, { chapter: chapterTitle, missed }).join("\n");
}

function chatAnswer({ learner, courses, relevantLectures: [found] }: Facts, asked: string): string {
  const course = courses.find(({ completion }) => completion < 100) ?? courses[0];
  const { title = "the topic", completion = 0, chapters = [] } = course ?? {};
  const chapter = chapters[Math.floor((completion / 100) * chapters.length)];
  const nextStep = chapter
    ? `Continue **${title}** with the chapter *${chapter}*.`
    : "Pick a course that interests you.";
  const progress = courses.map((one) => `- **${one.title}**: ${one.completion}% complete`).join("\n");
  const question = asked.replace(/\s+/g, " ").slice(0, 160);
  const comma = learner && `, ${learner}`;
  const paragraphs = fill(texts.chat, { comma, question, subject: found?.lecture ?? title, progress, nextStep });
  return paragraphs
    .filter((_, position) => progress !== "" || !texts.chat[position]?.includes("{progress}"))
    .join("\n\n");
}
