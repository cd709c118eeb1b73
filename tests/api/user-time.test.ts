import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { rebuildTimeBuckets } from "../../src/commands/rebuild-time-buckets.js";
import { countSession, storeSession } from "../../src/commands/track-time.js";
import { countTimeSessions } from "../../src/jobs/count-time-sessions.js";
import { buildCourse } from "../support/courses.js";
import { identityOf, type SignedIn, startTestServer } from "../support/server.js";

const server = await startTestServer();
afterEach(() => {
  vi.useRealTimers();
});

interface Session {
  page: string;
  path: string;
  duration: number;
}

const track = (learner: SignedIn, page: unknown, path: unknown, duration: unknown, headers?: Record<string, string>) =>
  server.post("/api/user/track-time", { page, path, duration }, learner.token, headers);
const analytics = async (learner: SignedIn) => (await server.get("/api/user/analytics", learner.token)).body.analytics;
const sweep = () => countTimeSessions(server.deps, new AbortController().signal);
/** Sets the clock; the learner with a token that is valid then. */
const at = (iso: string, learner: SignedIn): SignedIn => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(iso) });
  return { ...learner, token: identityOf(server.sandbox).issueToken(learner.id, { role: "student" }) };
};
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** Totals as the specification defines them, from what was sent. */
function expectedTotals(sessions: readonly Session[]) {
  const excluded = ["Home", "Browse Courses", "Course Details", "Analytics", "Other"];
  const learning = sessions.filter(({ page }) => !excluded.includes(page));
  const pages = [...new Set(learning.map(({ page }) => page))].map((page) => {
    const own = learning.filter((session) => session.page === page);
    return { page, totalDuration: sum(own.map(({ duration }) => duration)), visits: own.length };
  });
  return {
    totalDuration: sum(learning.map(({ duration }) => duration)),
    totalSessions: learning.length,
    pages: pages.sort((a, b) => (a.page < b.page ? -1 : 1)),
  };
}

const shownTotals = ({ totalDuration, totalSessions, pageStats }: Awaited<ReturnType<typeof analytics>>) => ({
  totalDuration,
  totalSessions,
  pages: pageStats
    .map(({ page, totalDuration, visits }: { page: string; totalDuration: number; visits: number }) => ({
      page,
      totalDuration,
      visits,
    }))
    .sort((a: { page: string }, b: { page: string }) => (a.page < b.page ? -1 : 1)),
});

describe("POST /api/user/track-time", () => {
  test("records a session", async () => {
    const learner = await server.signedIn();
    const answer = await track(learner, " Community ", "/community", 30);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ success: true });
    expect((await analytics(learner)).pageStats).toEqual([
      { page: "Community", path: "/community", totalDuration: 30, visits: 1 },
    ]);
  });

  test("refuses anything that does not fit, and records nothing of it", async () => {
    const learner = await server.signedIn();
    const refused = { status: 400, body: { success: false, message: "Invalid tracking data" } };
    for (const page of ["", "  ", "p".repeat(101), 5, null, undefined, ["x"], { $gt: "" }]) {
      expect(await track(learner, page, "/x", 5)).toMatchObject(refused);
    }
    for (const path of ["", " ", "/".repeat(501), 5, null, undefined, { $gt: "" }]) {
      expect(await track(learner, "Learning", path, 5)).toMatchObject(refused);
    }
    for (const duration of [0, -1, 1.5, 86_401, 1e308, "5", null, undefined, true, [5], { $gt: 0 }]) {
      expect(await track(learner, "Learning", "/x", duration)).toMatchObject(refused);
    }
    const raw = (text: string) =>
      server.post("/api/user/track-time", text, learner.token, { "content-type": "application/json" });
    expect(await raw('{"page":"Learning","path":"/x","duration":1e999}')).toMatchObject(refused);
    expect(await raw('{"page":"Learning","path":"/x","duration":NaN}')).toMatchObject({ status: 400 });
    expect(await analytics(learner)).toMatchObject({ totalDuration: 0, totalSessions: 0, pageStats: [] });
    expect(await server.deps.models.TimeSession.countDocuments({ userId: learner.id })).toBe(0);
  });

  test("counts lengths in code points and takes the bounds themselves", async () => {
    const learner = await server.signedIn();
    expect((await track(learner, "📚".repeat(100), "💥".repeat(500), 86_400)).status).toBe(200);
    expect((await track(learner, "📚".repeat(101), "/x", 1)).status).toBe(400);
    expect((await track(learner, "📚", "💥".repeat(501), 1)).status).toBe(400);
    expect((await analytics(learner)).pageStats).toEqual([
      { page: "📚".repeat(100), path: "💥".repeat(500), totalDuration: 86_400, visits: 1 },
    ]);
  });

  test("a session that is sent again under its key counts once, for this learner", async () => {
    const [first, second] = [await server.signedIn(), await server.signedIn()];
    const key = { "idempotency-key": randomUUID() };
    await Promise.all(Array.from({ length: 8 }, () => track(first, "Learning", "/player/abc", 20, key)));
    expect(await track(first, "Learning", "/player/abc", 20, key)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    await track(second, "Learning", "/player/abc", 20, key);
    await track(first, "Learning", "/player/abc", 20, { "idempotency-key": randomUUID() });
    expect(await analytics(first)).toMatchObject({
      totalDuration: 40,
      totalSessions: 2,
      courseBreakdown: [{ learningDuration: 40, learningSessions: 2 }],
    });
    expect(await analytics(second)).toMatchObject({ totalDuration: 20, totalSessions: 1 });
  });
});

