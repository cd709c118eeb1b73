import { Types } from "mongoose";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import type { RouteRequest } from "../../http/route.js";
import type { Course } from "../../models/course.js";
import { hardestQuestions } from "../../services/quizzes/quiz-insights.js";
import type { ChapterParams, CourseParams } from "./quizzes.schemas.js";

type Titled = Pick<Course, "_id" | "courseTitle" | "courseContent">;

const newestFirst = { createdAt: -1, _id: -1 } as const;
const titles = { courseTitle: 1, "courseContent.chapterId": 1, "courseContent.chapterTitle": 1 };

const chapterTitle = (course: Titled | undefined | null, chapterId: string, fallback: string): string =>
  course?.courseContent.find((chapter) => chapter.chapterId === chapterId)?.chapterTitle ?? fallback;

export function quizResultsController({ db }: Deps) {
  return {
    async ofChapter({ viewer, params }: RouteRequest<z.output<typeof ChapterParams>, undefined, undefined, "user">) {
      const courseId = new Types.ObjectId(params.courseId);
      const own = { userId: viewer.id, courseId, chapterId: params.chapterId };
      return { results: await db.QuizResult.find(own).sort(newestFirst).lean() };
    },

    async ofCourse({ viewer, params }: RouteRequest<z.output<typeof CourseParams>, undefined, undefined, "user">) {
      const courseId = new Types.ObjectId(params.courseId);
      const [course, results] = await Promise.all([
        db.Course.findById(courseId, titles).lean<Titled>(),
        db.QuizResult.find({ userId: viewer.id, courseId }, { chapterId: 1, percentage: 1, group: 1 })
          .sort(newestFirst)
          .lean(),
      ]);
      return {
        results: results.map(({ chapterId, percentage, group }) => ({
          chapterId,
          chapterTitle: chapterTitle(course, chapterId, "Unknown Chapter"),
          percentage,
          group,
        })),
      };
    },

    async all({ viewer }: RouteRequest<undefined, undefined, undefined, "user">) {
      const wanted = { courseId: 1, chapterId: 1, percentage: 1, group: 1, createdAt: 1 };
      const results = await db.QuizResult.find({ userId: viewer.id }, wanted).sort(newestFirst).lean();
      const courseIds = [...new Set(results.map(({ courseId }) => String(courseId)))];
      const courses = await db.Course.find({ _id: { $in: courseIds } }, titles).lean<Titled[]>();
      const byId = new Map(courses.map((course) => [String(course._id), course]));
      return {
        results: results.map(({ courseId, chapterId, ...result }) => {
          const course = byId.get(String(courseId));
          return {
            ...result,
            courseTitle: course?.courseTitle ?? "Unknown Course",
            chapterTitle: chapterTitle(course, chapterId, "Unknown Chapter"),
          };
        }),
      };
    },

    async insights({ viewer }: RouteRequest<undefined, undefined, undefined, "educator">) {
      const courses = await db.Course.find({ educatorId: viewer.id }, titles).lean<Titled[]>();
      const byId = new Map(courses.map((course) => [String(course._id), course]));
      const stats = await db.QuizChapterStats.find({ courseId: { $in: courses.map(({ _id }) => _id) } })
        .sort({ attempts: -1, _id: 1 })
        .lean();
      const hardest = await hardestQuestions(db, stats);
      return {
        insights: stats.map((chapter) => {
          const course = byId.get(String(chapter.courseId));
          return {
            ...chapter,
            courseTitle: course?.courseTitle ?? "Unknown",
            chapterTitle: chapterTitle(course, chapter.chapterId, "Unknown"),
            avgPct: Math.round(chapter.totalPct / chapter.attempts),
            hardestQuestions: hardest(chapter),
          };
        }),
      };
    },
  };
}
