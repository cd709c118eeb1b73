import { expect, test } from "vitest";
import { commandsDuring, effortOf } from "../../assertions/commands.js";
import { refusal } from "../../assertions/refusal.js";
import { rules } from "../../factories/assessments.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";
import { complete, wrongFigures } from "../learners/classroom.js";
import { examRoom, runJob, submit } from "./exam-room.js";

const server = await startTestServer({ own: "runs jobs over all rows" });
const { db } = server.deps;

const bank = "/api/educator/questions";
const required = { ...rules, requiredForCompletion: true };

type Room = Awaited<ReturnType<typeof examRoom>>;

const study = async (learner: SignedIn, courseId: string) => {
  let last: unknown;
  for (const lecture of ["ch1-l1", "ch2-l1"]) last = (await complete(server, learner, courseId, lecture)).body;
  return last as { isCourseCompleted: boolean; certificateAvailable: boolean };
};
async function take(room: Room, learner: SignedIn, id: string, answer: boolean, chapterId?: string) {
  const { attempt } = (await room.start(learner, chapterId)).body;
  return (await submit(server, learner, attempt._id, { [id]: answer })).body.result;
}
const certificate = (learner: SignedIn) => db.Certificate.findOne({ userId: learner.id }).lean();
const stateOf = async (room: Room, learner: SignedIn) =>
  (await server.get(`/api/educator/courses/${room.courseId}/learners/${learner.id}`, room.educator.token)).body.learner;
const completeDue = async (room: Room) => {
  await db.Course.updateOne({ _id: room.courseId }, { completionsDueAt: new Date(1) });
  return runJob(server, "complete-courses");
};

test("the course completes with the last required assessment", async () => {
  const room = await examRoom(server);
  const [first, second] = [
    await room.assess({ requiredForCompletion: true, passPercent: 100 }),
    await room.assess({ requiredForCompletion: true }, "ch2"),
  ];
  const learner = await room.learner();
  expect(await study(learner, room.courseId)).toMatchObject({ isCourseCompleted: false, certificateAvailable: false });
  const check = async () => (await server.get(`/api/user/certificate/check/${room.courseId}`, learner.token)).body;
  const generate = () => server.post(`/api/user/certificate/generate/${room.courseId}`, {}, learner.token);
  expect(await take(room, learner, first, false)).toMatchObject({ passed: false });
  expect(await take(room, learner, second, true, "ch2")).toMatchObject({ passed: true });
  expect(await check()).toMatchObject({ eligible: false });
  expect(await generate()).toMatchObject(refusal(404, "Certificate not available yet"));
  expect(await completeDue(room)).toBeUndefined();
  expect(await stateOf(room, learner)).toMatchObject({ percent: 100, state: "active", completedAt: null });
  expect(await take(room, learner, first, true)).toMatchObject({ passed: true });
  expect(await certificate(learner)).toMatchObject({ status: "pending" });
  expect(await check()).toMatchObject({ eligible: true });
  expect(await stateOf(room, learner)).toMatchObject({ state: "completed", completedAt: expect.any(String) });
  const progress = await db.CourseProgress.findOne({ userId: learner.id }).orFail().lean();
  expect(progress).toMatchObject({ completed: true });
  expect(progress.completedAt).toEqual((await certificate(learner))?.completionDate);
  expect(await generate()).toMatchObject({ status: 200, body: { created: true } });
  // Another attempt changes nothing.
  expect(await take(room, learner, first, false)).toMatchObject({ passed: false });
  expect(await stateOf(room, learner)).toMatchObject({ state: "completed" });
  expect(await wrongFigures(server)).toEqual([]);
});

test("the last lecture completes the course after the assessment was passed", async () => {
  const room = await examRoom(server);
  const id = await room.assess({ requiredForCompletion: true });
  const learner = await room.learner();
  expect(await take(room, learner, id, true)).toMatchObject({ passed: true });
  expect(await certificate(learner)).toBeNull();
  expect(await study(learner, room.courseId)).toMatchObject({ isCourseCompleted: true, certificateAvailable: true });
});

