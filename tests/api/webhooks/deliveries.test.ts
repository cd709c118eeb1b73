import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterEach, expect, test, vi } from "vitest";
import { numberEvents } from "../../../src/services/events/number-events.js";
import { recordEvent, recordEvents } from "../../../src/services/events/record-event.js";
import { buildCourse } from "../../factories/courses.js";
import { deliverIdentity, signUp, userData } from "../../factories/identity-events.js";
import { buildWebhook, deliver, happen, userCreated } from "../../factories/webhooks.js";
import { identityOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";
import { type ReceivedMessage, startEndpoint } from "../../server/webhook-endpoint.js";

const server = await startTestServer({ own: "delivers all events" });
const { db } = server.deps;
const admin = await server.signedIn("admin");
afterEach(() => void vi.useRealTimers());

const deliveriesOf = async (webhookId: string, query = "") =>
  (await server.get(`/api/admin/webhooks/${webhookId}/deliveries${query}`, admin.token)).body.deliveries;
const deactivate = (_id: string) => server.patch(`/api/admin/webhooks/${_id}`, { active: false }, admin.token);

/** Verifies a message with both libraries. */
function verify({ text, headers }: ReceivedMessage, secret: string): void {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  expect(new SvixWebhook(secret).verify(text, given)).toEqual(JSON.parse(text));
  expect(new StandardWebhook(secret).verify(text, given)).toEqual(JSON.parse(text));
}

test("an event is delivered once, with a signature that two libraries verify", async () => {
  const { url, received } = await startEndpoint();
  const { _id, secret } = await buildWebhook(server, admin, { url });
  await happen(server, userCreated("user_1"));
  const event = await db.Event.findOne({ "data.userId": "user_1" }).orFail().lean();
  const [pending] = await deliveriesOf(_id);
  expect(pending).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    eventId: String(event._id),
    type: "user.created",
    state: "pending",
    attempts: 0,
    nextAttemptAt: pending.createdAt,
    lastStatus: null,
    lastError: null,
    createdAt: expect.any(String),
    deliveredAt: null,
  });
  expect(await deliver(server)).toBe(1);
  expect(await deliver(server)).toBe(0);
  expect(received).toHaveLength(1);
  const [message] = received as [ReceivedMessage];
  expect(message.body).toEqual({ type: "user.created", timestamp: event.at.toISOString(), data: { userId: "user_1" } });
  expect(message.headers).toMatchObject({ "content-type": "application/json", "webhook-id": pending._id });
  expect(Math.abs(Number(message.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(10);
  expect(message.headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  verify(message, secret);
  const delivered = { state: "delivered", attempts: 1, lastStatus: 204, nextAttemptAt: null };
  expect(await deliveriesOf(_id)).toEqual([{ ...pending, ...delivered, deliveredAt: expect.any(String) }]);
  await deactivate(_id);
});

test("for 24 hours after a rotation the old and the new secret both sign", async () => {
  const { url, received } = await startEndpoint();
  const { _id, secret: old } = await buildWebhook(server, admin, { url });
  const rotate = async () =>
    (await server.post(`/api/admin/webhooks/${_id}/rotate-secret`, {}, admin.token)).body.secret;
  const secret = await rotate();
  await happen(server, userCreated("user_2"));
  await deliver(server);
  const [both] = received as [ReceivedMessage];
  expect(String(both.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  verify(both, secret);
  verify(both, old);

  await happen(server, userCreated("user_3"));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 3_600_000 });
  await deliver(server);
  const last = received.at(-1) as ReceivedMessage;
  expect(received).toHaveLength(2);
  verify(last, secret);
  expect(() => verify(last, old)).toThrow();
  vi.useRealTimers();
  // A rotation during a rotation: the receiver may still have the first secret.
  const newest = await rotate();
  const third = await rotate();
  await happen(server, userCreated("user_4"));
  await deliver(server);
  for (const each of [secret, newest, third]) verify(received.at(-1) as ReceivedMessage, each);
  await deactivate(_id);
});

test("an educator's webhook gets events of own courses, an administrator's every event, each by its types", async () => {
  const { url, received } = await startEndpoint();
  const [educator, other] = [await server.signedIn("educator"), await server.signedIn("educator")];
  const [own, foreign] = [
    await buildCourse(server, { educatorId: educator.id }),
    await buildCourse(server, { educatorId: other.id }),
  ];
  const made = [
    await buildWebhook(server, educator, { url: `${url}/own` }, "educator"),
    await buildWebhook(server, educator, { url: `${url}/changed`, types: ["course.changed"] }, "educator"),
    await buildWebhook(server, admin, { url: `${url}/all` }),
    await buildWebhook(server, admin, { url: `${url}/users`, types: ["user.created", "user.erased"] }),
    await buildWebhook(server, admin, { url: `${url}/inactive` }),
  ];
  await deactivate(made.at(-1)?._id ?? "");
  await happen(
    server,
    { type: "course.changed", data: { courseId: own._id, version: 2 } },
    { type: "course.published", data: { courseId: own._id, version: 3 } },
    { type: "course.changed", data: { courseId: foreign._id, version: 4 } },
    userCreated("user_5"),
  );
  await deliver(server);
  const got = (path: string) =>
    received
      .filter((message) => message.path === `/hook/${path}`)
      .map(({ body }) => body.data.version ?? body.type)
      .sort();
  expect(got("own")).toEqual([2, 3]);
  expect(got("changed")).toEqual([2]);
  expect(got("all")).toEqual([2, 3, 4, "user.created"]);
  expect(got("users")).toEqual(["user.created"]);
  expect(got("inactive")).toEqual([]);
  await Promise.all(made.map(({ _id }) => deactivate(_id)));
});

test("a webhook gets no event from before its creation, also one that is numbered later", async () => {
  const { url, received } = await startEndpoint();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 1_000 });
  await happen(server, userCreated("numbered before"));
  await db.transaction((session) => recordEvent(db, session, "user.created", { userId: "recorded before" }));
  vi.useRealTimers();
  const { _id } = await buildWebhook(server, admin, { url });
  await happen(server, userCreated("after"));
  await deliver(server);
  expect(received.map(({ body }) => body.data.userId)).toEqual(["after"]);
  await deactivate(_id);
});

test("an owner who has lost the role gets nothing more, neither new events nor pending ones", async () => {
  const { url, received } = await startEndpoint();
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id });
  const { _id } = await buildWebhook(server, educator, { url }, "educator");
  const change = (version: number) =>
    happen(server, { type: "course.changed", data: { courseId: course._id, version } });
  await change(2);
  await db.RoleRecord.updateOne({ _id: educator.id }, { role: "student" });
  await change(3);
  await deliver(server);
  expect(received).toEqual([]);
  const lastError = "The owner of the webhook may not see its events any more";
  expect(await deliveriesOf(_id)).toMatchObject([{ state: "failed", attempts: 0, lastError }]);
  // A ping tells nothing of the platform.
  expect(await server.post(`/api/admin/webhooks/${_id}/ping`, {}, admin.token)).toMatchObject({
    body: { delivery: { type: "ping", state: "delivered", attempts: 1 } },
  });
  await db.RoleRecord.updateOne({ _id: educator.id }, { role: "educator" });
  await change(4);
  await deliver(server);
  expect(received).toHaveLength(2);
  await deactivate(_id);
});

