import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { lastDays } from "../../lib/days.js";
import { isObjectId } from "../../lib/fields.js";
import type { Course } from "../../models/courses/course.js";
import type { ChapterTime, CourseTime } from "../../models/learning/time-tracking.js";
import { excludedPages } from "./track-time.js";

const daysShown = 7;

/** Reads a learner's time from buckets, so that its cost does not depend on the number of sessions. */
export async function readAnalytics(db: Db, userId: string, now = new Date()) {
  const days = lastDays(daysShown, now);
  const [pages, dayTimes, courses, chapters] = await Promise.all([
    db.PageTime.find({ userId }).lean(),
    db.DayTime.find({ userId, day: { $in: days } }).lean(),
    db.CourseTime.find({ userId }).lean(),
    db.ChapterTime.find({ userId }).lean(),
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
    courseBreakdown: await courseBreakdown(db, courses, chapters),
  };
}

async function courseBreakdown(db: Db, courseTimes: readonly CourseTime[], chapterTimes: readonly ChapterTime[]) {
  const learningOf = new Map(courseTimes.map((time) => [time.courseId, time]));
  const chaptersOf = new Map<string, ChapterTime[]>();
  for (const time of chapterTimes) {
    const known = chaptersOf.get(time.courseId);
    if (known) known.push(time);
    else chaptersOf.set(time.courseId, [time]);
  }
  const courseIds = [...new Set([...learningOf.keys(), ...chaptersOf.keys()])];
  const findCourse = await courseFinder(db, courseIds);
  return courseIds
    .map((courseId) => {
      const known = findCourse(courseId);
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

/** Reads courses by id. @returns a look-up that ignores the letter case of the id. */
async function courseFinder(db: Db, courseIds: readonly string[]) {
  const ids = courseIds.filter(isObjectId).map((courseId) => new Types.ObjectId(courseId));
  const courses = await db.Course.find(
    { _id: { $in: ids } },
    { courseTitle: 1, courseThumbnail: 1, "courseContent.chapterId": 1, "courseContent.chapterTitle": 1 },
  ).lean<Course[]>();
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