test("an assessment that is not required holds nothing up, and completes nothing", async () => {
  const room = await examRoom(server);
  const id = await room.assess();
  const [one, two] = [await room.learner(), await room.learner()];
  expect(await study(one, room.courseId)).toMatchObject({ isCourseCompleted: true });
  expect(await take(room, two, id, true)).toMatchObject({ passed: true });
  expect(await certificate(two)).toBeNull();
});

type Change = (room: Room, questionIds: string[]) => Promise<{ status: number }>;

test.each<[string, Change, object?]>([
  ["is removed", (room) => room.remove()],
  ["is no longer required", (room, questionIds) => room.put({ ...rules, questionIds })],
  ["asks for less", (room, questionIds) => room.put({ ...required, questionIds, passPercent: 0 })],
  ["loses the questions that it names", ({ educator }, [id]) => server.delete(`${bank}/${id}`, educator.token)],
  [
    "loses the questions that it draws",
    ({ educator }, [id]) => server.patch(`${bank}/${id}`, { tags: [] }, educator.token),
    { draw: [{ tag: "t", count: 1 }] },
  ],
])("a job completes the course for learners when the assessment %s", async (name, change, draw) => {
  const room = await examRoom(server);
  const { _id } = await room.addStatement({ tags: ["t"] });
  await room.put({ ...required, ...(draw ?? { questionIds: [_id] }) });
  const [tried, ended, late] = [await room.learner(), await room.learner(), await room.learner()];
  for (const learner of [tried, ended]) {
    await study(learner, room.courseId);
    await take(room, learner, _id, false);
  }
  await db.Enrollment.updateOne({ userId: ended.id }, { active: false });
  expect((await change(room, [_id])).status).toBe(200);
  const { completionsDueAt } = await db.Course.findById(room.courseId).orFail().lean();
  expect(completionsDueAt?.getTime()).toBeGreaterThan(Date.now());
  expect(await completeDue(room)).toBe("1 courses of learners completed");
  expect(await certificate(tried)).not.toBeNull();
  expect(await certificate(ended)).toBeNull();
  if (!name.startsWith("asks")) expect(await study(late, room.courseId)).toMatchObject({ isCourseCompleted: true });
});

test("a stricter assessment makes no work, and does not undo a completion", async () => {
  const room = await examRoom(server);
  const learner = await room.learner();
  await study(learner, room.courseId);
  const id = await room.assess({ requiredForCompletion: true });
  await room.put({ ...rules, questionIds: [id], requiredForCompletion: true, passPercent: 100 });
  expect((await db.Course.findById(room.courseId).orFail().lean()).completionsDueAt).toBeUndefined();
  expect(await stateOf(room, learner)).toMatchObject({ state: "completed" });
});

/** An assessment of two statements, of which a learner's attempt answers one. */
async function twoStatements() {
  const room = await examRoom(server);
  const questionIds = [(await room.addStatement())._id, (await room.addStatement())._id];
  const learner = await room.learner();
  return {
    ...{ room, learner },
    assess: (passPercent: number) => room.put({ ...required, questionIds, passPercent }),
    start: async () => (await room.start(learner)).body.attempt._id as string,
    half: async (attemptId: string) =>
      (await submit(server, learner, attemptId, { [questionIds[0] ?? ""]: true })).body.result,
  };
}

test("who has passed stays passed when more is asked for", async () => {
  const { room, learner, assess, start, half } = await twoStatements();
  await assess(50);
  expect(await half(await start())).toMatchObject({ percent: 50 });
  await assess(80);
  expect(await room.view(learner)).toMatchObject({ bestPercent: 50, passed: true });
  expect(await study(learner, room.courseId)).toMatchObject({ isCourseCompleted: true });
});

test("an attempt that began when more was asked for completes the course once it is enough", async () => {
  const { room, learner, assess, start, half } = await twoStatements();
  await assess(100);
  await study(learner, room.courseId);
  const attemptId = await start();
  await assess(50);
  await completeDue(room);
  await half(attemptId);
  expect(await room.view(learner)).toMatchObject({ bestPercent: 50, passed: true });
  expect(await stateOf(room, learner)).toMatchObject({ state: "completed" });
});

