import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { csvForm } from "../../factories/csv-form.js";
import { deliverIdentity, userData } from "../../factories/identity-events.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer, type TestServer } from "../../server/test-server.js";
import { attempt, classroom, complete, letDaysPass, wrongFigures } from "./classroom.js";

const server = await startTestServer({ own: "recounts all learners" });
const { db } = server.deps;
const reason = "Takes the course once more";
const lectures = ["ch1-l1", "ch1-l2", "ch2-l1", "ch2-l2"];

type Room = Awaited<ReturnType<typeof classroom>>;
const reset = ({ path, educator }: Room, { id }: SignedIn, body: object = { reason }, on: TestServer = server) =>
  on.post(path(`learners/${id}/reset`), body, educator.token);

test("takes progress back to nothing, and keeps certificate, attempts and rating", async () => {
  const room = await classroom(server);
  const learner = await room.learner();
  for (const id of lectures) await complete(server, learner, room.courseId, id);
  await attempt(server, learner, room.courseId, 3);
  await server.post("/api/user/add-rating", { courseId: room.courseId, rating: 5 }, learner.token);
  const before = (await room.get(`learners/${learner.id}`)).body.learner;
  expect(before).toMatchObject({ state: "completed", percent: 100 });
  const { status, body } = await reset(room, learner);
  expect({ status, body }).toEqual({ status: 200, body: { success: true } });
  const after = (await room.get(`learners/${learner.id}`)).body.learner;
  expect(after).toMatchObject({
    ...{ state: "active", percent: 0, lecturesDone: 0, completedAt: null, bestQuizPercent: 75 },
    ...{ certificateId: before.certificateId, quizzes: before.quizzes },
  });
  expect(after.lectures.every(({ completedAt }: { completedAt: unknown }) => completedAt === null)).toBe(true);
  expect((await room.get("funnel")).body.lectures).toMatchObject(lectures.map(() => ({ completed: 0 })));
  const own = await server.post("/api/user/get-course-progress", { courseId: room.courseId }, learner.token);
  expect(own.body.progressData).toBeNull();
  expect(await db.CourseRating.countDocuments({ userId: learner.id })).toBe(1);
  const check = await server.get(`/api/user/certificate/check/${room.courseId}`, learner.token);
  expect(check.body).toMatchObject({ eligible: false, certificateExists: true });
  for (const id of lectures) await complete(server, learner, room.courseId, id);
  expect((await room.get("learners")).body.learners).toMatchObject([
    { state: "completed", certificateId: before.certificateId },
  ]);
  expect(await wrongFigures(server)).toEqual([]);
});

test("a learner who was reset has not started, unless an attempt is younger than 14 days", async () => {
  const room = await classroom(server);
  const [quiet, quizzed] = [await room.learner(), await room.learner()];
  for (const learner of [quiet, quizzed]) await complete(server, learner, room.courseId, "ch1-l1");
  await attempt(server, quizzed, room.courseId, 2);
  for (const learner of [quiet, quizzed]) await reset(room, learner);
  const states = async () => {
    const { body } = await room.get("learners");
    return body.learners.map(({ state }: { state: string }) => state);
  };
  expect(await states()).toEqual(["active", "not_started"]);
  await letDaysPass(server, quizzed.id, room.course._id, 15);
  expect(await states()).toEqual(["not_started", "not_started"]);
  expect((await room.get("learners?state=not_started")).body.learners).toHaveLength(2);
  expect((await room.get("learners?state=stalled")).body.learners).toEqual([]);
  await complete(server, quizzed, room.courseId, "ch1-l1");
  expect(await states()).toEqual(["active", "not_started"]);
});

test("is in the audit trail with its reason", async () => {
  const room = await classroom(server);
  const learner = await room.learner();
  await complete(server, learner, room.courseId, "ch1-l1");
  const path = room.path(`learners/${learner.id}/reset`, "admin");
  expect((await server.post(path, { reason }, room.admin.token)).status).toBe(200);
  const { body } = await server.get("/api/admin/audit?limit=1", room.admin.token);
  const about = { userId: learner.id, courseId: room.courseId };
  expect(body.entries).toMatchObject([
    {
      ...{ actorId: room.admin.id, action: "progress.reset", targetKind: "enrollment" },
      ...{ before: { ...about, lecturesDone: 1 }, after: { ...about, lecturesDone: 0, reason } },
    },
  ]);
});

