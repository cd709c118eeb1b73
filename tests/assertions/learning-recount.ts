import { isDeepStrictEqual } from "node:util";
import type { Types } from "mongoose";
import type { Db } from "../../src/db/db.js";
import { excludedPages } from "../../src/services/learning/track-time.js";

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Lists the statistics of a course's quizzes that differ from its attempts. */
export async function attemptDiscrepancies(db: Db, courseId: Types.ObjectId): Promise<object[]> {
  const attempts = await db.QuizResult.find({ courseId }).lean();
  const hidden = { _id: 0, courseId: 0 } as const;
  const chapters = await db.QuizChapterStats.find({ courseId }, hidden).lean();
  const versions = await db.QuizVersionStats.find({ courseId }, hidden).lean();
  const inChapters = groupBy(attempts, ({ chapterId }) => chapterId).map((own) => ({
    chapterId: own[0]?.chapterId,
    attempts: own.length,
    totalPct: sum(own.map(({ percentage }) => percentage)),
    ...Object.fromEntries(
      ["needs_review", "on_track", "mastered"].map((group) => [group, own.filter((a) => a.group === group).length]),
    ),
    newestVersion: Math.max(...own.map(({ version }) => version)),
  }));
  const inVersions = groupBy(attempts, ({ chapterId, version }) => `${chapterId}:${version}`).map((own) => {
    const chosen: Record<string, number> = {};
    for (const key of own.flatMap(({ answers }) => answers.map((option, question) => `${question}_${option}`))) {
      chosen[key] = (chosen[key] ?? 0) + 1;
    }
    return { chapterId: own[0]?.chapterId, version: own[0]?.version, attempts: own.length, chosen };
  });
  return [...difference("chapters", chapters, inChapters), ...difference("versions", versions, inVersions)];
}

/** Lists a learner's time buckets that differ from a sum of their sessions. */
export async function timeDiscrepancies(db: Db, userId: string): Promise<object[]> {
  const stored = await db.TimeSession.find({ userId }).lean();
  const sessions = stored.map(({ counted, ...session }) => ({
    ...session,
    ...counted,
    page: counted?.page ?? session.page,
  }));
  const hidden = { _id: 0, userId: 0 } as const;
  const [pages, days, courses, chapters] = await Promise.all([
    db.PageTime.find({ userId }, hidden).lean(),
    db.DayTime.find({ userId }, hidden).lean(),
    db.CourseTime.find({ userId }, hidden).lean(),
    db.ChapterTime.find({ userId }, hidden).lean(),
  ]);
  const duration = (own: typeof sessions) => sum(own.map((session) => session.duration));
  const part = (path: string, at: number) => path.split("/")[at] ?? "";
  const played = sessions.filter(({ path, course }) => path.startsWith("/player/") && course !== false);
  const quizzed = sessions.filter(({ path, chapter }) => path.startsWith("/quiz/") && chapter !== false);
  const learning = sessions.filter(({ page }) => !excludedPages.includes(page));
  const counted = {
    pages: groupBy(sessions, ({ page }) => page).map((own) => {
      const [newest] = own
        .map(({ at, path }) => ({ at, path }))
        .sort((a, b) => b.at.getTime() - a.at.getTime() || (a.path < b.path ? 1 : -1));
      return { page: own[0]?.page, duration: duration(own), visits: own.length, newest };
    }),
    days: groupBy(learning, ({ at }) => at.toISOString().slice(0, 10)).map((own) => ({
      day: own[0]?.at.toISOString().slice(0, 10),
      duration: duration(own),
    })),
    courses: groupBy(played, ({ path }) => part(path, 2)).map((own) => ({
      courseId: part(own[0]?.path ?? "", 2),
      duration: duration(own),
      sessions: own.length,
    })),
    chapters: groupBy(quizzed, ({ path }) => path).map((own) => ({
      courseId: part(own[0]?.path ?? "", 2),
      chapterId: part(own[0]?.path ?? "", 3),
      duration: duration(own),
      sessions: own.length,
    })),
  };
  return Object.entries({ pages, days, courses, chapters }).flatMap(([name, stored]) =>
    difference(name, stored, counted[name as keyof typeof counted]),
  );
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return [...groups.values()];
}

/** With fields and rows in one order, whatever order they were stored in. */
function sorted(rows: readonly object[]): string[] {
  const inOrder = (value: unknown): unknown =>
    value !== null && typeof value === "object" && !(value instanceof Date)
      ? Object.fromEntries(
          Object.entries(value)
            .map(([key, inner]) => [key, inOrder(inner)] as const)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value;
  return rows.map((row) => JSON.stringify(inOrder(row))).sort();
}

function difference(what: string, stored: readonly object[], counted: readonly object[]): object[] {
  const [a, b] = [sorted(stored), sorted(counted)];
  return isDeepStrictEqual(a, b) ? [] : [{ what, stored: a, counted: b }];
}
