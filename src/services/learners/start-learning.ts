import type { ClientSession, PipelineStage } from "mongoose";
import type { Db } from "../../db/db.js";
import { chapterAttempts } from "../../models/assessments/attempt-queries.js";
import { neverActive } from "../../models/enrollments/enrollment.js";
import type { CourseProgress } from "../../models/learning/course-progress.js";
import type { NewEvent } from "../events/record-event.js";
import {
  certify,
  completedAtOf,
  completedFacts,
  completesNow,
  countPresent,
  findCourseLectures,
} from "../learning/completion.js";
import { setFormerFigures } from "./learner-figures.js";
import { addLecturesOf, amongPairs, pairKey } from "./lecture-counts.js";

type Pair = Pick<CourseProgress, "userId" | "courseId">;

interface BegunEnrollment extends Pair {
  /** Whether the number of students of the course includes the learner already, because a job has not ended the access yet. */
  readonly isCounted: boolean;
}

interface Attempts {
  readonly _id: Pair;
  readonly quizAttempts: number;
  readonly bestQuizPercent: number;
  readonly lastAttemptAt: Date;
}

interface FormerWork {
  attempts?: Attempts;
  progress?: CourseProgress;
}

/**
 * Gives learners, whose enrollments begin, the figures of earlier attempts and completed lectures. Completes
 * a course in which nothing is left to do. Runs in the transaction that begins the enrollments, and after it has written
 * them. It sends one command when the learners have done nothing before.
 * @returns the facts that the caller records after those of the enrollments.
 */
export async function startLearning(
  db: Db,
  beginnings: readonly BegunEnrollment[],
  session: ClientSession,
): Promise<NewEvent[]> {
  if (beginnings.length === 0) return [];
  const formerWork = await findFormerWork(db, beginnings, session);
  const uncounted = beginnings.filter(({ isCounted }) => !isCounted);
  const progresses = uncounted.flatMap((pair) => formerWork.get(pairKey(pair))?.progress ?? []);
  await addLecturesOf(db, progresses, 1, session);
  const facts: NewEvent[] = [];
  for (const pair of beginnings) {
    const former = formerWork.get(pairKey(pair));
    if (former) facts.push(...(await resume(db, pair, former, session)));
  }
  if (facts.length > 0) session.once("ended", () => db.jobWakeups.emit("Certificate"));
  return facts;
}

async function resume(
  db: Db,
  pair: Pair,
  { attempts, progress }: FormerWork,
  session: ClientSession,
): Promise<NewEvent[]> {
  const course = await findCourseLectures(db, pair.courseId, session);
  let completedAt = progress ? completedAtOf(progress) : null;
  const completes = course && progress && (await completesNow(db, progress, course, session));
  if (completes) {
    completedAt = new Date();
    await certify(db, session, progress, course, completedAt);
  }
  const activity = [attempts?.lastAttemptAt ?? neverActive, ...(progress?.lectureTimes?.map(({ at }) => at) ?? [])];
  const enrollment = await setFormerFigures(
    db,
    pair,
    {
      lecturesDone: countPresent(progress?.lectureCompleted, new Set(course?.lectureIds)),
      quizAttempts: attempts?.quizAttempts ?? 0,
      bestQuizPercent: attempts?.bestQuizPercent ?? 0,
      lastActiveAt: new Date(Math.max(...activity.map(Number))),
      courseCompletedAt: completedAt,
    },
    session,
  );
  return completes ? completedFacts(db, session, pair, enrollment) : [];
}

/** Reads the attempts and the progress of some learners by one command. */
async function findFormerWork(db: Db, pairs: readonly Pair[], session: ClientSession) {
  const among = amongPairs(pairs);
  const group: PipelineStage.Group["$group"] = {
    _id: { userId: "$userId", courseId: "$courseId" },
    quizAttempts: { $sum: 1 },
    bestQuizPercent: { $max: "$percent" },
    lastAttemptAt: { $max: "$at" },
  };
  const found = await db.QuizResult.aggregate<Attempts | CourseProgress>([
    ...chapterAttempts(db, among),
    { $group: group },
    { $unionWith: { coll: db.CourseProgress.collection.name, pipeline: [{ $match: among }] } },
  ]).session(session);
  const formerWork = new Map<string, FormerWork>();
  for (const row of found) {
    const isProgress = "lectureCompleted" in row;
    const key = pairKey(isProgress ? row : row._id);
    formerWork.set(key, { ...formerWork.get(key), ...(isProgress ? { progress: row } : { attempts: row }) });
  }
  return formerWork;
}