test("a learner whose access has ended completes nothing", async () => {
  const room = await examRoom(server);
  const id = await room.assess({ requiredForCompletion: true });
  const learner = await room.learner();
  await study(learner, room.courseId);
  const { attempt } = (await room.start(learner)).body;
  await db.Enrollment.updateOne({ userId: learner.id }, { expiresAt: new Date(Date.now() - 1) });
  expect((await submit(server, learner, attempt._id, { [id]: true })).body.result).toMatchObject({ passed: true });
  expect(await certificate(learner)).toBeNull();
  const figures = await db.Enrollment.findOne({ userId: learner.id }).lean();
  expect(figures).toMatchObject({ phase: "begun", courseCompletedAt: null, quizAttempts: 1 });
});

test("the last lecture and the last assessment at once complete the course once", async () => {
  const other = await server.another();
  for (let round = 0; round < 3; round += 1) {
    const room = await examRoom(server);
    const id = await room.assess({ requiredForCompletion: true });
    const learner = await room.learner();
    await complete(server, learner, room.courseId, "ch1-l1");
    const { attempt } = (await room.start(learner)).body;
    await Promise.all([
      complete(other, learner, room.courseId, "ch2-l1"),
      submit(server, learner, attempt._id, { [id]: true }),
    ]);
    expect(await db.CourseProgress.findOne({ userId: learner.id }).lean()).toMatchObject({ completed: true });
    expect(await db.Certificate.countDocuments({ userId: learner.id })).toBe(1);
    expect(await stateOf(room, learner)).toMatchObject({ state: "completed" });
  }
});

test("a submit that completes the course sends ten commands at most", async () => {
  const room = await examRoom(server);
  const id = await room.assess({ requiredForCompletion: true });
  const other = await room.assess({ requiredForCompletion: true }, "ch2");
  const learner = await room.learner();
  await study(learner, room.courseId);
  // With another required assessment, the submit looks whether that was passed.
  await take(room, learner, other, true, "ch2");
  const { attempt } = (await room.start(learner)).body;
  const sent = await commandsDuring(server, async () => {
    expect((await submit(server, learner, attempt._id, { [id]: true })).body.result).toMatchObject({ passed: true });
  });
  const { name } = await db.User.findById(learner.id).orFail().lean();
  expect(await certificate(learner)).toMatchObject({ studentName: name });
  const { commands } = await effortOf(server, sent);
  expect(commands.length, commands.join(", ")).toBeLessThanOrEqual(10);
});

test("after a renewal, former attempts neither pass nor take attempts away, not even one that is still open", async () => {
  const room = await examRoom(server, { chapters: 1 });
  const id = await room.assess({ requiredForCompletion: true, maxAttempts: 2 });
  const learner = await room.learner();
  await complete(server, learner, room.courseId, "ch1-l1");
  expect(await take(room, learner, id, true)).toMatchObject({ passed: true });
  const generated = await server.post(`/api/user/certificate/generate/${room.courseId}`, {}, learner.token);
  expect(generated.status).toBe(200);
  const { attempt: open } = (await room.start(learner)).body;
  expect(await room.start(learner)).toMatchObject({ status: 200, body: { attempt: { _id: open._id } } });
  const { certificateId = "none" } = (await certificate(learner)) ?? {};
  await db.Certificate.updateOne({ certificateId }, { expiresAt: new Date() });
  const renewed = await server.post(`/api/user/certificates/${certificateId}/renew`, {}, learner.token);
  expect(renewed.status).toBe(200);
  expect((await complete(server, learner, room.courseId, "ch1-l1")).body).toMatchObject({ isCourseCompleted: false });
  expect(await room.view(learner)).toMatchObject({ attemptsUsed: 0, passed: false, bestPercent: null });
  expect((await submit(server, learner, open._id, { [id]: true })).status).toBe(200);
  expect(await room.view(learner)).toMatchObject({ attemptsUsed: 0, passed: false });
  expect(await take(room, learner, id, false)).toMatchObject({ passed: false });
  expect(await room.view(learner)).toMatchObject({ attemptsUsed: 1 });
  expect(await db.Certificate.countDocuments({ userId: learner.id })).toBe(1);
  expect(await take(room, learner, id, true)).toMatchObject({ passed: true });
  expect(await room.start(learner)).toMatchObject(refusal(409, "No attempts left"));
  expect(await db.Certificate.countDocuments({ userId: learner.id })).toBe(2);
});
