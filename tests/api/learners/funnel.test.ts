import type { Types } from "mongoose";
import { expect, test } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import { addCompletedLecture } from "../../../src/models/learning/course-progress.js";
import { addLectureCompletions } from "../../../src/models/learning/lecture-completions.js";
import { countNumberedEvents } from "../../../src/services/events/count-events.js";
import { recordEvents } from "../../../src/services/events/record-event.js";
import { countCompletedLecture } from "../../../src/services/learners/learner-figures.js";
import { allDifferences } from "../../assertions/recount.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse } from "../../factories/courses.js";
import { buy, refund } from "../../factories/sales.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";
import { complete } from "./classroom.js";

const server = await startTestServer({ own: "recounts all rows" });
const { db } = server.deps;

async function room() {
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id, courseContent: buildChapters(1, 3) });
  const courseId = String(course._id);
  /** The funnel after the job has counted the lectures. */
  const funnel = async () => {
    await runJob(server, "number-events");
    return shownFunnel();
  };
  const shownFunnel = async () => {
    const { body } = await server.get(`/api/educator/courses/${courseId}/funnel`, educator.token);
    const counts = body.lectures.map(({ completed }: { completed: number }) => completed);
    return [body.enrolled, ...counts];
  };
  return { educator, course, courseId, funnel, shownFunnel };
}
const study = async (learner: SignedIn, courseId: string, ...lectures: string[]) => {
  for (const lecture of lectures) expect((await complete(server, learner, courseId, lecture)).status).toBe(200);
};
async function grant(educator: SignedIn, learner: SignedIn, courseId: string, expiresAt?: Date): Promise<string> {
  const path = `/api/educator/courses/${courseId}/enrollments`;
  const { body } = await server.post(path, { userId: learner.id, reason: "test", expiresAt }, educator.token);
  return body.enrollment._id;
}
const endExpired = () =>
  backgroundJobs(server.deps)
    .find(({ name }) => name === "end-expired-enrollments")
    ?.run(new AbortController().signal);
const expire = (userId: string, courseId: Types.ObjectId) =>
  db.Enrollment.updateOne({ userId, courseId }, { expiresAt: new Date(Date.now() - 1) });

test("counts each lecture in order, once for each learner", async () => {
  const { educator, course, courseId, funnel } = await room();
  expect(await funnel()).toEqual([0, 0, 0, 0]);
  const [one, two] = [await server.signedIn(), await server.signedIn()];
  for (const learner of [one, two]) await grant(educator, learner, courseId);
  await Promise.all([...Array(3)].map(() => complete(server, one, courseId, "ch1-l1")));
  await study(one, courseId, "ch1-l3");
  await study(two, courseId, "ch1-l1", "ch1-l1");
  expect((await funnel()).slice(1)).toEqual([2, 0, 1]);
  const { body } = await server.get(`/api/educator/courses/${courseId}/funnel`, educator.token);
  const [chapter] = course.courseContent;
  const lectures = chapter?.chapterContent.map(({ lectureId, lectureTitle }, i) => ({
    ...{ lectureId, lectureTitle, chapterTitle: chapter.chapterTitle, completed: [2, 0, 1][i] },
  }));
  expect(body).toEqual({ success: true, enrolled: 2, lectures });
  const admin = await server.signedIn("admin");
  expect((await server.get(`/api/admin/courses/${courseId}/funnel`, admin.token)).body).toEqual(body);
});

test("a sale, a refund and another sale move the counts with the learner", async () => {
  const { course, courseId, funnel } = await room();
  const learner = await server.signedIn();
  const sale = await buy(server, learner, course._id);
  await study(learner, courseId, "ch1-l1", "ch1-l2");
  expect(await funnel()).toEqual([1, 1, 1, 0]);
  await refund(server, sale);
  expect(await funnel()).toEqual([0, 0, 0, 0]);
  await buy(server, learner, course._id);
  expect(await funnel()).toEqual([1, 1, 1, 0]);
  expect(await allDifferences(db)).toEqual([]);
});

