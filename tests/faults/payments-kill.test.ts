import { spawn } from "node:child_process";
import { once } from "node:events";
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

  const env = { ...process.env, ...server.sandbox.variables, PORT: "0", LOG_LEVEL: "info" };
  const child = spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
    env: { ...env, MONGODB_URI: direct.href },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const url = await addressOf(child.stdout);

  // Event, purchase and enrollment are written; the counters are not.
  const killed = proxy.dieAtWrite(5).then(() => child.kill("SIGKILL"));
  const event = paymentEvent("payment.captured", { id: paymentId(), purchaseId });
  const headers = paymentsOf(server).signWebhook(event);
  const answer = await fetch(`${url}/razorpay`, { method: "POST", body: event, headers }).catch(() => undefined);
  expect(answer).toBeUndefined();
  await Promise.all([killed, child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined]);
  expect((await purchaseOf(server, purchaseId)).applied).toBe(false);

  const restarted = await startServer(
    parseConfig({ ...env, MONGODB_URI: server.databaseUri, PORT: "0" }),
    pino({ level: "silent" }),
  );
  onTestFinished(() => restarted.close());
  const finished = async () => (await purchaseOf(server, purchaseId)).applied;
  await expect.poll(finished, { timeout: 20_000, interval: 200 }).toBe(true);
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expect
    .poll(() => server.deps.models.PaymentEvent.countDocuments({ purchaseId, state: "processed" }), { timeout: 20_000 })
    .toBe(1);
  await expectRecount(server);
});

/** Where a server says that it listens. */
async function addressOf(log: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const part of log) {
    text += String(part);
    const port = /listening on http:\/\/[^:]+:(\d+)/.exec(text)?.[1];
    if (port) return `http://127.0.0.1:${port}`;
  }
  throw new Error("the server ended before it listened");
}
