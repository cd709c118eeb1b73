import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { recordEvent } from "../../../src/services/events/record-event.js";
import { deliverDue } from "../../../src/services/webhooks/deliver-due.js";
import { commandsDuring, effortOf } from "../../assertions/commands.js";
import { buildWebhook, deliver, happen, userCreated } from "../../factories/webhooks.js";
import { startServerProcess } from "../../server/server-process.js";
import { startTestServer } from "../../server/test-server.js";
import { startEndpoint } from "../../server/webhook-endpoint.js";

const server = await startTestServer({ own: "runs the job over all deliveries" });
const { db } = server.deps;

/** A webhook of an owner of its own, with some pending deliveries. */
async function webhookWithEvents(url: string, count: number) {
  const owner = await server.signedIn("admin");
  const { _id } = await buildWebhook(server, owner, { url });
  const facts = Array.from({ length: count }, (_, i) => userCreated(`${_id} ${i}`));
  await happen(server, ...facts);
  await db.Webhook.updateMany({}, { $set: { types: [] } });
  const states = async () => {
    const rows = await db.WebhookDelivery.aggregate([
      { $match: { webhookId: (await db.Webhook.findById(_id).orFail().lean())._id } },
      { $group: { _id: "$state", count: { $sum: 1 } } },
    ]);
    return Object.fromEntries(rows.map((row) => [row._id, row.count]));
  };
  return { _id, owner, states };
}

/** An endpoint that answers when `release` is called. */
async function startHangingEndpoint() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const endpoint = await startEndpoint((res) => void released.then(() => res.writeHead(200).end()));
  return { ...endpoint, release };
}

test("an endpoint that hangs does not hold up others, and a run that is stopped gives its attempts back", async () => {
  const [hanging, good] = [await startHangingEndpoint(), await startEndpoint()];
  const slow = await webhookWithEvents(hanging.url, 20);
  const quick = await webhookWithEvents(good.url, 60);
  const stopping = new AbortController();
  const run = deliverDue(server.deps, stopping.signal);
  await expect.poll(quick.states, { timeout: 8_000 }).toEqual({ delivered: 60 });
  expect(hanging.received).toHaveLength(5);
  // A webhook that gets work during the run is served by it.
  const later = await webhookWithEvents(good.url, 1);
  await expect.poll(later.states, { timeout: 5_000 }).toEqual({ delivered: 1 });
  stopping.abort();
  await run;
  const rows = await db.WebhookDelivery.find({ webhookId: slow._id }).lean();
  expect(rows).toHaveLength(20);
  for (const row of rows) {
    expect(row).toMatchObject({ state: "pending", attempts: 0 });
    expect(row).not.toHaveProperty("slot");
    expect(row.nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now());
  }
  hanging.release();
  await deliver(server);
  expect(await slow.states()).toEqual({ delivered: 20 });
});

test("two instances deliver each event once, with five attempts at an endpoint at most", async () => {
  const another = await server.another();
  let atOnce = 0;
  let most = 0;
  const { url, received } = await startEndpoint((res) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    setTimeout(() => {
      atOnce -= 1;
      res.writeHead(200).end();
    }, 10);
  });
  const { states } = await webhookWithEvents(url, 60);
  await Promise.all([deliver(server), deliver(another), deliver(server)]);
  expect(await states()).toEqual({ delivered: 60 });
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(60);
  expect(received).toHaveLength(60);
  expect(most).toBeLessThanOrEqual(5);
});

test("webhooks with many due deliveries take turns, and a delivery costs few commands", async () => {
  const { url, received } = await startEndpoint();
  for (const path of ["a", "b", "c"]) await webhookWithEvents(`${url}/${path}`, 60);
  const webhooksAtOnce = 1;
  const commands = await commandsDuring(server, () =>
    deliverDue(server.deps, new AbortController().signal, webhooksAtOnce),
  );
  expect(received).toHaveLength(180);
  const order = received.map(({ path }) => path.at(-1));
  expect(order.filter((path, i) => path !== order[i - 1])).toEqual(["a", "b", "c", "a", "b", "c"]);
  // For each delivery: the claim, the webhook, the result. The six turns and the searches send the others.
  expect(commands.length).toBeLessThan(3 * 180 + 6 * 12);
  expect(await effortOf(server, commands)).toMatchObject({ scans: [], sorts: [] });
});