test("an owner whose role only the token claimed gets nothing more after the provider clears the role", async () => {
  const { url, received } = await startEndpoint();
  const { id } = await signUp(server, "claims@quill.example");
  const token = identityOf(server.emulators).issueToken(id, { role: "admin" });
  const { _id } = await buildWebhook(server, { id, token, name: "Asha Rao" }, { url, types: ["user.created"] });
  await happen(server, userCreated("before"));
  await deliver(server);
  expect(received).toHaveLength(1);
  expect(await deliverIdentity(server, userData(id, "claims@quill.example"), "user.updated")).toBe(200);
  await happen(server, userCreated("after"));
  await deliver(server);
  expect(received).toHaveLength(1);
  await deactivate(_id);
});

test("instances that number at the same time create each delivery once, and events with many deliveries are split", async () => {
  const another = await server.another();
  const made = [];
  for (let n = 0; n < 3; n += 1) made.push(await buildWebhook(server, admin, { url: "http://127.0.0.1:9/" }));
  // One transaction creates 500 deliveries at most, which are those of 166 events.
  const many = 350;
  const facts = Array.from({ length: many }, (_, i) => userCreated(`many ${i}`));
  await db.transaction((session) => recordEvents(db, session, facts));
  let [numbered, most] = [0, 0];
  while (numbered < many) {
    const counts = await Promise.all([server, another, server].map(({ deps }) => numberEvents(deps)));
    numbered += counts.reduce((sum, count) => sum + count);
    most = Math.max(most, ...counts);
  }
  expect([numbered, most]).toEqual([many, 166]);
  for (const { _id } of made) {
    const eventIds = await db.WebhookDelivery.distinct("eventId", { webhookId: _id });
    expect([eventIds.length, await db.WebhookDelivery.countDocuments({ webhookId: _id })]).toEqual([many, many]);
    await db.WebhookDelivery.deleteMany({ webhookId: _id });
    await deactivate(_id);
  }
});

