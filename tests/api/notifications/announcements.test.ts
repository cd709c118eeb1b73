import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { makeDueNotices, notificationsOf } from "../../factories/notices.js";
import { buildWebhook, deliver, happen, userCreated } from "../../factories/webhooks.js";
import { dieInWork } from "../../server/dying-instance.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";
import { startEndpoint } from "../../server/webhook-endpoint.js";

const server = await startTestServer({ own: "makes the notices of all rows" });
const { db } = server.deps;
const admin = await server.signedIn("admin");
const educator = await server.signedIn("educator");

const announce = ({ token }: SignedIn, courseId: unknown, body: object = { title: "Hello", body: "**All** of you" }) =>
  server.post(`/api/educator/courses/${courseId}/announcements`, body, token);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const give = (courseId: unknown, userId: string, expiresAt?: string) =>
  server.post("/api/admin/enrollments", { courseId, userId, reason: "A prize", expiresAt }, admin.token);
const typesOf = async (user: SignedIn): Promise<string[]> =>
  (await notificationsOf(server, user)).notifications.map(({ type }: { type: string }) => type);

test("an announcement reaches the active learners of its course, and not its author or who comes later", async () => {
  const [learner, former, later] = [await server.signedIn(), await server.signedIn(), await server.signedIn()];
  const course = await buildCourse(server, { educatorId: educator.id });
  for (const { id } of [learner, educator, former]) await enroll(server, id, course._id);
  await db.Enrollment.updateOne({ userId: former.id }, { expiresAt: new Date() });
  const { body } = await announce(educator, course._id);
  expect(body).toEqual({ success: true, announcement: { _id: expect.any(String), recipients: 2 } });
  await enroll(server, later.id, course._id);
  await makeDueNotices(server);
  expect((await notificationsOf(server, learner)).notifications).toMatchObject([
    {
      ...{ type: "announcement", title: `${course.courseTitle}: Hello`, body: "**All** of you" },
      link: expect.stringContaining(String(course._id)),
    },
  ]);
  for (const user of [educator, former, later]) expect(await typesOf(user)).not.toContain("announcement");
});