test("an event whose server died after the commit is delivered by the next server", { timeout: 60_000 }, async () => {
  const { url, received } = await startEndpoint();
  const { _id } = await webhookWithEvents(url, 0);
  await db.Webhook.updateOne({ _id }, { $set: { types: ["*"] } });
  // This server runs no jobs, so the event has no number and no delivery.
  await db.transaction((session) => recordEvent(db, session, "user.created", { userId: "committed" }));
  expect(await db.WebhookDelivery.countDocuments({ webhookId: _id })).toBe(0);
  await startServerProcess(server);
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1);
  expect(received[0]?.body.data).toEqual({ userId: "committed" });
  await db.Webhook.updateOne({ _id }, { $set: { types: [] } });
});

test("a ping waits while five attempts are under way on another instance", async () => {
  const another = await server.another();
  const hanging = await startHangingEndpoint();
  const { _id, owner, states } = await webhookWithEvents(hanging.url, 6);
  const run = deliver(another);
  await expect.poll(() => hanging.received.length).toBe(5);
  const ping = server.post(`/api/admin/webhooks/${_id}/ping`, {}, owner.token);
  await expect.poll(() => db.WebhookDelivery.countDocuments({ webhookId: _id, type: "ping" })).toBe(1);
  await pause(150);
  expect(hanging.received).toHaveLength(5);
  hanging.release();
  expect((await ping).body.delivery).toMatchObject({ type: "ping", state: "delivered", attempts: 1 });
  await run;
  expect(await states()).toEqual({ delivered: 7 });
});

test("a server that is killed during an attempt loses no delivery", { timeout: 90_000 }, async () => {
  const hanging = await startHangingEndpoint();
  const { _id, owner, states } = await webhookWithEvents(hanging.url, 6);
  // The server of an earlier test has died with the lease of the job.
  await db.Lease.deleteMany({ _id: /^job:/ });
  const process = await startServerProcess(server);
  const [some] = await db.WebhookDelivery.find({ webhookId: _id }).lean();
  // The request wakes the job of the process.
  const reply = await fetch(`${process.url}/api/admin/webhooks/${_id}/deliveries/${some?._id}/resend`, {
    method: "POST",
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect(reply.status).toBe(200);
  await expect.poll(() => hanging.received.length, { timeout: 40_000 }).toBe(5);
  await process.kill();
  hanging.release();
  // The attempts count as lost after their lease. Until then, nothing else takes their slots.
  await deliver(server);
  expect(hanging.received).toHaveLength(5);
  const underWay = { webhookId: _id, slot: { $gte: 0 } };
  expect(await db.WebhookDelivery.countDocuments(underWay)).toBe(5);
  await db.WebhookDelivery.updateMany(underWay, { $set: { nextAttemptAt: new Date() } });
  await deliver(server);
  expect(await states()).toEqual({ delivered: 6 });
  const ids = hanging.received.map(({ headers }) => headers["webhook-id"]);
  expect([ids.length, new Set(ids).size]).toEqual([11, 6]);
});

test("a commit is delivered by the jobs of its own server at once", async () => {
  const instance = await startTestServer({ jobs: true });
  const owner = await instance.signedIn("admin");
  const { url, received } = await startEndpoint();
  await buildWebhook(instance, owner, { url });
  const own = instance.deps.db;
  await own.transaction((session) => recordEvent(own, session, "user.created", { userId: "new" }));
  await expect.poll(() => received.length, { timeout: 6_000, interval: 20 }).toBe(1);
});
