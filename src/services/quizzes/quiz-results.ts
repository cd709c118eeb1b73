import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Course } from "../../models/courses/course.js";
import type { QuizResult } from "../../models/learning/quiz-result.js";
import { hardestQuestions } from "./quiz-insights.js";

type Titled = Pick<Course, "_id" | "courseTitle" | "courseContent">;

const newestFirst = { createdAt: -1, _id: -1 } as const;
const titles = { courseTitle: 1, "courseContent.chapterId": 1, "courseContent.chapterTitle": 1 };

const chapterTitle = (course: Titled | undefined | null, chapterId: string, fallback: string): string =>
  course?.courseContent.find((chapter) => chapter.chapterId === chapterId)?.chapterTitle ?? fallback;

/** A learner's attempts at one chapter's quiz, newest first. */
export function findChapterResults(
  db: Db,
  userId: string,
  chapter: { courseId: string; chapterId: string },
): Promise<QuizResult[]> {
  const own = { userId, courseId: new Types.ObjectId(chapter.courseId), chapterId: chapter.chapterId };
  return db.QuizResult.find(own).sort(newestFirst).lean<QuizResult[]>().exec();
}

/** A learner's attempts in one course, newest first. */
export async function findCourseResults(db: Db, userId: string, courseId: string) {
  const [course, results] = await Promise.all([
    db.Course.findById(courseId, titles).lean<Titled>(),
    db.QuizResult.find({ userId, courseId: new Types.ObjectId(courseId) }, { chapterId: 1, percentage: 1, group: 1 })
      .sort(newestFirst)
      .lean(),
  ]);
  return results.map(({ chapterId, percentage, group }) => ({
    chapterId,
    chapterTitle: chapterTitle(course, chapterId, "Unknown Chapter"),
    percentage,
    group,
  }));
}

/** All of a learner's attempts, newest first. */
export async function findAllResults(db: Db, userId: string) {
  const wanted = { courseId: 1, chapterId: 1, percentage: 1, group: 1, createdAt: 1 };
  const results = await db.QuizResult.find({ userId }, wanted).sort(newestFirst).lean();
  const courseIds = [...new Set(results.map(({ courseId }) => String(courseId)))];
  const courses = await db.Course.find({ _id: { $in: courseIds } }, titles).lean<Titled[]>();
  const byId = new Map(courses.map((course) => [String(course._id), course]));
  return results.map(({ courseId, chapterId, ...result }) => {
    const course = byId.get(String(courseId));
    return {
      ...result,
      courseTitle: course?.courseTitle ?? "Unknown Course",
      chapterTitle: chapterTitle(course, chapterId, "Unknown Chapter"),
    };
  });
}

/** How the quizzes of an educator's courses are answered: a row per chapter with attempts, by attempts descending. */
export async function findInsights(db: Db, educatorId: string) {
  const courses = await db.Course.find({ educatorId }, titles).lean<Titled[]>();
  const byId = new Map(courses.map((course) => [String(course._id), course]));
  const stats = await db.QuizChapterStats.find({ courseId: { $in: courses.map(({ _id }) => _id) } })
    .sort({ attempts: -1, _id: 1 })
    .lean();
  const hardest = await hardestQuestions(db, stats);
  return stats.map((chapter) => {
    const course = byId.get(String(chapter.courseId));
    return {
      ...chapter,
      courseTitle: course?.courseTitle ?? "Unknown",
      chapterTitle: chapterTitle(course, chapter.chapterId, "Unknown"),
      avgPct: Math.round(chapter.totalPct / chapter.attempts),
      hardestQuestions: hardest(chapter),
    };
  });
}
