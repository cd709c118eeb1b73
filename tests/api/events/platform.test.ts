import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { applicant, apply, decide } from "../../factories/applications.js";
import { courseData, courseForm } from "../../factories/course-forms.js";
import { deliverIdentity, userData } from "../../factories/identity-events.js";
import { startTestServer } from "../../server/test-server.js";
import { eventLog } from "./event-log.js";

const server = await startTestServer();
const [instance, admin] = [await server.another(), await server.signedIn("admin")];
const log = await eventLog(server, admin);
const typeAndData = async () => (await log.next()).map(({ type, data }) => [type, data]);

beforeEach(() => log.next());

test("a course is told with its version: stored as published, changed, withdrawn and published", async () => {
  const { token } = await server.signedIn("educator");
  const headers = { "idempotency-key": randomUUID() };
  const add = async (fields: Record<string, unknown>) =>
    (await server.call("POST", "/api/educator/add-course", { token, body: courseForm(courseData(fields)), headers }))
      .body.courseId as string;
  const courseId = await add({});
  expect(await typeAndData()).toEqual([["course.published", { courseId, version: 1 }]]);
  const edit = (body: object, on = server) => on.patch(`/api/educator/courses/${courseId}`, body, token);
  const publish = (isPublished: boolean) =>
    server.patch(`/api/educator/courses/${courseId}/publish`, { isPublished }, token);
  const title = { version: 1, courseTitle: "Another" };
  const answers = await Promise.all([edit(title), edit(title, instance), edit(title)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(await typeAndData()).toEqual([["course.changed", { courseId, version: 2 }]]);
  await publish(false);
  await publish(false);
  await publish(true);
  await edit({ version: 5, isPublished: false });
  expect(await typeAndData()).toEqual([
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