test("a ping is one attempt, and the reply has its result", async () => {
  const good = await startEndpoint();
  const { _id, secret } = await buildWebhook(server, admin, { url: good.url });
  const ping = async () => (await server.post(`/api/admin/webhooks/${_id}/ping`, {}, admin.token)).body.delivery;
  const delivered = await ping();
  expect(delivered).toMatchObject({ eventId: null, type: "ping", state: "delivered", attempts: 1, lastStatus: 204 });
  const [message] = good.received as [ReceivedMessage];
  expect(message.body).toMatchObject({ type: "ping", timestamp: delivered.createdAt });
  verify(message, secret);

  const bad = await startEndpoint(500);
  await server.patch(`/api/admin/webhooks/${_id}`, { url: bad.url, active: false }, admin.token);
  const lastError = "Answered with status 500";
  expect(await ping()).toMatchObject({ state: "failed", attempts: 1, lastStatus: 500, lastError, nextAttemptAt: null });
  expect(await deliver(server)).toBe(0);
  expect(bad.received).toHaveLength(1);
  expect(await deliveriesOf(_id)).toHaveLength(2);
  expect(await db.AuditEntry.countDocuments({ targetId: _id, action: "webhook.ping" })).toBe(2);
});

test("deliveries are listed newest first, by pages and by state", async () => {
  const { url } = await startEndpoint((res, { body }) => res.writeHead(body.data.userId === "no" ? 500 : 200).end());
  const { _id } = await buildWebhook(server, admin, { url });
  for (const userId of ["a", "no", "b"]) await happen(server, userCreated(userId));
  await deliver(server);
  await happen(server, userCreated("c"));
  const path = `/api/admin/webhooks/${_id}/deliveries`;
  const first = (await server.get(`${path}?limit=3`, admin.token)).body;
  expect(first.deliveries.map(({ state }: { state: string }) => state)).toEqual(["pending", "delivered", "pending"]);
  const second = (await server.get(`${path}?limit=3&after=${first.nextCursor}`, admin.token)).body;
  expect(second).toMatchObject({ deliveries: [{ state: "delivered" }], nextCursor: null });
  expect(await deliveriesOf(_id, "?state=delivered")).toHaveLength(2);
  expect(await deliveriesOf(_id, "?state=failed")).toEqual([]);
  await deactivate(_id);
});

test("a delivery is sent again under the same id, with a new schedule", async () => {
  let status = 410;
  const { url, received } = await startEndpoint((res) => res.writeHead(status).end());
  const { _id } = await buildWebhook(server, admin, { url });
  await happen(server, userCreated("again"));
  await deliver(server);
  const [failed] = await deliveriesOf(_id);
  expect(failed).toMatchObject({ state: "failed", attempts: 1, lastStatus: 410, nextAttemptAt: null });
  await server.patch(`/api/admin/webhooks/${_id}`, { active: true }, admin.token);
  const resend = () => server.post(`/api/admin/webhooks/${_id}/deliveries/${failed._id}/resend`, {}, admin.token);
  status = 500;
  expect((await resend()).body.delivery).toMatchObject({ _id: failed._id, state: "pending", attempts: 1 });
  await deliver(server);
  const nextAttemptAt = expect.any(String);
  expect((await deliveriesOf(_id))[0]).toMatchObject({ state: "pending", attempts: 2, nextAttemptAt });
  status = 200;
  await resend();
  await deliver(server);
  expect((await deliveriesOf(_id))[0]).toMatchObject({ state: "delivered", attempts: 3, lastError: null });
  await resend();
  await deliver(server);
  expect((await deliveriesOf(_id))[0]).toMatchObject({ state: "delivered", attempts: 4 });
  expect(new Set(received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([failed._id]));
  await deactivate(_id);
});

test("the deliveries of a removed webhook are not sent, and go", async () => {
  const { url, received } = await startEndpoint();
  const { _id } = await buildWebhook(server, admin, { url });
  await happen(server, userCreated("too late"));
  await server.delete(`/api/admin/webhooks/${_id}`, admin.token);
  await deliver(server);
  expect(received).toEqual([]);
  expect(await db.WebhookDelivery.countDocuments({ webhookId: _id })).toBe(0);
});

test("an erased event is not sent", async () => {
  const { url, received } = await startEndpoint();
  const { _id } = await buildWebhook(server, admin, { url });
  await happen(server, userCreated("erased"));
  await db.Event.deleteMany({ userIds: "erased" });
  await deliver(server);
  expect(received).toEqual([]);
  expect(await deliveriesOf(_id)).toEqual([]);
  await deactivate(_id);
});
