import { setTimeout as pause } from "node:timers/promises";
import type { Types } from "mongoose";
import pTimeout from "p-timeout";
import type { Db } from "../../db/db.js";
import { isDuplicateKey } from "../../db/duplicate-key.js";
import { underLease } from "../../db/lease.js";
import type { Deps } from "../../deps.js";
import { ApiError, Unexpected } from "../../lib/errors.js";
import type { Chapter, Course } from "../../models/courses/course.js";
import type { Quiz, QuizQuestion } from "../../models/learning/quiz.js";
import { AiFault } from "../../providers/openai/fault.js";
import { distinctQuestions, enoughQuestions, quizPrompt, readQuestions } from "./quiz-questions.js";

/** Questions to the model that one generation may take, and time for the pauses between. */
const mostAsked = 2;
const pausesMs = 20_000;
/** How long a process that died in a generation blocks the next one. A running generation renews its lease. */
const leaseMs = 10_000;
const pollMs = { first: 100, most: 1_000 };

/** The version in force. */
export async function currentQuiz(db: Db, courseId: Types.ObjectId, chapterId: string): Promise<Quiz | null> {
  return db.Quiz.findOne({ courseId, chapterId }).sort({ version: -1 }).lean<Quiz>();
}

export interface Generation {
  readonly course: Course;
  readonly chapter: Chapter;
  /** A quiz above this version is what is wanted; 0 for any. */
  readonly above: number;
  /** Runs when this call starts the generation; its errors reach this call only. */
  readonly beforeStart?: () => Promise<void>;
  /** Aborts when the caller no longer waits. A generation that was started continues. */
  readonly signal: AbortSignal;
}

/**
 * Generates a chapter's quiz as its next version. Over all instances one generation per chapter is under way at a time;
 * requests that arrive meanwhile get its result, or its failure. When its process died, the next request starts another.
 */
export function createQuizGenerator({
  db,
  ai,
  config,
}: Pick<Deps, "db" | "ai" | "config">): (wanted: Generation) => Promise<Quiz> {
  const { name: platform } = config.platform;
  /** Generations that this instance runs or watches, so that many waiters ask the database as one. */
  const watched = new Map<string, Promise<Quiz>>();

  async function make({ course, chapter }: Generation, signal: AbortSignal): Promise<Quiz> {
    const ask = () =>
      ai.ask({ ...quizPrompt(course, chapter, platform), purpose: "quiz", signal, read: (answer) => answer });
    let questions = readQuestions(await ask()) ?? [];
    if (questions.length < enoughQuestions) {
      const again = await ask().catch((error: unknown) => {
        if (questions.length === 0 || signal.aborted) throw error;
        return "";
      });
      const more = readQuestions(again) ?? [];
      questions = more.length >= enoughQuestions ? more : distinctQuestions([...questions, ...more]);
    }
    if (questions.length === 0) throw new AiFault("unusable", "no valid question");
    return storeNextVersion(db, course, chapter, questions);
  }

  /** @returns undefined when the lease was lost, so that another process may be generating. */
  async function generate(wanted: Generation, failuresBefore: number, lost: AbortSignal): Promise<Quiz | undefined> {
    const there = await findAbove(db, wanted);
    if (there) return there;
    if ((await failures(db, wanted)) > failuresBefore) throw Unexpected("the generation failed elsewhere");
    await wanted.beforeStart?.();
    return make(wanted, lost).catch(async (error: unknown) => {
      if (lost.aborted) return undefined;
      await noteFailure(db, wanted);
      throw error;
    });
  }

  async function startOrWatch(wanted: Generation): Promise<Quiz> {
    const lease = leaseName(wanted);
    const failuresBefore = await failures(db, wanted);
    const until = performance.now() + mostAsked * ai.longestMs + pausesMs;
    for (let wait = pollMs.first; performance.now() < until; wait = Math.min(wait * 1.5, pollMs.most)) {
      if (await isFree(db, lease)) {
        const made = await underLease(db, lease, (lost) => generate(wanted, failuresBefore, lost), {
          ttlMs: leaseMs,
        });
        if (made) return made;
      }
      await pause(wait);
      const there = await findAbove(db, wanted);
      if (there) return there;
    }
    throw Unexpected("waited too long for a quiz generation");
  }

  return async (wanted) => {
    const key = nameOf(wanted);
    for (;;) {
      const under = watched.get(key);
      if (!under) {
        const own = startOrWatch(wanted).finally(() => watched.delete(key));
        own.catch(() => undefined); // it continues when its caller has left
        watched.set(key, own);
        return whileWaiting(own, wanted.signal);
      }
      try {
        const quiz = await whileWaiting(under, wanted.signal);
        if (quiz.version > wanted.above) return quiz;
      } catch (error) {
        // A spent rate limit stops only its own caller: the next one may start.
        if (!(error instanceof ApiError && error.status === 429)) throw error;
      }
    }
  };
}

const nameOf = ({ course, chapter }: Generation): string => `${course._id}:${chapter.chapterId}`;
const leaseName = (wanted: Generation): string => `quiz:${nameOf(wanted)}`;

async function findAbove(db: Db, { course, chapter, above }: Generation): Promise<Quiz | undefined> {
  const quiz = await currentQuiz(db, course._id, chapter.chapterId);
  return quiz && quiz.version > above ? quiz : undefined;
}

async function isFree(db: Db, name: string): Promise<boolean> {
  const lease = await db.Lease.findById(name, { expiresAt: 1 }).lean();
  return !lease || lease.expiresAt.getTime() <= Date.now();
}

async function failures(db: Db, wanted: Generation): Promise<number> {
  return (await db.QuizGenerationFault.findById(nameOf(wanted), { failures: 1 }).lean())?.failures ?? 0;
}

async function noteFailure(db: Db, wanted: Generation): Promise<void> {
  await db.QuizGenerationFault.updateOne({ _id: nameOf(wanted) }, { $inc: { failures: 1 } }, { upsert: true });
}

/** Stores a version. The lease excludes other processes; if it was lost, the unique index decides. */
async function storeNextVersion(db: Db, course: Course, chapter: Chapter, questions: QuizQuestion[]): Promise<Quiz> {
  for (let tries = 0; ; tries += 1) {
    const current = await currentQuiz(db, course._id, chapter.chapterId);
    try {
      const quiz = await db.Quiz.create({
        courseId: course._id,
        chapterId: chapter.chapterId,
        chapterTitle: chapter.chapterTitle,
        courseTitle: course.courseTitle,
        questions,
        version: (current?.version ?? 0) + 1,
      });
      return quiz.toObject<Quiz>();
    } catch (error) {
      if (!isDuplicateKey(error) || tries === 5) throw error;
    }
  }
}

/** The result, or a rejection as soon as the caller went away. */
const whileWaiting = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  pTimeout(work, { milliseconds: Number.POSITIVE_INFINITY, signal });
