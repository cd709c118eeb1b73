import { expect, test, vi } from "vitest";
import { buildWebhook, deliver, happen, userCreated } from "../../factories/webhooks.js";
import { startTestServer } from "../../server/test-server.js";
import { startEndpoint } from "../../server/webhook-endpoint.js";

const server = await startTestServer({ own: "delivers all events" });
const { db } = server.deps;
const admin = await server.signedIn("admin");

const second = 1_000;
const hour = 3_600 * second;

/** Moves the clock of this process. */
function setClock(now: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now });
}

async function webhookWithOneEvent(answer: Parameters<typeof startEndpoint>[0]) {
  const endpoint = await startEndpoint(answer);
  const { _id } = await buildWebhook(server, admin, { url: endpoint.url });
  await happen(server, userCreated(`user of ${_id}`));
  const delivery = () => db.WebhookDelivery.findOne({ webhookId: _id }).orFail().lean();
  const webhook = () => db.Webhook.findById(_id).orFail().lean();
  const end = async () => {
    vi.useRealTimers();
    await db.WebhookDelivery.deleteMany({ webhookId: _id });
    await db.Webhook.deleteOne({ _id });
  };
  return { ...endpoint, _id, delivery, webhook, end };
}

test("a delivery is attempted ten times, after pauses that differ by at most 10 %, and then has failed", async () => {
  const { delivery, received, webhook, end } = await webhookWithOneEvent(500);
  const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * second);
  let now = Date.now();
  for (const [index, pause] of pauses.entries()) {
    setClock(now);
    expect(await deliver(server)).toBe(1);
    const { state, attempts, nextAttemptAt, lastStatus } = await delivery();
    expect({ state, attempts, lastStatus }).toEqual({ state: "pending", attempts: index + 1, lastStatus: 500 });
    const wait = (nextAttemptAt?.getTime() ?? 0) - now;
    expect(wait).toBeGreaterThanOrEqual(pause * 0.9 - 1);
    expect(wait).toBeLessThanOrEqual(pause * 1.1 + second);
    setClock(now + wait - 1);
    expect(await deliver(server)).toBe(0);
    now += wait;
  }
  setClock(now);
  expect(await deliver(server)).toBe(1);
  expect(await delivery()).toMatchObject({ state: "failed", attempts: 10, lastError: "Answered with status 500" });
  expect(await delivery()).not.toHaveProperty("nextAttemptAt");
  expect(received).toHaveLength(10);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10);
  expect(await webhook()).toMatchObject({ active: true });
  await end();
});

test.each([
  ["120", 120 * second],
  ["1", 5 * second],
  ["3600", hour],
  ["86400", hour],
  ["99999999999", hour],
  ["60 ", 60 * second],
  ["soon", 5 * second],
  [new Date(Date.now() + 600 * second).toUTCString(), 600 * second],
])("Retry-After: %s is kept, up to an hour and never below the schedule", async (header, expected) => {
  const { delivery, end } = await webhookWithOneEvent((res) => res.writeHead(503, { "retry-after": header }).end());
  const now = Date.now();
  await deliver(server);
  const wait = ((await delivery()).nextAttemptAt?.getTime() ?? 0) - now;
  expect(wait).toBeGreaterThanOrEqual(expected * 0.9);
  expect(wait).toBeLessThanOrEqual(expected * 1.1 + second);
  await end();
});

test("410 disables the webhook as gone; its other deliveries fail when they are due, until it is active again", async () => {
  let status = 410;
  const { _id, delivery, webhook, received, end } = await webhookWithOneEvent((res) => res.writeHead(status).end());
  await deliver(server);
  expect(await delivery()).toMatchObject({ state: "failed", attempts: 1, lastStatus: 410 });
  expect(await webhook()).toMatchObject({ active: false, disabledReason: "gone" });
  await happen(server, userCreated("while it is gone"));
  expect(await db.WebhookDelivery.countDocuments({ webhookId: _id })).toBe(1);
  const due = { state: "pending", nextAttemptAt: new Date() };
  await db.WebhookDelivery.updateOne({ webhookId: _id }, { $set: due });
  await deliver(server);
  expect(await delivery()).toMatchObject({ state: "failed", attempts: 1, lastError: "The webhook is not active" });
  expect(received).toHaveLength(1);
  const activated = await server.patch(`/api/admin/webhooks/${_id}`, { active: true }, admin.token);
  expect(activated.body.webhook).toMatchObject({ active: true, disabledReason: null });
  status = 200;
  await happen(server, userCreated("after it is back"));
  await deliver(server);
  expect(received).toHaveLength(2);
  const disabled = await db.AuditEntry.findOne({ targetId: _id, action: "webhook.disable" }).lean();
  expect(disabled).toMatchObject({ actorId: "system", after: { reason: "gone" } });
  await end();
});

test("a webhook that has taken nothing for five days is disabled as failing; one delivery begins the time anew", async () => {
  let status = 500;
  const { _id, webhook, end } = await webhookWithOneEvent((res) => res.writeHead(status).end());
  const start = Date.now();
  const fails = async (atHour: number) => {
    setClock(start + atHour * hour);
    await happen(server, userCreated(`at ${atHour}`));
    await deliver(server);
  };
  await fails(0);
  await fails(100);
  status = 200;
  await fails(110);
  expect(await webhook()).not.toHaveProperty("failingSince");
  status = 500;
  await fails(200);
  await fails(319);
  expect(await webhook()).toMatchObject({ active: true, disabledReason: null });
  await fails(320);
  expect(await webhook()).toMatchObject({ active: false, disabledReason: "failing" });
  vi.useRealTimers();
  await server.patch(`/api/admin/webhooks/${_id}`, { active: true }, admin.token);
  expect(await webhook()).not.toHaveProperty("failingSince");
  await server.post(`/api/admin/webhooks/${_id}/ping`, {}, admin.token);
  expect(await webhook()).not.toHaveProperty("failingSince");
  await end();
});
