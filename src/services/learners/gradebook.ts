import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { chunk } from "../../lib/chunk.js";
import { readBatches } from "../../lib/read-batches.js";
import { chapterAttempts } from "../../models/assessments/attempt-queries.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { countPresent } from "../learning/completion.js";
import { userCards } from "../users/user-cards.js";
import type { TaughtCourse } from "./learner-views.js";
import { findCompletedLectures } from "./lecture-counts.js";
import { listLearners } from "./list-learners.js";

/** Learners that one query lists. */
const batchSize = 250;
/** Learners whose quiz attempts and completed lectures one query reads. Other requests wait for long queries. */
const describedAtOnce = 20;

/** The columns before the chapters. */
const learnerColumns = ["Name", "User ID", "Enrolled at", "Lectures done", "Lectures total"] as const;

export const gradebookColumns = ({ chapters }: TaughtCourse): string[] => [
  ...learnerColumns,
  ...chapters.map(({ chapterTitle }) => chapterTitle),
];

export type GradebookRow = readonly [
  name: string,
  userId: string,
  enrolledAt: Date,
  lecturesDone: number,
  lecturesTotal: number,
  ...best: (number | null)[],
];

/** Reads the rows of all learners, newest enrollment first, in batches. */
export async function* readGradebook(db: Db, course: TaughtCourse): AsyncGenerator<GradebookRow[]> {
  for await (const learners of readBatches(listLearners(db, course, { sort: "enrolled" }), batchSize)) {
    for (const some of chunk(learners, describedAtOnce)) yield await describeBatch(db, course, some);
  }
}

async function describeBatch(
  db: Db,
  { _id: courseId, chapters, lectures }: TaughtCourse,
  learners: readonly Enrollment[],
): Promise<GradebookRow[]> {
  const userIds = learners.map(({ userId }) => userId);
  const cardOf = await userCards(db, userIds);
  const completed = await findCompletedLectures(db, courseId, userIds);
  const bestOf = await findBestPercents(db, courseId, userIds);
  const present = new Set(lectures.map(({ lectureId }) => lectureId));
  return learners.map(({ userId, enrolledAt }) => [
    cardOf(userId).name,
    userId,
    enrolledAt,
    countPresent(completed.get(userId), present),
    present.size,
    ...chapters.map(({ chapterId }) => bestOf(userId, chapterId)),
  ]);
}

interface Best {
  _id: { userId: string; chapterId: string };
  best: number;
}

/** Finds the best percentage of some learners in each chapter; null without an attempt. */
async function findBestPercents(db: Db, courseId: Types.ObjectId, userIds: readonly string[]) {
  const found = await db.QuizResult.aggregate<Best>([
    ...chapterAttempts(db, { userId: { $in: [...userIds] }, courseId }),
    { $group: { _id: { userId: "$userId", chapterId: "$chapterId" }, best: { $max: "$percent" } } },
  ]);
  const keyOf = (userId: string, chapterId: string) => JSON.stringify([userId, chapterId]);
  const bests = new Map(found.map(({ _id, best }) => [keyOf(_id.userId, _id.chapterId), best]));
  return (userId: string, chapterId: string): number | null => bests.get(keyOf(userId, chapterId)) ?? null;
}
