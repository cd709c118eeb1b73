import { setTimeout as pause } from "node:timers/promises";
import type { Types } from "mongoose";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import { withLease } from "../../db/lease.js";
import type { Deps } from "../../deps.js";
import { ApiError, Unexpected } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import { within } from "../../lib/within.js";
import type { Chapter, Course } from "../../models/courses/course.js";
import { findLessonTexts, hasText } from "../../models/courses/lesson-texts.js";
import type { Quiz, QuizQuestion } from "../../models/learning/quiz.js";
import { AiFault } from "../../providers/openai/fault.js";
import { titleFields } from "../ai/course-outlines.js";
import { CourseNotFound } from "../failures.js";
import { distinctQuestions, enoughQuestions, quizPrompt, readQuestions } from "./quiz-questions.js";

/** Maximum number of questions to the model for one generation. */
const maxCalls = 2;
/** Time for polling and storing, beside the calls. */
const pausesMs = 20_000;
/** How long a crashed generation blocks the next one. */
const leaseMs = 10_000;
const pollMs = 500;

export async function currentQuiz(db: Db, courseId: Types.ObjectId, chapterId: string): Promise<Quiz | null> {
  return db.Quiz.findOne({ courseId, chapterId }).sort({ version: -1 }).lean<Quiz>();
}

/** All but the texts, which the generation reads for one chapter. */
export const quizCourseFields = { ...titleFields, educatorId: 1, assessments: 1 } as const;

/** @throws CourseNotFound */
export async function requireCourseOfQuiz(db: Db, courseId: string): Promise<Course> {
  const course = isObjectId(courseId) ? await db.Course.findById(courseId, quizCourseFields).lean<Course>() : null;
  if (!course) throw CourseNotFound();
  return course;
}

export interface Generation {
  readonly course: Course;
  readonly chapter: Chapter;
  /** The caller wants a version above this one; 0 for any. */
  readonly above: number;
  /** Runs when this call starts the generation; its errors reach this call only. */
  readonly beforeStart?: () => Promise<void>;
  /** Aborts when the caller no longer waits. A generation that was started continues. */
  readonly signal: AbortSignal;
}

/**
 * Creates a function that generates a chapter's quiz as its next version. A lease allows one generation per chapter over
 * all instances. Waiting requests get its quiz or its failure.
 */
export function createQuizGenerator({
  db,
  ai,
  config,
}: Pick<Deps, "db" | "ai" | "config">): (wanted: Generation) => Promise<Quiz> {
  const { name: platform } = config.platform;
  /** Generations that this instance runs or waits for. */
  const underWay = new Map<string, Promise<Quiz>>();

  /** Returns `undefined` when the lease was lost, because another process may be generating. */
  async function generate(wanted: Generation, lost: AbortSignal): Promise<Quiz | undefined> {
    const existing = await findAbove(db, wanted);
    if (existing) return existing;
    await wanted.beforeStart?.();
    const { course, chapter } = wanted;
    const lessons = await findLessonTexts(db, lecturesWithText(wanted));
    const prompt = quizPrompt(course, chapter, lessons, platform);
    const ask = () => ai.ask({ ...prompt, signal: lost, read: (answer) => answer });
    try {
      let questions = readQuestions(await ask());
      if (questions.length < enoughQuestions) {
        const again = await ask().catch((error: unknown) => {
          if (questions.length === 0 || lost.aborted) throw error;
          return "";
        });
        const more = readQuestions(again);
        questions = more.length >= enoughQuestions ? more : distinctQuestions([...questions, ...more]);
      }
      if (questions.length === 0) throw new AiFault("unusable", "no valid question");
      return await storeNextVersion(db, course, chapter, questions);
    } catch (error) {
      if (lost.aborted) return undefined;
      throw error;
    }
  }

  async function generateOrWait(wanted: Generation): Promise<Quiz> {
    const endsAt = performance.now() + maxCalls * ai.longestMs + pausesMs;
    const lease = `quiz:${nameOf(wanted)}`;
    let wasUnderWay = false;
    while (performance.now() < endsAt) {
      const work = (lost: AbortSignal) => generate(wanted, lost);
      const generated = await withLease(db, lease, work, { ttlMs: leaseMs });
      if (generated) return generated;
      await pause(pollMs);
      const isUnderWay = (await db.Lease.exists({ _id: lease })) !== null;
      const quiz = await findAbove(db, wanted);
      if (quiz) return quiz;
      // A failed generation releases its lease; a crash leaves the lease to expire.
      if (wasUnderWay && !isUnderWay) throw Unexpected("the generation failed elsewhere");
      wasUnderWay = isUnderWay;
    }
    throw Unexpected("waited too long for a quiz generation");
  }

  return async (wanted) => {
    const key = nameOf(wanted);
    for (;;) {
      const shared = underWay.get(key);
      if (!shared) {
        const own = generateOrWait(wanted).finally(() => underWay.delete(key));
        own.catch(() => undefined); // it continues when its caller has left
        underWay.set(key, own);
        return whileWaiting(own, wanted.signal);
      }
      try {
        const quiz = await whileWaiting(shared, wanted.signal);
        if (quiz.version > wanted.above) return quiz;
      } catch (error) {
        // A spent rate limit stops only its own caller; the next caller may start.
        if (!(error instanceof ApiError && error.status === 429)) throw error;
      }
    }
  };
}

const lecturesWithText = ({ course, chapter }: Generation) =>
  chapter.chapterContent.filter(hasText).map(({ lectureId }) => ({ courseId: course._id, lectureId }));

const nameOf = ({ course, chapter }: Generation): string => `${course._id}:${chapter.chapterId}`;

async function findAbove(db: Db, { course, chapter, above }: Generation): Promise<Quiz | undefined> {
  const quiz = await currentQuiz(db, course._id, chapter.chapterId);
  return quiz && quiz.version > above ? quiz : undefined;
}

/** Stores a version. When the lease was lost, the unique index lets one process store it, and both return it. */
async function storeNextVersion(db: Db, course: Course, chapter: Chapter, questions: QuizQuestion[]): Promise<Quiz> {
  const { _id: courseId, courseTitle } = course;
  const { chapterId, chapterTitle } = chapter;
  const version = ((await currentQuiz(db, courseId, chapterId))?.version ?? 0) + 1;
  try {
    const quiz = await db.Quiz.create({ courseId, chapterId, chapterTitle, courseTitle, questions, version });
    return quiz.toObject<Quiz>();
  } catch (error) {
    const stored = isDuplicateKey(error) && (await currentQuiz(db, courseId, chapterId));
    if (!stored) throw error;
    return stored;
  }
}

/** Returns the result, or rejects as soon as the caller goes away. */
const whileWaiting = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => within({ signal }, () => work);
