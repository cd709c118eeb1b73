import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { eraseUserDataJob } from "../../../src/jobs/erase-user-data.js";
import { signUp } from "../../factories/identity-events.js";
import { finishErasure } from "../../privacy/learner-everywhere.js";
import { startTestServer } from "../../server/test-server.js";
import { attempt, classroom, complete } from "../learners/classroom.js";
import { eventLog } from "./event-log.js";

const server = await startTestServer();
const [instance, admin] = [await server.another(), await server.signedIn("admin")];
const log = await eventLog(server, admin);

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
  const run = (on = server) => eraseUserDataJob(on.deps).run(new AbortController().signal);
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
