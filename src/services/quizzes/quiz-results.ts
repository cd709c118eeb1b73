import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { newestFirst } from "../../db/ordered-list.js";
import { distinct } from "../../lib/distinct.js";
import type { Course } from "../../models/courses/course.js";

type Titled = Pick<Course, "_id" | "courseTitle" | "courseContent">;

const titles = { courseTitle: 1, "courseContent.chapterId": 1, "courseContent.chapterTitle": 1 };

export const chapterTitle = (course: Titled | undefined | null, chapterId: string, fallback: string): string =>
  course?.courseContent.find((chapter) => chapter.chapterId === chapterId)?.chapterTitle ?? fallback;

const summary = { courseId: 1, chapterId: 1, percentage: 1, group: 1, createdAt: 1 } as const;

/** Lists a learner's attempts at one chapter's quiz, newest first. */
export function chapterResults(db: Db, userId: string, chapter: { courseId: string; chapterId: string }) {
  const own = { userId, courseId: new Types.ObjectId(chapter.courseId), chapterId: chapter.chapterId };
  return newestFirst(db.QuizResult, { filter: own });
}

/** Lists a learner's attempts in one course, newest first. */
export function courseResults(db: Db, userId: string, course: string) {
  const courseId = new Types.ObjectId(course);
  let titled: Promise<Titled | null> | undefined;
  return newestFirst(db.QuizResult, {
    filter: { userId, courseId },
    fields: summary,
    async describe(results) {
      titled ??= db.Course.findById(courseId, titles).lean<Titled>().exec();
      const found = await titled;
      return results.map(({ chapterId, percentage, group }) => ({
        chapterId,
        chapterTitle: chapterTitle(found, chapterId, "Unknown Chapter"),
        percentage,
        group,
      }));
    },
  });
}

/** Lists all attempts of a learner, newest first. */
export function allResults(db: Db, userId: string) {
  return newestFirst(db.QuizResult, {
    filter: { userId },
    fields: summary,
    async describe(results) {
      const byId = await coursesById(db, results);
      return results.map(({ courseId, chapterId, ...result }) => {
        const course = byId.get(String(courseId));
        return {
          ...result,
          courseTitle: course?.courseTitle ?? "Unknown Course",
          chapterTitle: chapterTitle(course, chapterId, "Unknown Chapter"),
        };
      });
    },
  });
}

/** Reads the courses of some rows with the titles of their chapters, by id. */
export async function coursesById(
  db: Db,
  rows: readonly { readonly courseId: Types.ObjectId }[],
): Promise<Map<string, Titled>> {
  const ids = distinct(rows.map(({ courseId }) => courseId));
  const courses = await db.Course.find({ _id: { $in: ids } }, titles).lean<Titled[]>();
  return new Map(courses.map((course) => [String(course._id), course]));
}