test("a reset beside new lectures leaves figures that equal a recount", async () => {
  const room = await classroom(server);
  const learner = await room.learner();
  const other = await server.another();
  await Promise.all([
    ...lectures.slice(0, 3).map((id, i) => complete(i === 1 ? server : other, learner, room.courseId, id)),
    ...[other, server].map((instance) => reset(room, learner, { reason }, instance)),
  ]);
  expect(await wrongFigures(server)).toEqual([]);
});

test("refuses bad reasons, strangers and those who are not learners", async () => {
  const room = await classroom(server);
  const [learner, outsider] = [await room.learner(), await server.signedIn()];
  const stranger = await server.signedIn("educator");
  for (const bad of [undefined, "", "  ", 1, "x".repeat(201)]) {
    expect(await reset(room, learner, { reason: bad })).toMatchObject(refusal(400, "Invalid request data"));
  }
  expect(await reset({ ...room, educator: stranger }, learner)).toMatchObject(refusal(403, "Not authorized"));
  expect(await reset(room, outsider)).toMatchObject(refusal(404, "Learner not found"));
});

/* Whoever enrolls starts with what they did before. */

const give = async ({ path, educator }: Room, body: object) =>
  (await server.post(path("enrollments"), { reason: "A seat", ...body }, educator.token)).body.enrollment;
const end = ({ path, educator }: Room, id: string) =>
  server.call("DELETE", path(`enrollments/${id}`), { token: educator.token });

const emailOf = (userId: string) => `${userId}@mail.example`;

/** The provider verifies the address of an educator. */
async function verify(userId: string): Promise<string> {
  await deliverIdentity(server, userData(userId, emailOf(userId), { public_metadata: { role: "educator" } }));
  return emailOf(userId);
}

/** The ways in which the seat of an educator in their own course begins. */
const ways: [string, (room: Room) => Promise<unknown>][] = [
  ["a grant", (room) => give(room, { userId: room.educator.id })],
  [
    "an import",
    async (room) => {
      const email = await verify(room.educator.id);
      const body = csvForm(`email,expiresAt\n${email},\n`);
      await server.call("POST", room.path("enrollments/import"), { token: room.educator.token, body });
      await runJob(server, "import-enrollments");
    },
  ],
  [
    "an address that waited",
    async (room) => {
      await give(room, { email: emailOf(room.educator.id) });
      await verify(room.educator.id);
    },
  ],
];

test.each(ways)("an attempt before %s is in list and order", async (_way, begin) => {
  const room = await classroom(server);
  await room.learner();
  await attempt(server, room.educator, room.courseId, 3);
  await begin(room);
  for (const path of ["learners?sort=active", "learners?state=active"]) {
    const { learners } = (await room.get(path)).body;
    expect(learners[0]).toMatchObject({ userId: room.educator.id, bestQuizPercent: 75, state: "active" });
  }
  expect(await wrongFigures(server)).toEqual([]);
});

test("who comes back with nothing left to do has completed the course", async () => {
  const room = await classroom(server);
  const learner: SignedIn = await server.signedIn();
  await db.User.updateOne({ _id: learner.id }, { name: "Ada" }, { upsert: true });
  const { _id } = await give(room, { userId: learner.id });
  for (const lecture of ["ch1-l1", "ch1-l2", "ch2-l1"]) await complete(server, learner, room.courseId, lecture);
  expect((await end(room, _id)).status).toBe(200);
  await db.Course.updateOne(
    { _id: room.course._id },
    { $pull: { "courseContent.1.chapterContent": { lectureId: "ch2-l2" } } },
  );
  await give(room, { userId: learner.id });
  const completed = { state: "completed", percent: 100, completedAt: expect.any(String) };
  expect((await room.get("learners")).body.learners).toMatchObject([completed]);
  await runJob(server, "number-events");
  expect((await room.get("funnel")).body.lectures.map((lecture: { completed: number }) => lecture.completed)).toEqual([
    ...[1, 1, 1],
  ]);
  const { body } = await server.get(`/api/user/certificate/check/${room.courseId}`, learner.token);
  expect(body.eligible).toBe(true);
  expect(await db.Event.countDocuments({ type: "course.completed", "data.userId": learner.id })).toBe(1);
  expect(await wrongFigures(server)).toEqual([]);
});
