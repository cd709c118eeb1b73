import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseConfig } from "../../../src/config.js";
import { startServer } from "../../../src/server.js";
import { expectRecount } from "../../assertions/recount.js";
import { paymentEvent } from "../../factories/payment-events.js";
import { activeCourses, paymentId, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { paymentsOf } from "../../server/emulators.js";
import { startServerProcess } from "../../server/server-process.js";
import { startTestServer } from "../../server/test-server.js";

vi.setConfig({ testTimeout: 120_000 });

test("a server process killed in the middle of a completion: the next one finishes it within seconds, unasked", async () => {
  const server = await startTestServer({ own: "recounts all rows" });
  const { learner, course, purchaseId } = await unpaidPurchase(server);
  const proxy = await startDatabaseProxy(server.databaseUri);
  const victim = await startServerProcess(server, { MONGODB_URI: proxy.uri });

  // The event is stored and all writes of its transaction have arrived: only the commit has not.
  const killed = proxy.cutAfter(7).then(() => victim.kill());
  const event = paymentEvent("payment.captured", { id: paymentId(), purchaseId });
  const headers = paymentsOf(server).signWebhook(event);
  const answer = await fetch(`${victim.url}/razorpay`, { method: "POST", body: event, headers }).catch(() => undefined);
  expect(answer).toBeUndefined();
  await killed;
  await proxy.close();
  expect((await purchaseOf(server, purchaseId)).status).toBe("pending");

  const restarted = await startServer(
    parseConfig({ ...server.emulators.env, MONGODB_URI: server.databaseUri, PORT: "0" }),
    pino({ level: "silent" }),
  );
  onTestFinished(() => restarted.close());
  const status = async () => (await purchaseOf(server, purchaseId)).status;
  await expect.poll(status, { timeout: 20_000, interval: 200 }).toBe("completed");
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expect
    .poll(() => server.deps.db.PaymentEvent.countDocuments({ purchaseId, state: "processed" }), { timeout: 20_000 })
    .toBe(1);
  await expectRecount(server);
});
