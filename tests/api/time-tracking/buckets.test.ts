import { Types } from "mongoose";
import { expect, test } from "vitest";
import { timeDiscrepancies } from "../../assertions/learning-recount.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse } from "../../factories/courses.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* What one learner can make the server store is bounded, and equals a recount whatever is sent at once to two instances. */

const server = await startTestServer();
const other = await server.another();
const track = async ({ token }: SignedIn, page: string, path = "/x", duration = 10, instance = server) =>
  expect((await instance.post("/api/user/track-time", { page, path, duration }, token)).status).toBe(200);
const analytics = async ({ token }: SignedIn) => (await server.get("/api/user/analytics", token)).body.analytics;
const expectRecount = async ({ id }: SignedIn) => expect(await timeDiscrepancies(server.deps.db, id)).toEqual([]);
const times = (count: number, work: (n: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

/** A learner who has chosen 95 of the 100 labels, courses that do not exist, and chapters. */
async function learnerNearTheEnd(): Promise<SignedIn> {
  const learner = await server.signedIn();
  await server.deps.db.TimeBucketCounts.create({ _id: learner.id, pages: 95, courses: 95, chapters: 95 });
  return learner;
}

test("a learner has at most a hundred labels, however many sessions come at once; further ones count under Other", async () => {
  const learner = await learnerNearTheEnd();
  await track(learner, "Home");
  await times(12, (n) => track(learner, `Label ${n}`, "/x", 10, n % 2 ? server : other));
  const shown = await analytics(learner);
  expect(shown.pageStats).toHaveLength(5);
  expect(shown).toMatchObject({ totalDuration: 50, totalSessions: 5 });
  expect(shown.dailyStats.at(-1).duration).toBe(50);
  const { PageTime, TimeSession } = server.deps.db;
  expect(await PageTime.findOne({ userId: learner.id, page: "Other" }).lean()).toMatchObject({ visits: 7 });
  expect((await TimeSession.distinct("page", { userId: learner.id })).length).toBe(13);

  // A label that is known goes on counting, and so does one that is no learning time.
  await track(learner, shown.pageStats[4].page);
  await track(learner, "Analytics");
  await track(learner, "One more");
  expect(await analytics(learner)).toMatchObject({ totalDuration: 60, totalSessions: 6 });
  await expectRecount(learner);
});

test("paths that name no course make a bounded number of courses and chapters; real ones always count", async () => {
  const learner = await learnerNearTheEnd();
  await times(8, (n) => track(learner, "Learning", `/player/none-${n}`, 1));
  await times(8, (n) => track(learner, "Quiz", `/quiz/no-course/ch-${n}`, 1));
  const course = await buildCourse(server, { courseContent: buildChapters(2, 1) });
  await track(learner, "Learning", `/player/${course._id}`, 500);
  await track(learner, "Quiz", `/quiz/${course._id}/ch2`, 500);
  const { courseBreakdown, totalDuration } = await analytics(learner);
  expect(totalDuration).toBe(1_016);
  expect(courseBreakdown).toHaveLength(5 + 1 + 1);
  const known = { courseId: String(course._id), learningSessions: 1, totalQuizDuration: 500 };
  expect(courseBreakdown[0]).toMatchObject(known);
  const unknown = courseBreakdown.find(({ courseId }: { courseId: string }) => courseId === "no-course");
  expect(unknown.chapters).toHaveLength(5);
  await expectRecount(learner);
});

test("sessions of any names that come at once are all counted", async () => {
  const learner = await server.signedIn();
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString"];
  await Promise.all([
    ...names.map((name) => track(learner, name, `/player/${name}`, 3)),
    ...names.map((name) => track(learner, "Quiz", `/quiz/${name}/${name}`, 5, other)),
    track(learner, "$set", "$where", 2),
    track(learner, "a.b.$[]", "$ne", 2, other),
    track(learner, "Other", `/player/${"d".repeat(64)}`, 9),
    times(20, (n) => track(learner, "Learning", "/player/hot", n + 1, n % 2 ? server : other)),
  ]);
  const { courseBreakdown, ...totals } = await analytics(learner);
  expect(totals).toMatchObject({ totalDuration: 4 * 8 + 2 * 2 + 210, totalSessions: 4 * 2 + 2 + 20 });
  const shownAs = (id: string) => courseBreakdown.find(({ courseId }: { courseId: string }) => courseId === id);
  expect(shownAs("hot")).toMatchObject({ learningDuration: 210, learningSessions: 20 });
  const chapters = [{ chapterId: "__proto__" }];
  expect(shownAs("__proto__")).toMatchObject({ learningDuration: 3, totalQuizDuration: 5, chapters });
  await expectRecount(learner);
});

test("the newest path of a page is that of the newest session, in whatever order they are stored", async () => {
  const learner = await server.signedIn();
  await times(12, (n) => track(learner, "Learning", `/player/p${n}`, 1, n % 2 ? other : server));
  await expectRecount(learner);
  await track(learner, "Learning", "/player/last", 1);
  expect((await analytics(learner)).pageStats).toEqual([
    { page: "Learning", path: "/player/last", totalDuration: 13, visits: 13 },
  ]);
});

test("a course is one course, in whatever letter case its id comes", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { _id: new Types.ObjectId("abcdef012345abcdef012345") });
  const id = String(course._id);
  for (const text of [id, id.toUpperCase(), `ABC${id.slice(3)}`]) {
    await track(learner, "Learning", `/player/${text}`, 5);
    await track(learner, "Quiz", `/quiz/${text}/ch1`, 5);
  }
  expect((await analytics(learner)).courseBreakdown).toMatchObject([
    { courseId: id, learningDuration: 15, chapters: [{ chapterId: "ch1", quizDuration: 15 }] },
  ]);
});

test("the database removes sessions after 400 days; what they add up to stays", async () => {
  const indexes = await server.deps.db.TimeSession.collection.indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { at: 1 }, expireAfterSeconds: 400 * 24 * 3_600 }));
  const learner = await server.signedIn();
  await track(learner, "Community");
  await server.deps.db.TimeSession.deleteMany({ userId: learner.id });
  expect(await analytics(learner)).toMatchObject({ totalDuration: 10, totalSessions: 1 });
  expect(await server.deps.db.AuditEntry.collection.indexes()).not.toContainEqual(
    expect.objectContaining({ expireAfterSeconds: expect.anything() }),
  );
});