describe("GET /api/user/analytics", () => {
  test("is all zeros for somebody who was never tracked, with seven days", async () => {
    const shown = await analytics(await server.signedIn());
    expect(shown).toMatchObject({ totalDuration: 0, totalSessions: 0, pageStats: [], courseBreakdown: [] });
    expect(shown.dailyStats).toHaveLength(7);
    expect(shown.dailyStats.every(({ duration }: { duration: number }) => duration === 0)).toBe(true);
  });

  test("leaves excluded pages out of totals, pages and days, but not out of the course breakdown", async () => {
    const learner = await server.signedIn();
    for (const page of ["Home", "Browse Courses", "Course Details", "Analytics", "Other"]) {
      await track(learner, page, "/player/abc", 100);
    }
    await track(learner, "home", "/", 7);
    const shown = await analytics(learner);
    expect(shown).toMatchObject({ totalDuration: 7, totalSessions: 1 });
    expect(shown.pageStats).toEqual([{ page: "home", path: "/", totalDuration: 7, visits: 1 }]);
    expect(sum(shown.dailyStats.map(({ duration }: { duration: number }) => duration))).toBe(7);
    expect(shown.courseBreakdown).toMatchObject([{ courseId: "abc", learningDuration: 500, learningSessions: 5 }]);
  });

  test("shows a window of seven UTC days, today last", async () => {
    const learner = await server.signedIn();
    await track(at("2026-05-01T12:00:00Z", learner), "Learning", "/player/abc", 1);
    await track(at("2026-05-02T23:59:59.999Z", learner), "Learning", "/player/abc", 2);
    await track(at("2026-05-03T00:00:00Z", learner), "Quiz", "/quiz/abc/ch1", 4);
    await track(at("2026-05-03T10:00:00Z", learner), "Home", "/", 1000);
    await track(at("2026-05-08T00:00:00Z", learner), "Roadmap", "/roadmap", 8);
    const shown = await analytics(at("2026-05-08T00:00:01Z", learner));
    expect(shown.dailyStats).toEqual([
      { date: "2026-05-02", duration: 2 },
      { date: "2026-05-03", duration: 4 },
      { date: "2026-05-04", duration: 0 },
      { date: "2026-05-05", duration: 0 },
      { date: "2026-05-06", duration: 0 },
      { date: "2026-05-07", duration: 0 },
      { date: "2026-05-08", duration: 8 },
    ]);
    expect(shown.totalDuration).toBe(15);
  });

  test("sorts pages by time and shows the newest path of each", async () => {
    const learner = await server.signedIn();
    await track(learner, "Learning", "/player/first", 10);
    await track(learner, "Community", "/community", 50);
    await track(learner, "Learning", "/player/second", 30);
    expect((await analytics(learner)).pageStats).toEqual([
      { page: "Community", path: "/community", totalDuration: 50, visits: 1 },
      { page: "Learning", path: "/player/second", totalDuration: 40, visits: 2 },
    ]);
  });

  test("breaks time down by course and quiz chapter, most time first", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server, { courseTitle: "Known" });
    const id = String(course._id);
    const gone = "665f1c2ab7e4d90012ab34cd";
    await track(learner, "Learning", `/player/${id}`, 10);
    await track(learner, "Anything", `/player/${id}/lecture?t=3#x`, 5);
    await track(learner, "Quiz", `/quiz/${id}/ch1`, 20);
    await track(learner, "Quiz", `/quiz/${id}/ch2?again`, 30);
    await track(learner, "Quiz", `/quiz/${id}/ch2`, 30);
    await track(learner, "Quiz", `/quiz/${id}/no-such-chapter#top`, 1);
    await track(learner, "Learning", `/player/${gone}`, 900);
    await track(learner, "Quiz", "/quiz/not-an-id/ch1", 7);
    const unknown = { courseTitle: "Unknown Course", courseThumbnail: null };
    expect((await analytics(learner)).courseBreakdown).toEqual([
      {
        ...unknown,
        courseId: gone,
        learningDuration: 900,
        learningSessions: 1,
        totalQuizDuration: 0,
        chapters: [],
      },
      {
        courseId: id,
        courseTitle: "Known",
        courseThumbnail: "https://img.example/course.png",
        learningDuration: 15,
        learningSessions: 2,
        totalQuizDuration: 81,
        chapters: [
          { chapterId: "ch2", chapterTitle: "Chapter 2", quizDuration: 60, quizSessions: 2 },
          { chapterId: "ch1", chapterTitle: "Chapter 1", quizDuration: 20, quizSessions: 1 },
          { chapterId: "no-such-chapter", chapterTitle: "Unknown Chapter", quizDuration: 1, quizSessions: 1 },
        ],
      },
      {
        ...unknown,
        courseId: "not-an-id",
        learningDuration: 0,
        learningSessions: 0,
        totalQuizDuration: 7,
        chapters: [{ chapterId: "ch1", chapterTitle: "Unknown Chapter", quizDuration: 7, quizSessions: 1 }],
      },
    ]);
  });

  test("paths that name no course or chapter make no course entry", async () => {
    const learner = await server.signedIn();
    const paths = [
      ...[
        "/player",
        "/player/",
        "/player//x",
        "/player/a.b",
        "/player/a$b",
        "/player/%61bc",
        "/player/a b",
        "x/player/abc",
      ],
      ...[
        "/Player/abc",
        "/players/abc",
        `/player/${"a".repeat(65)}`,
        "/player/ünï",
        "/quiz/abc",
        "/quiz/abc/",
        "/quiz/abc?x",
      ],
      ...["/quiz/abc/a.b", `/quiz/abc/${"c".repeat(65)}`, "//player/abc", "/player/💥", "player/abc", "/player/abc\\x"],
    ];
    for (const path of paths) expect((await track(learner, "Learning", path, 1)).status).toBe(200);
    expect(await analytics(learner)).toMatchObject({ totalSessions: paths.length, courseBreakdown: [] });
  });
});

