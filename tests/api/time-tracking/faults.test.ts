import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { timeDiscrepancies } from "../../assertions/learning-recount.js";
import { type SignedIn, startTestServer, type TestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });

interface Session {
  page: string;
  path: string;
  duration: number;
}

const track = (learner: SignedIn, session: Session, instance = server, headers?: Record<string, string>) =>
  instance.post("/api/user/track-time", session, learner.token, headers);
const analytics = async (learner: SignedIn) => (await server.get("/api/user/analytics", learner.token)).body.analytics;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** Totals by page, day, course and chapter, from what was sent. */
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

  test.each([
    ["one instance", async (): Promise<TestServer> => server],
    ["two instances", () => server.another()],
  ])("buckets equal a recount of one learner's sessions, sent at once to %s", async (_name, other) => {
    const learner = await server.signedIn();
    const second = await other();
    const answers = await Promise.all(sessions.map((session, n) => track(learner, session, n % 2 ? second : server)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const shown = await analytics(learner);
    expect(shownTotals(shown)).toEqual(expectedTotals(sessions));
    const hot = shown.courseBreakdown.find(({ courseId }: { courseId: string }) => courseId === "hot");
    expect(hot).toMatchObject({ learningDuration: 465, learningSessions: 30 });
    const proto = shown.courseBreakdown.find(({ courseId }: { courseId: string }) => courseId === "__proto__");
    expect(proto).toMatchObject({ learningDuration: 3, totalQuizDuration: 5, chapters: [{ chapterId: "__proto__" }] });
  });

  test("many first sessions at once on two instances make each bucket once", async () => {
    const learner = await server.signedIn();
    const second = await server.another();
    const many = Array.from({ length: 30 }, (_, n) => ({ page: `P${n % 3}`, path: `/player/c${n % 5}`, duration: 1 }));
    const answers = await Promise.all(many.map((session, n) => track(learner, session, n % 2 ? second : server)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await timeDiscrepancies(server.deps.db, learner.id)).toEqual([]);
  });

  test("a session that is sent many times at once under its key counts once, on two instances", async () => {
    const learner = await server.signedIn();
    const second = await server.another();
    const session = { page: "Learning", path: "/player/abc", duration: 20 };
    for (let round = 1; round <= 5; round++) {
      const key = { "idempotency-key": randomUUID() };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => track(learner, session, n % 2 ? second : server, key)),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(await analytics(learner)).toMatchObject({ totalDuration: 20 * round, totalSessions: round });
    }
    expect(await timeDiscrepancies(server.deps.db, learner.id)).toEqual([]);
  });
});

test("the newest path of a page is that of the newest session, in whatever order they are stored", async () => {
  const learner = await server.signedIn();
  const second = await server.another();
  const paths = Array.from({ length: 20 }, (_, n) => ({ page: "Learning", path: `/player/p${n}`, duration: 1 }));
  await Promise.all(paths.map((session, n) => track(learner, session, n % 2 ? second : server)));
  expect(await timeDiscrepancies(server.deps.db, learner.id)).toEqual([]);
  await track(learner, { page: "Learning", path: "/player/last", duration: 1 });
  expect((await analytics(learner)).pageStats).toEqual([
    { page: "Learning", path: "/player/last", totalDuration: 21, visits: 21 },
  ]);
});
