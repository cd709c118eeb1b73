import { expect, test } from "vitest";
import { csvForm } from "../../factories/csv-form.js";
import { deliverIdentity, userData } from "../../factories/identity-events.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";
import { attempt, classroom, complete, wrongFigures } from "./classroom.js";

/* Whoever enrolls starts with what they did before. */

const server = await startTestServer({ own: "recounts all learners" });
const { db } = server.deps;

type Room = Awaited<ReturnType<typeof classroom>>;

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
