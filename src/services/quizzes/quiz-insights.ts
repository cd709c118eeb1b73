import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { chunk } from "../../lib/chunk.js";
import type { Quiz } from "../../models/learning/quiz.js";
import type { QuizChapterStats, QuizVersionStats } from "../../models/learning/quiz-result.js";
import { type CourseManager, managedCourses } from "../courses/managed-course.js";
import { chapterTitle, coursesById } from "./quiz-results.js";

const maxHardQuestions = 3;

/**
 * Lists the chapters with attempts of an educator's courses, by attempts descending. Memory holds the counters of all
 * chapters to sort them; questions and titles are read for a batch at a time.
 */
export async function* readInsights(db: Db, manager: CourseManager) {
  const courses = await db.Course.find(managedCourses(manager), { _id: 1 }).lean<{ _id: Types.ObjectId }[]>();
  const stats: QuizChapterStats[] = [];
  for (const piece of chunk(courses.map(({ _id }) => _id))) {
    const found = await db.QuizChapterStats.find({ courseId: { $in: piece } }).lean<QuizChapterStats[]>();
    for (const chapter of found) stats.push(chapter);
  }
  for (const batch of chunk(stats.sort(byAttempts))) yield await describe(db, batch);
}

async function describe(db: Db, stats: readonly QuizChapterStats[]) {
  const byId = await coursesById(db, stats);
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

const byAttempts = (a: QuizChapterStats, b: QuizChapterStats): number =>
  b.attempts - a.attempts || (String(a._id) < String(b._id) ? -1 : 1);

/** Finds the most often missed questions of each chapter's newest attempted version, with two reads for all chapters. */
async function hardestQuestions(db: Db, chapters: readonly QuizChapterStats[]) {
  const newest = chapters.map(({ courseId, chapterId, newestVersion: version }) => ({ courseId, chapterId, version }));
  const [stats, quizzes] = await Promise.all([
    db.QuizVersionStats.find({ $or: newest }).lean<QuizVersionStats[]>(),
    db.Quiz.find({ $or: newest }, { courseId: 1, chapterId: 1, questions: 1 }).lean<Quiz[]>(),
  ]);
  const key = ({ courseId, chapterId }: Pick<Quiz, "courseId" | "chapterId">) => `${courseId}:${chapterId}`;
  const statsOf = new Map(stats.map((version) => [key(version), version]));
  const quizOf = new Map(quizzes.map((quiz) => [key(quiz), quiz]));
  return (chapter: QuizChapterStats) => {
    const version = statsOf.get(key(chapter));
    const quiz = quizOf.get(key(chapter));
    return version && quiz ? hardest(quiz, version) : [];
  };
}

function hardest(quiz: Quiz, { attempts, chosen }: QuizVersionStats) {
  return quiz.questions
    .map(({ question, options, correctIndex }, at) => {
      const counts = options.map((option, index) => ({ option, index, count: chosen[`${at}_${index}`] ?? 0 }));
      const wrong = counts.filter(({ index, count }) => index !== correctIndex && count > 0);
      const most = wrong.reduce((best, other) => (other.count > (best?.count ?? 0) ? other : best), wrong[0]);
      const missed = wrong.reduce((sum, { count }) => sum + count, 0);
      return {
        question,
        attempts,
        missed,
        wrongPct: attempts === 0 ? 0 : Math.round((missed / attempts) * 100),
        mostChosenWrongOption: most?.option ?? null,
        mostChosenWrongCount: most?.count ?? 0,
      };
    })
    .filter(({ missed }) => missed > 0)
    .sort((a, b) => b.missed - a.missed)
    .slice(0, maxHardQuestions);
}
