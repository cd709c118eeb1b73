import { beforeEach, expect, test } from "vitest";
import { startTestServer } from "../../server/test-server.js";
import { examRoom, submit } from "../assessments/exam-room.js";
import { attempt, classroom, complete } from "../learners/classroom.js";
import { eventLog } from "./event-log.js";

const server = await startTestServer();
const [instance, admin] = [await server.another(), await server.signedIn("admin")];
const log = await eventLog(server, admin);

beforeEach(() => log.next());

test("a lecture, the course and the certificate are told once, although calls repeat on two instances", async () => {
  const room = await classroom(server);
  const learner = await room.learner();
  const { courseId } = room;
  const pair = { userId: learner.id, courseId };
  const finish = (lectureId: string, on = server) => complete(on, learner, courseId, lectureId);
  await Promise.all([finish("ch1-l1"), finish("ch1-l1", instance), finish("ch1-l1")]);
  await finish("ch1-l1");
  expect(await log.told()).toEqual([["lecture.completed", { ...pair, lectureId: "ch1-l1" }]]);
  for (const lectureId of ["ch1-l2", "ch2-l1"]) await finish(lectureId);
  await log.next();
  await Promise.all([finish("ch2-l2"), finish("ch2-l2", instance)]);
  await finish("ch2-l2");
  const generate = (on = server) => on.post(`/api/user/certificate/generate/${courseId}`, {}, learner.token);
  await Promise.all([generate(), generate(instance), generate()]);
  const { pdfUrl } = (await generate()).body;
  const { certificateId } = await server.deps.db.Certificate.findOne({ userId: learner.id }).orFail().lean();
  expect(await log.told()).toEqual([
    ["lecture.completed", { ...pair, lectureId: "ch2-l2" }],
    ["course.completed", pair],
    ["certificate.issued", { certificateId, ...pair, pdfUrl }],
  ]);
  // A reset is no event. What was told before it is not told again, but the course is completed anew.
  const reset = room.path(`learners/${learner.id}/reset`);
  await server.post(reset, { reason: "Takes it again" }, room.educator.token);
  for (const lectureId of ["ch1-l1", "ch1-l2", "ch2-l1", "ch2-l2"]) await finish(lectureId);
  await generate();
  expect(await log.told()).toEqual([["course.completed", pair]]);
});

test("each attempt at a quiz is told, and a submitted assessment once, with the course that it completes", async () => {
  const quiz = await classroom(server);
  const learner = await quiz.learner();
  for (const right of [4, 1]) await attempt(server, learner, quiz.courseId, right);
  const ofQuiz = { userId: learner.id, courseId: quiz.courseId, chapterId: "ch1" };
  expect(await log.told()).toEqual([
    ["quiz.attempted", { ...ofQuiz, percentage: 100, group: "mastered" }],
    ["quiz.attempted", { ...ofQuiz, percentage: 25, group: "needs_review" }],
  ]);

  const room = await examRoom(server);
  const question = await room.assess({ requiredForCompletion: true });
  const student = await room.learner();
  const pair = { userId: student.id, courseId: room.courseId };
  for (const lectureId of ["ch1-l1", "ch2-l1"]) await complete(server, student, room.courseId, lectureId);
  const begin = async () => (await room.start(student)).body.attempt._id;
  const failed = await begin();
  await submit(server, student, failed, { [question]: false });
  expect((await log.told()).slice(2)).toEqual([
    ["quiz.attempted", { ...pair, chapterId: "ch1", percentage: 0, group: "needs_review" }],
  ]);
  const passed = await begin();
  const send = (on = server) => submit(on, student, passed, { [question]: true });
  await Promise.all([send(), send(instance), send()]);
  await send();
  expect(await log.told()).toEqual([
    ["quiz.attempted", { ...pair, chapterId: "ch1", percentage: 100, group: "mastered" }],
    ["course.completed", pair],
  ]);
});

test("a rating is told when it is written and when it changes", async () => {
  const room = await classroom(server);
  const learner = await room.learner();
  const data = { courseId: room.courseId, userId: learner.id };
  const rate = (rating: number, on = server) =>
    on.post("/api/user/add-rating", { courseId: room.courseId, rating }, learner.token);
  await Promise.all([rate(4), rate(4, instance), rate(4)]);
  await rate(4);
  await rate(5);
  expect(await log.told()).toEqual([
    ["review.written", { ...data, rating: 4 }],
    ["review.written", { ...data, rating: 5 }],
  ]);
});
