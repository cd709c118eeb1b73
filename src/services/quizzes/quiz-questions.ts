import { z } from "zod";
import { normalForm } from "../../lib/normal-form.js";
import type { Chapter, Course } from "../../models/courses/course.js";
import type { LessonText } from "../../models/courses/lesson-texts.js";
import type { QuizQuestion } from "../../models/learning/quiz.js";
import type { Prompt } from "../../providers/openai/provider.js";
import { findJson } from "../ai/find-json.js";
import { cutTogether } from "../ai/lesson-passages.js";
import { dataRule, promptLine, promptMessages } from "../ai/model-text.js";
import { plainText } from "../ai/plain-text.js";

const wantedQuestions = 10;
const maxQuestions = 20;
/** Longest text of a chapter in a prompt, in UTF-16 units. */
const maxTextLength = 24_000;
/** Number of questions below which the model is asked once more. */
export const enoughQuestions = 5;

/** Accepts text without control characters, which no renderer shows, and without lone surrogates. */
const printable = (max: number) =>
  z
    .string()
    .trim()
    .refine((text) => text.length <= max && !/[^\P{Cc}\n\t]|\p{Surrogate}/u.test(text));

/** Returns one form for texts that differ only in case, spacing, composition or invisible marks. */
const asRead = (text: string): string =>
  normalForm(text)
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

const askedQuestion = z.object({
  question: printable(2_000).refine((text) => asRead(text) !== ""),
  options: z
    .array(printable(1_000).refine((text) => asRead(text) !== ""))
    .length(4)
    .refine((options) => new Set(options.map(asRead)).size === 4),
  correctIndex: z.int().min(0).max(3),
  explanation: printable(4_000),
});

/** A question in an answer, which may leave out the explanation. */
const generatedQuestion = askedQuestion.extend({ explanation: printable(4_000).default("") });

const holdsObjects = (list: readonly unknown[]): boolean => list.some((item) => typeof item === "object");

/**
 * Reads the valid questions in a model's answer, in order. It drops invalid questions and repetitions, and repairs none.
 * A list stands alone or under any name; a question may stand alone too.
 */
export const readQuestions = (answer: string): QuizQuestion[] => findJson(answer, questionsIn) ?? [];

/** @returns undefined when a value holds no valid question. */
function questionsIn(value: unknown): QuizQuestion[] | undefined {
  const inside = typeof value === "object" && value !== null ? Object.values(value).filter(Array.isArray) : [];
  const list: unknown[] = Array.isArray(value) ? value : (inside.find(holdsObjects) ?? [value]);
  const valid = list.flatMap((item: unknown) => generatedQuestion.safeParse(item).data ?? []);
  return valid.length > 0 ? distinctQuestions(valid) : undefined;
}

/** Keeps the first of questions that read the same, and at most 20 in all. */
export function distinctQuestions(questions: readonly QuizQuestion[]): QuizQuestion[] {
  const seen = new Map<string, QuizQuestion>();
  for (const question of questions) {
    const key = asRead(question.question);
    if (!seen.has(key)) seen.set(key, question);
  }
  return [...seen.values()].slice(0, maxQuestions);
}

const schema = {
  name: "quiz",
  schema: z.toJSONSchema(z.object({ questions: z.array(askedQuestion) })) as Record<string, unknown>,
};

const instructions = (platform: string) =>
  [
    `You write quizzes for the courses of ${platform}, an online learning platform. Write ${wantedQuestions} ` +
      "multiple-choice questions that test understanding of the chapter below, from the texts of its lectures, or from " +
      "their subjects without texts.",
    "Every question has exactly 4 different options of which exactly one is right, `correctIndex` (0 to 3, varied) " +
      "names it, and `explanation` says in one or two sentences why. No two questions are alike; no option says “all " +
      "of the above” or “none of the above”.",
    'Answer with one JSON object and nothing else: {"questions":[{"question","options","correctIndex","explanation"}]}.',
    dataRule,
  ].join("\n");

/**
 * Writes the prompt for a quiz from the titles and texts of the chapter's lectures.
 * @param lessons lectures that have texts, in any order.
 */
export function quizPrompt(course: Course, chapter: Chapter, lessons: readonly LessonText[], platform: string): Prompt {
  const markdownOf = new Map(lessons.map(({ lectureId, markdown }) => [lectureId, markdown]));
  const withText = chapter.chapterContent.filter(({ lectureId }) => markdownOf.has(lectureId));
  const texts = cutTogether(
    withText.map(({ lectureId }) => markdownOf.get(lectureId) ?? ""),
    maxTextLength,
  );
  const facts = {
    courseTitle: promptLine(course.courseTitle, 200),
    aboutCourse: plainText(course.courseDescription, 1_500),
    chapterTitle: promptLine(chapter.chapterTitle, 200),
    lectures: chapter.chapterContent.map(({ lectureTitle }) => promptLine(lectureTitle, 200)),
    ...(texts.length > 0 && {
      texts: withText.map(({ lectureTitle }, n) => ({ lecture: promptLine(lectureTitle, 200), text: texts[n] })),
    }),
    otherChapters: course.courseContent
      .filter(({ chapterId }) => chapterId !== chapter.chapterId)
      .slice(0, 30)
      .map(({ chapterTitle }) => promptLine(chapterTitle, 100)),
  };
  return {
    messages: promptMessages(instructions(platform), facts),
    maxTokens: 8_000,
    schema,
    purpose: "quiz",
  };
}
