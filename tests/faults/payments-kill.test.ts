import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseConfig } from "../../src/config.js";
import { startServer } from "../../src/server.js";
import { buildCourse } from "../support/courses.js";
import {
  activeCourses,
  expectRecount,
  openPurchase,
  paymentEvent,
  paymentId,
  paymentsOf,
  purchaseOf,
} from "../support/purchases.js";
import { startTestServer } from "../support/server.js";
import { startServerProcess } from "../support/server-process.js";
import { startTcpProxy } from "../support/tcp-proxy.js";

vi.setConfig({ testTimeout: 120_000 });

test("a server process killed in the middle of a completion: the next one finishes it within seconds, unasked", async () => {
  const server = await startTestServer();
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const { purchaseId } = await openPurchase(server, learner, course);
  const direct = new URL(server.databaseUri);
  const proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) });
  onTestFinished(() => proxy.close());
  direct.host = `127.0.0.1:${proxy.port}`;
  direct.search = "?directConnection=true";

  const victim = await startServerProcess(server, { MONGODB_URI: direct.href });

  // Event, purchase and enrollment are written, the counters perhaps; nothing is marked as done.
  const killed = proxy.dieAtWrite(7).then(() => victim.kill());
  const event = paymentEvent("payment.captured", { id: paymentId(), purchaseId });
  const headers = paymentsOf(server).signWebhook(event);
  const answer = await fetch(`${victim.url}/razorpay`, { method: "POST", body: event, headers }).catch(() => undefined);
  expect(answer).toBeUndefined();
  await killed;
  expect((await purchaseOf(server, purchaseId)).applied).toBe(false);

  const restarted = await startServer(
    parseConfig({ ...server.sandbox.variables, MONGODB_URI: server.databaseUri, PORT: "0" }),
    pino({ level: "silent" }),
  );
  onTestFinished(() => restarted.close());
  const finished = async () => (await purchaseOf(server, purchaseId)).applied;
  await expect.poll(finished, { timeout: 20_000, interval: 200 }).toBe(true);
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expect
    .poll(() => server.deps.db.PaymentEvent.countDocuments({ purchaseId, state: "processed" }), { timeout: 20_000 })
    .toBe(1);
  await expectRecount(server);
});