test("a course has five announcements a day, under any race; others are refused", async () => {
  const course = await buildCourse(server, { educatorId: educator.id });
  const answers = await Promise.all(Array.from({ length: 8 }, () => announce(educator, course._id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const over = answers.filter(({ status }) => status !== 200);
  for (const answer of over) expect(answer).toMatchObject(refusal(429, "Too many announcements"));
  expect(await announce(await server.signedIn("educator"), course._id)).toMatchObject(refusal(403, "Not authorized"));
  expect(await announce(educator, "665f1c2ab7e4d90012ab34cd")).toMatchObject(refusal(404, "Course not found"));
  for (const bad of [
    { title: " ", body: "x" },
    { title: "x".repeat(201), body: "x" },
    { title: "x", body: "x".repeat(5_001) },
  ]) {
    expect(await announce(educator, course._id, bad)).toMatchObject(refusal(400, "Invalid request data"));
  }
});

test("an educator has ten announcements a day over all courses, under any race", async () => {
  const own = await server.signedIn("educator");
  const courses = await Promise.all([1, 2, 3].map(() => buildCourse(server, { educatorId: own.id })));
  const another = await server.another();
  const announceOn = (on: number, courseId: unknown) =>
    (on ? another : server).post(
      `/api/educator/courses/${courseId}/announcements`,
      { title: "x", body: "x" },
      own.token,
    );
  const answers = [];
  for (const courseId of courses.map(({ _id }) => _id))
    answers.push(...[0, 1, 0, 1].map((on) => announceOn(on, courseId)));
  const statuses = (await Promise.all(answers)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  expect(await announce(own, courses[0]?._id)).toMatchObject(refusal(429, "Too many announcements"));
});

test("each learner gets one notice, wherever the job dies", async () => {
  const course = await buildCourse(server, { educatorId: educator.id });
  const at = new Date();
  const learners = Array.from({ length: 60 }, (_, n) => `learner ${n} of ${course._id}`);
  const row = { courseId: course._id, active: true, enrolledAt: at, purchasedAt: at };
  await db.Enrollment.insertMany(learners.map((userId) => ({ ...row, userId })));
  await announce(educator, course._id);
  for (let writes = 0; ; writes += 1) {
    if (!(await dieInWork(server, writes, (own) => runJob({ deps: { ...server.deps, db: own } }, "make-notices"))))
      break;
  }
  await makeDueNotices(server);
  const made = await db.Notice.find({ userId: { $in: learners } }, { userId: 1, seq: 1 }).lean();
  expect(new Set(made.map(({ userId }) => userId)).size).toBe(learners.length);
  expect(made).toHaveLength(learners.length);
  expect(await db.Mail.countDocuments({ userId: { $in: learners } })).toBe(learners.length);
  expect(await db.Inbox.countDocuments({ _id: { $in: learners }, unread: 1 })).toBe(learners.length);
}, 60_000);

test("the learners of one educator wait for one batch of another's announcement", async () => {
  const at = new Date();
  const write = async (author: SignedIn, learners: readonly string[]) => {
    const { _id: courseId } = await buildCourse(server, { educatorId: author.id });
    const row = { courseId, active: true, enrolledAt: at, purchasedAt: at };
    await db.Enrollment.insertMany(learners.map((userId) => ({ ...row, userId })));
    await announce(author, courseId);
  };
  const many = Array.from({ length: 160 }, (_, n) => `many ${n}`);
  await write(educator, many);
  await write(await server.signedIn("educator"), ["single"]);
  await makeDueNotices(server);
  const { seq } = await db.Notice.findOne({ userId: "single" }).orFail().lean();
  expect(await db.Notice.countDocuments({ userId: { $in: many }, seq: { $lt: seq } })).toBeLessThanOrEqual(50);
  expect(await db.Mail.countDocuments({ userId: { $in: many }, ownerId: educator.id })).toBe(160);
});

test("a learner is told of an end within three days once a day and course, and of none without access", async () => {
  const learner = await server.signedIn();
  const ending = async (...ends: (string | undefined)[]) => {
    const course = await buildCourse(server);
    for (const end of ends) {
      const { body } = await give(String(course._id), learner.id, end);
      await makeDueNotices(server);
      await server.delete(`/api/admin/enrollments/${body.enrollment._id}`, admin.token);
    }
    const of = { userId: learner.id, link: new RegExp(String(course._id)) };
    return db.Notice.countDocuments(of);
  };
  expect(await ending(inDays(2))).toBe(1);
  expect(await ending(inDays(2), inDays(1), inDays(2.5))).toBe(1);
  expect(await ending(inDays(4))).toBe(0);
  expect(await ending(undefined)).toBe(0);
  const course = await buildCourse(server);
  await give(String(course._id), learner.id, inDays(4));
  const due = await db.Enrollment.findOne({ courseId: course._id }).orFail().lean();
  expect(due.noticeDueAt?.getTime()).toBe((due.expiresAt?.getTime() ?? 0) - 3 * 86_400_000);
  await db.Enrollment.updateOne({ _id: due._id }, { active: false, noticeDueAt: new Date() });
  await makeDueNotices(server);
  expect(new Set(await typesOf(learner))).toEqual(new Set(["access_ends_soon"]));
  expect(await db.Notice.countDocuments({ userId: learner.id, link: new RegExp(String(course._id)) })).toBe(0);
});

test("the owner of a webhook that the server disables is told", async () => {
  const endpoint = await startEndpoint(410);
  await buildWebhook(server, admin, { url: endpoint.url });
  await happen(server, userCreated("somebody"));
  await deliver(server);
  await makeDueNotices(server);
  expect((await notificationsOf(server, admin)).notifications).toMatchObject([
    { type: "webhook_disabled", body: expect.stringContaining("410 Gone"), link: null },
  ]);
});
