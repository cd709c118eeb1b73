import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { rebuildTimeBuckets } from "../../src/commands/rebuild-time-buckets.js";
import { countSession, storeSession } from "../../src/commands/track-time.js";
import { countTimeSessions } from "../../src/jobs/count-time-sessions.js";
import { type SignedIn, startTestServer } from "../support/server.js";

const server = await startTestServer();

interface Session {
  page: string;
  path: string;
  duration: number;
}

const track = (learner: SignedIn, page: unknown, path: unknown, duration: unknown, headers?: Record<string, string>) =>
  server.post("/api/user/track-time", { page, path, duration }, learner.token, headers);
const analytics = async (learner: SignedIn) => (await server.get("/api/user/analytics", learner.token)).body.analytics;
const sweep = () => countTimeSessions(server.deps, new AbortController().signal);
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

    const { PageTime, DayTime, CourseTime, ChapterTime } = server.deps.db;
    await PageTime.updateMany({ userId: learner.id }, { $inc: { duration: 17, visits: 3 } });
    await DayTime.deleteMany({ userId: learner.id });
    await CourseTime.updateMany({ userId: learner.id }, { $set: { sessions: 0 } });
    await ChapterTime.create({ userId: learner.id, courseId: "never", chapterId: "never", duration: 1, sessions: 1 });
    await rebuildTimeBuckets(server.deps.db, learner.id);
    expect(await analytics(learner)).toEqual(before);
  });

  test("sessions tracked while the buckets are rebuilt are not lost and not counted twice", async () => {
    const learner = await server.signedIn();
    const { db } = server.deps;
    const session = { page: "Learning", path: "/player/hot", duration: 2 };
    let tracked = 0;
    // A later rebuild would mend what an earlier one broke: so each is looked at by itself.
    for (let round = 1; round <= 8; round++) {
      let rebuilding = true;
      const keepTracking = async () => {
        while (rebuilding) {
          const stored = await storeSession(db, { userId: learner.id, ...session });
          if (stored) await countSession(db, stored);
          tracked += 1;
        }
      };
      const trackers = [keepTracking(), keepTracking(), keepTracking(), keepTracking()];
      // It gives up when the buckets move too fast.
      await rebuildTimeBuckets(db, learner.id).catch(() => undefined);
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
    await server.deps.db.TimeSession.create({ ...session, _id: randomUUID(), at: when, uncounted: true });
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
    const { TimeSession, CourseTime } = server.deps.db;
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
    const { TimeSession } = server.deps.db;
    const session = await TimeSession.findOne({ userId: learner.id, uncounted: true }).lean();
    if (!session) throw new Error("no session was left");
    await sweep();
    await track(learner, "Learning", "/player/abc", 1);
    await countSession(server.deps.db, session);
    expect(await analytics(learner)).toMatchObject({
      totalDuration: 16,
      totalSessions: 3,
      courseBreakdown: [{ learningDuration: 16, learningSessions: 3 }],
    });
  });

  test("does not take the place of the newest path", async () => {
    const learner = await abandoned();
    await server.deps.db.TimeSession.updateMany({ userId: learner.id, duration: 5 }, { $set: { path: "/player/old" } });
    await sweep();
    expect((await analytics(learner)).pageStats).toEqual([
      { page: "Learning", path: "/player/abc", totalDuration: 15, visits: 2 },
    ]);
  });

  test("counts once when the client sends it again under its key", async () => {
    const learner = await server.signedIn();
    const key = { "idempotency-key": "left-behind" };
    await track(learner, "Learning", "/player/abc", 10, key);
    const { TimeSession, PageTime } = server.deps.db;
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
