import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { buildCourse } from "../../factories/courses.js";
import { identityOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
afterEach(() => {
  vi.useRealTimers();
});

const track = (learner: SignedIn, page: unknown, path: unknown, duration: unknown) =>
  server.post("/api/user/track-time", { page, path, duration }, learner.token);
const analytics = async (learner: SignedIn) => (await server.get("/api/user/analytics", learner.token)).body.analytics;
/** Sets the clock; the learner with a token that is valid then. */
const at = (iso: string, learner: SignedIn): SignedIn => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(iso) });
  return { ...learner, token: identityOf(server.emulators).issueToken(learner.id, { role: "student" }) };
};
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

describe("POST /api/user/track-time", () => {
  test("records a session", async () => {
    const learner = await server.signedIn();
    const answer = await track(learner, " Community ", "/community", 30);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
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
    expect(await server.deps.db.TimeSession.countDocuments({ userId: learner.id })).toBe(0);
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

  test("a session that is sent again under its key, also at once to two instances, counts once, for this learner", async () => {
    const [first, second] = [await server.signedIn(), await server.signedIn()];
    const other = await server.another();
    const key = randomUUID();
    const session = { page: "Learning", path: "/player/abc", duration: 20 };
    const send = ({ token }: SignedIn, key: string, instance = server) =>
      instance.post("/api/user/track-time", session, token, { "idempotency-key": key });
    await Promise.all(Array.from({ length: 8 }, (_, n) => send(first, key, n % 2 ? server : other)));
    expect(await send(first, key)).toMatchObject({ status: 200, body: { success: true } });
    await send(second, key);
    await send(first, randomUUID());
    expect(await analytics(first)).toMatchObject({
      totalDuration: 40,
      totalSessions: 2,
      courseBreakdown: [{ learningDuration: 40, learningSessions: 2 }],
    });
    expect(await analytics(second)).toMatchObject({ totalDuration: 20, totalSessions: 1 });
  });
});

describe("GET /api/user/analytics", () => {
  test("is all zeros for a user who was never tracked, with seven days", async () => {
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
      { ...unknown, courseId: gone, learningDuration: 900, learningSessions: 1, totalQuizDuration: 0, chapters: [] },
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
        "",
        "/",
        "//x",
        "/a.b",
        "/a$b",
        "/%61bc",
        "/a b",
        "s/abc",
        `/${"a".repeat(65)}`,
        "/ünï",
        "/💥",
        "/abc\\x",
      ].map((rest) => `/player${rest}`),
      ...["x/player/abc", "/Player/abc", "//player/abc", "player/abc", `/quiz/abc/${"c".repeat(65)}`],
      ...["/quiz/abc", "/quiz/abc/", "/quiz/abc?x", "/quiz/abc/a.b"],
    ];
    for (const path of paths) expect((await track(learner, "Learning", path, 1)).status).toBe(200);
    expect(await analytics(learner)).toMatchObject({ totalSessions: paths.length, courseBreakdown: [] });
  });
});