describe("under hostile input and concurrency", () => {
  const hostile = ["__proto__", "constructor", "hasOwnProperty", "toString"];
  const sessions: Session[] = [
    ...hostile.flatMap((name) => [
      { page: name, path: `/player/${name}`, duration: 3 },
      { page: "Quiz", path: `/quiz/${name}/${name}`, duration: 5 },
    ]),
    { page: "$set", path: "$where", duration: 2 },
    { page: "a.b.$[]", path: "/player/$ne", duration: 2 },
    { page: "Other", path: `/player/${"d".repeat(64)}`, duration: 9 },
    ...Array.from({ length: 30 }, (_, n) => ({ page: "Learning", path: "/player/hot", duration: n + 1 })),
  ];

  test("buckets equal a recount, before and after they are rebuilt", async () => {
    const learner = await server.signedIn();
    const answers = await Promise.all(sessions.map(({ page, path, duration }) => track(learner, page, path, duration)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const before = await analytics(learner);
    expect(shownTotals(before)).toEqual(expectedTotals(sessions));
    const hot = before.courseBreakdown.find(({ courseId }: { courseId: string }) => courseId === "hot");
    expect(hot).toMatchObject({ learningDuration: 465, learningSessions: 30 });
    const proto = before.courseBreakdown.find(({ courseId }: { courseId: string }) => courseId === "__proto__");
    expect(proto).toMatchObject({ learningDuration: 3, totalQuizDuration: 5, chapters: [{ chapterId: "__proto__" }] });

    const { PageTime, DayTime, CourseTime, ChapterTime } = server.deps.models;
    await PageTime.updateMany({ userId: learner.id }, { $inc: { duration: 17, visits: 3 } });
    await DayTime.deleteMany({ userId: learner.id });
    await CourseTime.updateMany({ userId: learner.id }, { $set: { sessions: 0 } });
    await ChapterTime.create({ userId: learner.id, courseId: "never", chapterId: "never", duration: 1, sessions: 1 });
    await rebuildTimeBuckets(server.deps.models, learner.id);
    expect(await analytics(learner)).toEqual(before);
  });

  test("sessions tracked while the buckets are rebuilt are not lost and not counted twice", async () => {
    const learner = await server.signedIn();
    const { models } = server.deps;
    const session = { page: "Learning", path: "/player/hot", duration: 2 };
    let tracked = 0;
    // A later rebuild would mend what an earlier one broke: so each is looked at by itself.
    for (let round = 1; round <= 8; round++) {
      let rebuilding = true;
      const keepTracking = async () => {
        while (rebuilding) {
          const stored = await storeSession(models, { userId: learner.id, ...session });
          if (stored) await countSession(models, stored);
          tracked += 1;
        }
      };
      const trackers = [keepTracking(), keepTracking(), keepTracking(), keepTracking()];
      // It gives up when the buckets move too fast.
      await rebuildTimeBuckets(models, learner.id).catch(() => undefined);
      rebuilding = false;
      await Promise.all(trackers);
      const shown = await analytics(learner);
      expect(shownTotals(shown)).toEqual(expectedTotals(Array(tracked).fill(session)));
      expect(shown.courseBreakdown).toMatchObject([{ learningDuration: 2 * tracked, learningSessions: tracked }]);
    }
  });
});

describe("a session that a crash left half-counted", () => {
  async function abandoned() {
    const learner = await server.signedIn();
    await track(learner, "Learning", "/player/abc", 10);
    const session = { page: "Learning", path: "/player/abc", duration: 5, userId: learner.id };
    const when = new Date(Date.now() - 60_000);
    await server.deps.models.TimeSession.create({ ...session, _id: randomUUID(), at: when, uncounted: true });
    return learner;
  }
  const counted = {
    totalDuration: 15,
    totalSessions: 2,
    courseBreakdown: [{ learningDuration: 15, learningSessions: 2 }],
  };

  test("is counted once, however often the sweeper runs", async () => {
    const learner = await abandoned();
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect(await analytics(learner)).toMatchObject(counted);
  });

  test("is finished in the buckets that miss it, and only there", async () => {
    const learner = await abandoned();
    await sweep();
    const { TimeSession, CourseTime } = server.deps.models;
    await TimeSession.updateMany(
      { userId: learner.id },
      { $set: { uncounted: true, at: new Date(Date.now() - 60_000) } },
    );
    await CourseTime.deleteMany({ userId: learner.id });
    await sweep();
    expect(await analytics(learner)).toMatchObject(counted);
  });

  test("is not counted again by its own addition that the database carries out late", async () => {
    const learner = await abandoned();
    const { TimeSession } = server.deps.models;
    const session = await TimeSession.findOne({ userId: learner.id, uncounted: true }).lean();
    if (!session) throw new Error("no session was left");
    await sweep();
    await track(learner, "Learning", "/player/abc", 1);
    await countSession(server.deps.models, session);
    expect(await analytics(learner)).toMatchObject({
      totalDuration: 16,
      totalSessions: 3,
      courseBreakdown: [{ learningDuration: 16, learningSessions: 3 }],
    });
  });

  test("does not take the place of the newest path", async () => {
    const learner = await abandoned();
    await server.deps.models.TimeSession.updateMany(
      { userId: learner.id, duration: 5 },
      { $set: { path: "/player/old" } },
    );
    await sweep();
    expect((await analytics(learner)).pageStats).toEqual([
      { page: "Learning", path: "/player/abc", totalDuration: 15, visits: 2 },
    ]);
  });

  test("counts once when the client sends it again under its key", async () => {
    const learner = await server.signedIn();
    const key = { "idempotency-key": "left-behind" };
    await track(learner, "Learning", "/player/abc", 10, key);
    const { TimeSession, PageTime } = server.deps.models;
    await TimeSession.updateOne(
      { userId: learner.id },
      { $set: { uncounted: true, at: new Date(Date.now() - 60_000) } },
    );
    await PageTime.deleteMany({ userId: learner.id });
    await track(learner, "Learning", "/player/abc", 10, key);
    await sweep();
    await track(learner, "Learning", "/player/abc", 10, key);
    expect(await analytics(learner)).toMatchObject({ totalDuration: 10, totalSessions: 1 });
    expect(await TimeSession.countDocuments({ userId: learner.id, uncounted: true })).toBe(0);
  });
});
