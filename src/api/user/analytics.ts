import type { Types } from "mongoose";
import { excludedPages, utcDay } from "../../commands/track-time.js";
import { isObjectId } from "../../http/fields.js";
import type { Models } from "../../models/index.js";
import type { ChapterTime, CourseTime, PageTime } from "../../models/time-tracking.js";

const daysShown = 7;
const dayMs = 24 * 3_600_000;

/** A learner's time, from the buckets alone: what it costs does not depend on the number of sessions behind them. */
export async function readAnalytics(models: Models, userId: string, now = new Date()) {
  const days = lastDays(now);
  const [pages, dayTimes, courseTimes, chapterTimes] = await Promise.all([
    models.PageTime.find({ userId }, { page: 1, duration: 1, visits: 1, newest: 1 }).lean<PageTime[]>(),
    models.DayTime.find({ userId, day: { $in: days } }, { day: 1, duration: 1 }).lean(),
    models.CourseTime.find({ userId }, { courseId: 1, duration: 1, sessions: 1 }).lean<CourseTime[]>(),
    models.ChapterTime.find({ userId }, { courseId: 1, chapterId: 1, duration: 1, sessions: 1 }).lean<ChapterTime[]>(),
  ]);
  const learning = pages.filter(({ page }) => !excludedPages.includes(page));
  const durationOf = new Map(dayTimes.map(({ day, duration }) => [day, duration]));
  return {
    totalDuration: sum(learning.map(({ duration }) => duration)),
    totalSessions: sum(learning.map(({ visits }) => visits)),
    pageStats: learning
      .map(({ page, newest, duration, visits }) => ({ page, path: newest.path, totalDuration: duration, visits }))
      .sort((a, b) => b.totalDuration - a.totalDuration || byText(a.page, b.page)),
    dailyStats: days.map((date) => ({ date, duration: durationOf.get(date) ?? 0 })),
    courseBreakdown: await courseBreakdown(models, courseTimes, chapterTimes),
  };
}

/** The UTC days of the window, oldest first, today last. */
function lastDays(now: Date): string[] {
  return Array.from({ length: daysShown }, (_, index) =>
    utcDay(new Date(now.getTime() - (daysShown - 1 - index) * dayMs)),
  );
}

async function courseBreakdown(
  models: Models,
  courseTimes: readonly CourseTime[],
  chapterTimes: readonly ChapterTime[],
) {
  const learningOf = new Map(courseTimes.map((time) => [time.courseId, time]));
  const chaptersOf = new Map<string, ChapterTime[]>();
  for (const time of chapterTimes) {
    const known = chaptersOf.get(time.courseId);
    if (known) known.push(time);
    else chaptersOf.set(time.courseId, [time]);
  }
  const courseIds = [...new Set([...learningOf.keys(), ...chaptersOf.keys()])];
  const course = await namedCourses(models, courseIds);
  return courseIds
    .map((courseId) => {
      const known = course(courseId);
      const chapters = (chaptersOf.get(courseId) ?? []).map(({ chapterId, duration, sessions }) => ({
        chapterId,
        chapterTitle: known?.chapterTitles.get(chapterId) ?? "Unknown Chapter",
        quizDuration: duration,
        quizSessions: sessions,
      }));
      return {
        courseId,
        courseTitle: known?.title ?? "Unknown Course",
        courseThumbnail: known?.thumbnail ?? null,
        learningDuration: learningOf.get(courseId)?.duration ?? 0,
        learningSessions: learningOf.get(courseId)?.sessions ?? 0,
        totalQuizDuration: sum(chapters.map(({ quizDuration }) => quizDuration)),
        chapters: chapters.sort((a, b) => b.quizDuration - a.quizDuration || byText(a.chapterId, b.chapterId)),
      };
    })
    .sort(
      (a, b) =>
        b.learningDuration + b.totalQuizDuration - a.learningDuration - a.totalQuizDuration ||
        byText(a.courseId, b.courseId),
    );
}

interface NamedCourse {
  _id: Types.ObjectId;
  courseTitle: string;
  courseThumbnail: string;
  courseContent?: { chapterId: string; chapterTitle: string }[];
}

/** Titles of those ids that name a course; the rest of a course is not read. */
async function namedCourses(models: Models, courseIds: readonly string[]) {
  const courses = await models.Course.find(
    { _id: { $in: courseIds.filter(isObjectId) } },
    { courseTitle: 1, courseThumbnail: 1, "courseContent.chapterId": 1, "courseContent.chapterTitle": 1 },
  ).lean<NamedCourse[]>();
  const known = new Map(
    courses.map(({ _id, courseTitle, courseThumbnail, courseContent = [] }) => [
      String(_id),
      {
        title: courseTitle,
        thumbnail: courseThumbnail,
        chapterTitles: new Map(courseContent.map(({ chapterId, chapterTitle }) => [chapterId, chapterTitle])),
      },
    ]),
  );
  return (courseId: string) => known.get(courseId.toLowerCase());
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
