import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { findAfter } from "../../db/find-after.js";
import type { Course } from "../../models/courses/course.js";
import type { QuizResult } from "../../models/learning/quiz-result.js";

type Titled = Pick<Course, "_id" | "courseTitle" | "courseContent">;

const newestFirst = { createdAt: -1, _id: -1 } as const;
const titles = { courseTitle: 1, "courseContent.chapterId": 1, "courseContent.chapterTitle": 1 };

export const chapterTitle = (course: Titled | undefined | null, chapterId: string, fallback: string): string =>
  course?.courseContent.find((chapter) => chapter.chapterId === chapterId)?.chapterTitle ?? fallback;

type Attempts = Pick<QuizResult, "userId"> & Partial<Pick<QuizResult, "courseId" | "chapterId">>;
const summary = { courseId: 1, chapterId: 1, percentage: 1, group: 1, createdAt: 1 } as const;

/** Lists attempts in the order of an index. */
const attemptsInOrder = (db: Db, filter: Attempts, fields?: Readonly<Record<string, 1>>) => ({
  find: (after: [Date, Types.ObjectId] | undefined, limit: number) =>
    findAfter(db.QuizResult, { filter, fields, sort: newestFirst, after, limit }),
  keyOf: ({ createdAt, _id }: QuizResult): [Date, Types.ObjectId] => [createdAt, _id],
});

/** Lists a learner's attempts at one chapter's quiz, newest first. */
export function chapterResults(db: Db, userId: string, chapter: { courseId: string; chapterId: string }) {
  const own = { userId, courseId: new Types.ObjectId(chapter.courseId), chapterId: chapter.chapterId };
  return { ...attemptsInOrder(db, own), describe: async (results: readonly QuizResult[]) => [...results] };
}

/** Lists a learner's attempts in one course, newest first. */
export function courseResults(db: Db, userId: string, course: string) {
  const courseId = new Types.ObjectId(course);
  let titled: Promise<Titled | null> | undefined;
  return {
    ...attemptsInOrder(db, { userId, courseId }, summary),
    async describe(results: readonly QuizResult[]) {
      titled ??= db.Course.findById(courseId, titles).lean<Titled>().exec();
      const found = await titled;
      return results.map(({ chapterId, percentage, group }) => ({
        chapterId,
        chapterTitle: chapterTitle(found, chapterId, "Unknown Chapter"),
        percentage,
        group,
      }));
    },
  };
}

/** Lists all attempts of a learner, newest first. */
export function allResults(db: Db, userId: string) {
  return {
    ...attemptsInOrder(db, { userId }, summary),
    async describe(results: readonly QuizResult[]) {
      const byId = await coursesById(
        db,
        results.map(({ courseId }) => courseId),
      );
      return results.map(({ courseId, chapterId, ...result }) => {
        const course = byId.get(String(courseId));
        return {
          ...result,
          courseTitle: course?.courseTitle ?? "Unknown Course",
          chapterTitle: chapterTitle(course, chapterId, "Unknown Chapter"),
        };
      });
    },
  };
}

/** Reads courses with the titles of their chapters, by id. */
export async function coursesById(db: Db, ids: readonly Types.ObjectId[]): Promise<Map<string, Titled>> {
  const courses = await db.Course.find({ _id: { $in: [...new Set(ids.map(String))] } }, titles).lean<Titled[]>();
  return new Map(courses.map((course) => [String(course._id), course]));
}
