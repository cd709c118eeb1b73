import { Types } from "mongoose";
import { expect, test } from "vitest";
import { timeDiscrepancies } from "../../assertions/learning-recount.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse } from "../../factories/courses.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* What one learner can make the server store and show is bounded. */

const server = await startTestServer({ own: "recounts all rows" });
const other = await server.another();
const track = async ({ token }: SignedIn, page: string, path = "/x", duration = 10, instance = server) =>
  expect((await instance.post("/api/user/track-time", { page, path, duration }, token)).status).toBe(200);
const analytics = async ({ token }: SignedIn) => (await server.get("/api/user/analytics", token)).body.analytics;
const times = (count: number) => Array.from({ length: count }, (_, n) => n);

test("a learner has at most a hundred labels, however many sessions come at once; further ones count under Other", async () => {
  const learner = await server.signedIn();
  await track(learner, "Home");
  for (const _ of times(13)) {
    await Promise.all(times(10).map((n) => track(learner, `Label ${_}-${n}`, "/x", 10, n % 2 ? server : other)));
  }
  const shown = await analytics(learner);
  expect(shown.pageStats).toHaveLength(100);
  expect(shown).toMatchObject({ totalDuration: 1_000, totalSessions: 100 });
  expect(shown.dailyStats.at(-1).duration).toBe(1_000);
  const { PageTime, TimeSession } = server.deps.db;
  expect(await PageTime.findOne({ userId: learner.id, page: "Other" }).lean()).toMatchObject({ visits: 30 });
  expect((await TimeSession.distinct("page", { userId: learner.id })).length).toBe(131);

  // A label that is known goes on counting, and so does one that is no learning time.
  await track(learner, shown.pageStats[99].page);
  await track(learner, "Analytics");
  await track(learner, "One more");
  expect(await analytics(learner)).toMatchObject({ totalDuration: 1_010, totalSessions: 101 });
  expect(await timeDiscrepancies(server.deps.db, learner.id)).toEqual([]);
});

test("paths that name no course make a bounded number of courses and chapters; real ones always count", async () => {
  const learner = await server.signedIn();
  for (const n of times(11)) {
    await Promise.all(times(10).map((m) => track(learner, "Learning", `/player/none-${n}-${m}`, 1)));
    await Promise.all(times(10).map((m) => track(learner, "Quiz", `/quiz/no-course/ch-${n}-${m}`, 1)));
  }
  const course = await buildCourse(server, { courseContent: buildChapters(2, 1) });
  await track(learner, "Learning", `/player/${course._id}`, 500);
  await track(learner, "Quiz", `/quiz/${course._id}/ch2`, 500);
  const { courseBreakdown, totalDuration } = await analytics(learner);
  expect(totalDuration).toBe(1_220);
  expect(courseBreakdown).toHaveLength(100 + 1 + 1);
  expect(courseBreakdown[0]).toMatchObject({
    courseId: String(course._id),
    learningSessions: 1,
    totalQuizDuration: 500,
  });
  const unknown = courseBreakdown.find(({ courseId }: { courseId: string }) => courseId === "no-course");
  expect(unknown.chapters).toHaveLength(100);
  expect(await timeDiscrepancies(server.deps.db, learner.id)).toEqual([]);
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
