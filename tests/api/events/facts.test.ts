import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { applicant, apply, decide } from "../../factories/applications.js";
import { courseData, courseForm } from "../../factories/course-forms.js";
import { deliverIdentity, signUp, userData } from "../../factories/identity-events.js";
import { finishErasure } from "../../privacy/learner-everywhere.js";
import { runJob } from "../../server/run-job.js";
import { startTestServer } from "../../server/test-server.js";
import { examRoom, submit } from "../assessments/exam-room.js";
import { attempt, classroom, complete } from "../learners/classroom.js";
import { eventLog } from "./event-log.js";

const server = await startTestServer({ own: "lets the AI fail, which other files would notice" });
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
    ["certificate.issued", { certificateId, ...pair, pathId: null, pdfUrl, edition: 1, expiresAt: null }],
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

test("a rating is told when it or its text is written and when it changes", async () => {
  const room = await classroom(server);
  const learner = await room.learner();
  const data = { courseId: room.courseId, userId: learner.id };
  const rate = (rating: number, on = server, review?: string) =>
    on.post("/api/user/add-rating", { courseId: room.courseId, rating, review }, learner.token);
  await Promise.all([rate(4), rate(4, instance), rate(4)]);
  await rate(4);
  await rate(5);
  for (const review of ["Good", "Good", "Better", "", ""]) await rate(5, server, review);
  await server.deps.db.CourseRating.updateOne({ userId: learner.id }, { hiddenAt: new Date() });
  await rate(5, server, "Hidden");
  expect(await log.told()).toEqual([
    ["review.written", { ...data, rating: 4 }],
    ["review.written", { ...data, rating: 5 }],
    ["review.written", { ...data, rating: 5 }],
  ]);
});

test("a course is told with its version: stored as published, changed, withdrawn and published", async () => {
  const { token } = await server.signedIn("educator");
  const headers = { "idempotency-key": randomUUID() };
  const add = async (fields: Record<string, unknown>) =>
    (await server.call("POST", "/api/educator/add-course", { token, body: courseForm(courseData(fields)), headers }))
      .body.courseId as string;
  const courseId = await add({});
  expect(await log.told({ courses: true })).toEqual([["course.published", { courseId, version: 1 }]]);
  const edit = (body: object, on = server) => on.patch(`/api/educator/courses/${courseId}`, body, token);
  const publish = (isPublished: boolean) =>
    server.patch(`/api/educator/courses/${courseId}/publish`, { isPublished }, token);
  const title = { version: 1, courseTitle: "Another" };
  const answers = await Promise.all([edit(title), edit(title, instance), edit(title)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(await log.told({ courses: true })).toEqual([["course.changed", { courseId, version: 2 }]]);
  await publish(false);
  await publish(false);
  await publish(true);
  await edit({ version: 5, isPublished: false });
  expect(await log.told({ courses: true })).toEqual([
    ["course.unpublished", { courseId, version: 3 }],
    ["course.changed", { courseId, version: 4 }],
    ["course.published", { courseId, version: 5 }],
    ["course.changed", { courseId, version: 6 }],
    ["course.unpublished", { courseId, version: 6 }],
  ]);
});

test("a user and a decision about an application are told once, although they come twice", async () => {
  const userId = `user_${randomUUID()}`;
  const event = userData(userId, "twice@mail.example");
  await Promise.all([deliverIdentity(server, event), deliverIdentity(instance, event)]);
  await deliverIdentity(server, { ...event, updated_at: Date.now() + 5_000 }, "user.updated");
  expect(await log.told()).toEqual([["user.created", { userId }]]);
  const [good, bad] = [await applicant(server), await applicant(server)];
  const [yes, no] = [await apply(server, good), await apply(server, bad)];
  await Promise.all([decide(server, admin, yes, "approve"), decide(instance, admin, yes, "approve")]);
  const reject = (on = server) => decide(on, admin, no, "reject", { reason: "Not yet" });
  await Promise.all([reject(), reject(instance)]);
  expect(await log.told()).toEqual([
    ["application.decided", { userId: good.id, status: "approved" }],
    ["application.decided", { userId: bad.id, status: "rejected" }],
  ]);
});

test("an erasure removes the events that name the user, and leaves the end of access and the erasure", async () => {
  const room = await classroom(server);
  const learner = await signUp(server, `${randomUUID()}@mail.example`);
  const { courseId } = room;
  const other = await room.learner();
  await complete(server, other, courseId, "ch1-l1");
  await log.next();
  const grant = { courseId, userId: learner.id, reason: "x" };
  const { enrollment } = (await server.post("/api/admin/enrollments", grant, admin.token)).body;
  await complete(server, learner, courseId, "ch1-l1");
  await attempt(server, learner, courseId, 3);
  await server.post("/api/user/add-rating", { courseId, rating: 3 }, learner.token);
  expect(await log.next()).toHaveLength(4);
  const confirm = { token: learner.token, body: { confirm: learner.id } };
  expect(await server.call("DELETE", "/api/user/data", confirm)).toMatchObject({ status: 200 });
  const run = (on = server) => runJob(on, "erase-user-data");
  await Promise.all([run(), run(instance)]);
  await finishErasure(server, learner.id);
  const access = { enrollmentId: enrollment._id, userId: learner.id, courseId, kind: "grant" };
  expect(await log.told()).toEqual([
    ["enrollment.ended", { ...access, reason: "erased" }],
    ["user.erased", { userId: learner.id }],
  ]);
  const all = await (await eventLog(server, admin)).next();
  expect(all.filter(({ data }) => data.userId === learner.id)).toHaveLength(2);
  expect(all.filter(({ data }) => data.userId === other.id)).toHaveLength(1);
});