test("a grant that ends or expires, and the next one, move the counts with the learner", async () => {
  const { educator, course, courseId, funnel } = await room();
  const learner = await server.signedIn();
  const id = await grant(educator, learner, courseId);
  await study(learner, courseId, "ch1-l2");
  await server.delete(`/api/educator/courses/${courseId}/enrollments/${id}`, educator.token);
  expect(await funnel()).toEqual([0, 0, 0, 0]);
  await grant(educator, learner, courseId);
  expect(await funnel()).toEqual([1, 0, 1, 0]);
  await expire(learner.id, course._id);
  await endExpired();
  expect(await funnel()).toEqual([0, 0, 0, 0]);
});

test("lectures before and after a reset are counted once, whichever events wait", async () => {
  const { educator, courseId, funnel, shownFunnel } = await room();
  const [learner, other] = [await server.signedIn(), await server.signedIn()];
  for (const each of [learner, other]) await grant(educator, each, courseId);
  await study(other, courseId, "ch1-l1");
  await funnel();
  await study(learner, courseId, "ch1-l1", "ch1-l2");
  const path = `/api/educator/courses/${courseId}/learners/${learner.id}/reset`;
  expect((await server.post(path, { reason: "again" }, educator.token)).status).toBe(200);
  expect(await allDifferences(db)).toEqual([]);
  // Never below nobody.
  expect(await shownFunnel()).toEqual([2, 0, 0, 0]);
  await study(learner, courseId, "ch1-l2", "ch1-l3");
  expect(await allDifferences(db)).toEqual([]);
  expect(await funnel()).toEqual([2, 1, 1, 1]);
  expect(await allDifferences(db)).toEqual([]);
});

test("beside version 1.0, which counts its own lectures and numbers all events, each lecture is counted once", async () => {
  const { educator, course, courseId, funnel } = await room();
  const learner = await server.signedIn();
  await grant(educator, learner, courseId);
  await study(learner, courseId, "ch1-l1");
  const numbered = { $set: { seq: 1_000_000 }, $unset: { unnumberedSince: 1 } } as const;
  await db.Event.updateOne({ type: "lecture.completed", courseId }, numbered);
  const own = { userId: learner.id, courseId: course._id, lectureId: "ch1-l2" };
  await db.transaction(async (session) => {
    await addCompletedLecture(db, { ...own, positionSeconds: 0 }, session);
    await countCompletedLecture(db, own, { isNew: true, completedAt: null }, session);
    await addLectureCompletions(db, [{ ...own, by: 1 }], session);
    await recordEvents(db, session, [{ type: "lecture.completed", data: own }]);
  });
  expect(await funnel()).toEqual([1, 0, 1, 0]);
  // `npm run migrate` calls it when all instances have the new version.
  for (let n = 0; n < 2; n += 1) await countNumberedEvents(db);
  expect(await funnel()).toEqual([1, 1, 1, 0]);
});

test("an erased learner and their lectures are counted no more, and the sale still is", async () => {
  const { educator, course, courseId, funnel, shownFunnel } = await room();
  const learner = await server.signedIn();
  await buy(server, learner, course._id);
  await study(learner, courseId, "ch1-l1");
  const body = { confirm: learner.id };
  expect(await server.call("DELETE", "/api/user/data", { token: learner.token, body })).toMatchObject({ status: 200 });
  expect((await shownFunnel()).slice(1)).toEqual([0, 0, 0]);
  expect((await funnel()).slice(1)).toEqual([0, 0, 0]);
  const list = await server.get(`/api/educator/courses/${courseId}/learners`, educator.token);
  expect(JSON.stringify(list.body)).not.toContain(learner.id);
  expect(list.body.learners).toEqual([]);
  const { body: shown } = await server.get(`/api/educator/courses/${courseId}/funnel`, educator.token);
  expect(shown.enrolled).toBe(0);
  expect(await allDifferences(db)).toEqual([]);
});
