import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import type { Chapter } from "../../../src/models/courses/course.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "runs jobs over all rows" });
const { Course, CourseProgress, Certificate } = server.deps.db;

const bothLectures = ["ch1-l1", "ch1-l2"];

/** A course of three lectures, and a learner who has completed the first two. */
async function courseWithLearners(learners = 1) {
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id, courseContent: buildChapters(1, 3) });
  const courseId = String(course._id);
  const signedIn = await Promise.all(Array.from({ length: learners }, () => server.signedIn()));
  for (const learner of signedIn) {
    await enroll(server, learner.id, course._id);
    for (const lectureId of bothLectures) {
      const body = { courseId, lectureId };
      expect((await server.post("/api/user/update-course-progress", body, learner.token)).status).toBe(200);
    }
  }
  return { educator, course, courseId, learners: signedIn };
}

type Scene = Awaited<ReturnType<typeof courseWithLearners>>;

/** Keeps these lectures of the course alone. */
async function keepLectures({ educator, course, courseId }: Scene, lectureIds: readonly string[]): Promise<void> {
  const courseContent = course.courseContent.map((chapter: Chapter) => ({
    ...chapter,
    chapterContent: chapter.chapterContent.filter(({ lectureId }) => lectureIds.includes(lectureId)),
  }));
  const { version } = await Course.findById(courseId, { version: 1 }).orFail().lean();
  const body = { courseContent, version };
  const { status } = await server.patch(`/api/educator/courses/${courseId}`, body, educator.token);
  expect(status).toBe(200);
}

const check = async ({ courseId }: Scene, { token }: SignedIn) =>
  (await server.get(`/api/user/certificate/check/${courseId}`, token)).body;

const job = backgroundJobs(server.deps).find(({ name }) => name === "complete-courses");
const runJob = (signal = new AbortController().signal) => job?.run(signal);

/** Runs the job as it runs when the wait after the edit is over. */
async function runWhenDue(scene: Scene, signal?: AbortSignal): Promise<void> {
  await makeDue(scene);
  await runJob(signal);
}

const makeDue = ({ courseId }: Scene) =>
  Course.updateOne({ _id: courseId }, { completionsDueAt: new Date(1) }, { timestamps: false });

const completed = ({ courseId }: Scene) => CourseProgress.countDocuments({ courseId, completed: true });

test("a learner whose last open lecture is removed has completed the course at the next certificate check", async () => {
  const scene = await courseWithLearners();
  const [learner] = scene.learners as [SignedIn];
  expect(await check(scene, learner)).toMatchObject({ eligible: false, certificateExists: false });
  await keepLectures(scene, bothLectures);
  expect(await check(scene, learner)).toMatchObject({ eligible: true, certificateExists: false });
  const path = `/api/user/certificate/generate/${scene.courseId}`;
  expect(await server.post(path, {}, learner.token)).toMatchObject({ status: 200, body: { created: true } });
});

test("the job completes the course for such learners, and for no others", async () => {
  const scene = await courseWithLearners(3);
  const [first, behind, ended] = scene.learners as [SignedIn, SignedIn, SignedIn];
  const { courseId } = scene;
  await CourseProgress.updateOne({ courseId, userId: behind.id }, { lectureCompleted: ["ch1-l1"] });
  await server.deps.db.Enrollment.updateOne({ courseId, userId: ended.id }, { active: false });
  await keepLectures(scene, bothLectures);
  await runWhenDue(scene);
  expect(await completed(scene)).toBe(1);
  const progress = await CourseProgress.findOne({ courseId, userId: first.id }).orFail().lean();
  expect(progress).toMatchObject({ completed: true });
  expect(await Certificate.find({ courseId }).lean()).toMatchObject([
    { userId: first.id, studentName: first.name, status: "pending", completionDate: progress.completedAt },
  ]);
  expect((await Course.findById(courseId).orFail().lean()).completionsDueAt).toBeUndefined();
});

test("the job waits until progress calls that know the former lectures have ended", async () => {
  const scene = await courseWithLearners();
  await keepLectures(scene, bothLectures);
  const { completionsDueAt } = await Course.findById(scene.courseId).orFail().lean();
  expect(completionsDueAt?.getTime()).toBeGreaterThan(Date.now() + 20_000);
  expect(completionsDueAt?.getTime()).toBeLessThan(Date.now() + 120_000);
  await runJob();
  expect(await completed(scene)).toBe(0);
});

test("an edit during the job is looked at again", async () => {
  const scene = await courseWithLearners();
  await keepLectures(scene, bothLectures);
  await makeDue(scene);
  await Promise.all([runJob(), keepLectures(scene, ["ch1-l1"])]);
  const { completionsDueAt } = await Course.findById(scene.courseId).orFail().lean();
  expect(completionsDueAt?.getTime()).toBeGreaterThan(Date.now());
});

test("an edit that removes no lecture, or every lecture, completes the course for nobody", async () => {
  const kept = await courseWithLearners();
  await keepLectures(kept, ["ch1-l1", "ch1-l2", "ch1-l3"]);
  expect((await Course.findById(kept.courseId).orFail().lean()).completionsDueAt).toBeUndefined();
  const emptied = await courseWithLearners();
  await keepLectures(emptied, []);
  await runWhenDue(emptied);
  expect(await completed(emptied)).toBe(0);
  expect(await check(emptied, emptied.learners[0] as SignedIn)).toMatchObject({ eligible: false });
});

/** Enrolls so many more learners who have completed these lectures. */
async function enrollMany({ course: { _id: courseId } }: Scene, count: number, lectureCompleted: string[]) {
  const userIds = Array.from({ length: count }, () => `user_${randomUUID()}`);
  const enrolled = { courseId, active: true, enrolledAt: new Date() };
  await CourseProgress.insertMany(userIds.map((userId) => ({ userId, courseId, lectureCompleted })));
  await server.deps.db.Enrollment.insertMany(userIds.map((userId) => ({ ...enrolled, userId })));
}

test("several batches of learners are completed, also by a run after one that was cut short", async () => {
  const scene = await courseWithLearners(0);
  const { courseId } = scene;
  for (const [count, lectures] of [
    [40, bothLectures],
    [170, ["ch1-l1"]],
    [20, bothLectures],
  ] as const)
    await enrollMany(scene, count, [...lectures]);
  await keepLectures(scene, bothLectures);
  const stop = new AbortController();
  const run = runWhenDue(scene, stop.signal);
  await expect.poll(() => completed(scene), { interval: 20 }).toBeGreaterThan(0);
  stop.abort();
  await run;
  expect(await completed(scene)).toBeLessThan(60);
  await runJob();
  expect(await completed(scene)).toBe(60);
  expect(await Certificate.countDocuments({ courseId })).toBe(60);
});

test("a lecture that is put back while the job runs completes nobody from then on", async () => {
  const scene = await courseWithLearners(0);
  await enrollMany(scene, 60, bothLectures);
  await keepLectures(scene, bothLectures);
  const run = runWhenDue(scene);
  await expect.poll(() => completed(scene), { interval: 20 }).toBeGreaterThan(0);
  await keepLectures(scene, ["ch1-l1", "ch1-l2", "ch1-l3"]);
  const putBackAt = new Date();
  await run;
  const late = { courseId: scene.courseId, completed: true, completedAt: { $gt: putBackAt } };
  expect(await CourseProgress.countDocuments(late)).toBe(0);
});
