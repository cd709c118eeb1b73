import { z } from "zod";
import type { Chapter, Course } from "../../models/courses/course.js";
import type { QuizQuestion } from "../../models/learning/quiz.js";
import { jsonIn } from "../../providers/openai/json-answer.js";
import type { Prompt } from "../../providers/openai/provider.js";
import { plainText } from "../ai/plain-text.js";
import { dataBlock, dataRule, promptLine } from "../ai/prompt-data.js";

/** Questions that are asked for, that are stored at most, and with fewer of which the model is asked once more. */
export const wantedQuestions = 10;
export const mostQuestions = 20;
export const enoughQuestions = 5;

/** Text of a question as it may be stored: no control characters, which no renderer shows, and no half characters. */
const written = (most: number) =>
  z
    .string()
    .trim()
    .refine((text) => text.length <= most && !/[^\P{Cc}\n\t]|\p{Surrogate}/u.test(text));

/** What a reader takes for the same text has the same form: case, spacing and invisible marks tell nothing apart. */
const asRead = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

const Question = z.object({
  question: written(2_000).refine((text) => asRead(text) !== ""),
  options: z
    .array(written(1_000).refine((text) => asRead(text) !== ""))
    .length(4)
    .refine((options) => new Set(options.map(asRead)).size === 4),
  correctIndex: z.int().min(0).max(3),
  explanation: written(4_000).default(""),
});

const holdsObjects = (list: readonly unknown[]): boolean => list.some((item) => typeof item === "object");

/**
 * The valid questions in a model's answer, in order. Invalid ones and repetitions are dropped, never repaired.
 * A list stands alone or under any name; a question may stand alone too.
 * @returns undefined when the answer holds no list at all.
 */
export function readQuestions(answer: string): QuizQuestion[] | undefined {
  const parsed = jsonIn(answer);
  const inside = typeof parsed === "object" && parsed !== null ? Object.values(parsed).filter(Array.isArray) : [];
  if (!Array.isArray(parsed) && inside.length === 0) return undefined;
  const list: unknown[] = Array.isArray(parsed) ? parsed : (inside.find(holdsObjects) ?? [parsed]);
  const valid = list.flatMap((item: unknown) => {
    const question = Question.safeParse(item);
    return question.success ? [question.data] : [];
  });
  return distinctQuestions(valid);
}

/** The first of each question, at most 20; questions that read the same are the same. */
export function distinctQuestions(questions: readonly QuizQuestion[]): QuizQuestion[] {
  const seen = new Map<string, QuizQuestion>();
  for (const question of questions) {
    const key = asRead(question.question);
    if (!seen.has(key)) seen.set(key, question);
  }
  return [...seen.values()].slice(0, mostQuestions);
}

const schema = {
  name: "quiz",
  schema: z.toJSONSchema(
    z.object({
      questions: z.array(
        z.object({
          question: z.string(),
          options: z.array(z.string()).length(4),
          correctIndex: z.int().min(0).max(3),
          explanation: z.string(),
        }),
      ),
    }),
  ) as Record<string, unknown>,
};

const instructions = (platform: string) =>
  [
    `You write quizzes for the courses of ${platform}, an online learning platform. Write ${wantedQuestions} ` +
      "multiple-choice questions that test understanding of the chapter below, from its lectures' subjects.",
    "Every question has exactly 4 different options of which exactly one is right, `correctIndex` (0 to 3, varied) " +
      "names it, and `explanation` says in one or two sentences why. No two questions are alike; no option says “all " +
      "of the above” or “none of the above”.",
    'Answer with one JSON object and nothing else: {"questions":[{"question","options","correctIndex","explanation"}]}.',
    dataRule,
  ].join("\n");

/** Asks for a quiz on what the chapter really teaches. */
export function quizPrompt(course: Course, chapter: Chapter, platform: string): Prompt {
  const facts = {
    courseTitle: promptLine(course.courseTitle, 200),
    aboutCourse: plainText(course.courseDescription, 1_500),
    chapterTitle: promptLine(chapter.chapterTitle, 200),
    lectures: chapter.chapterContent.map(({ lectureTitle }) => promptLine(lectureTitle, 200)),
    otherChapters: course.courseContent
      .filter(({ chapterId }) => chapterId !== chapter.chapterId)
      .slice(0, 30)
      .map(({ chapterTitle }) => promptLine(chapterTitle, 100)),
  };
  return {
    messages: [
      { role: "system", content: instructions(platform) },
      { role: "user", content: dataBlock(facts) },
    ],
    maxTokens: 8_000,
    schema,
  };
}
