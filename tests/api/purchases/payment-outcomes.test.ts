import { pino } from "pino";
import { expect, test } from "vitest";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { openPurchase, paymentId } from "../../factories/purchases.js";
import { identityOf, paymentsOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

const lines: { operation?: string; outcome?: string; event?: string }[] = [];
const sink = { write: (line: string) => void lines.push(JSON.parse(line)) };
const server = await startTestServer({ log: pino({ level: "info" }, sink) });

/** Outcomes of one operation as the metrics page has them, and as the log has them. */
async function outcomes(
  operation: string,
): Promise<{ counted: Record<string, number>; logged: Record<string, number> }> {
  const page = (await server.get("/metrics")).body as string;
  const found = page.matchAll(/^lyceum_outcomes_total\{operation="(\w+)",outcome="(\w+)"\} (\d+)$/gm);
  const counted = [...found].filter((match) => match[1] === operation);
  const logged: Record<string, number> = {};
  for (const line of lines) {
    if (line.operation === operation && line.outcome) logged[line.outcome] = (logged[line.outcome] ?? 0) + 1;
  }
  return { counted: Object.fromEntries(counted.map((match) => [match[2], Number(match[3])])), logged };
}

/** A response is counted when it has left: a moment after its client has it. */
const expectOutcomes = (operation: string, expected: Record<string, number>) =>
  expect.poll(() => outcomes(operation)).toEqual({ counted: expected, logged: expected });

test("every outcome of a purchase is counted and logged", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const free = await buildCourse(server, { coursePrice: 0 });
  const buy = (body: unknown, token?: string, headers = {}) => server.post("/api/user/purchase", body, token, headers);
  const courseId = String(course._id);
  const stranger = identityOf(server.emulators).issueToken("user_unknown", { role: "student" });
  paymentsOf(server).faults.add({ kind: "error", on: "orders.create", times: 1 });
  await buy({ courseId }, learner.token);
  await buy({ courseId }, learner.token, { "idempotency-key": "k" });
  await buy({ courseId: "another" }, learner.token, { "idempotency-key": "k" });
  await buy({ courseId: String(free._id) }, learner.token);
  await buy({ courseId: String(free._id) }, learner.token);
  await buy({ courseId: "nowhere" }, learner.token);
  await buy({ courseId: 5 }, learner.token);
  await buy("{", learner.token, { "content-type": "application/json" });
  await buy({ courseId }, stranger);
  await buy({ courseId });
  await buy({ courseId }, "forged");
  await Promise.all(Array.from({ length: 3 }, () => buy({ courseId: "" }, learner.token)));
  await expectOutcomes("purchase", {
    ...{ error: 1, opened: 1, enrolled: 1, course_already_purchased: 1, course_not_found: 1, user_not_found: 1 },
    ...{ key_used_otherwise: 1, invalid_request: 4, unauthenticated: 2 },
    payments_limit_exceeded: 1,
  });
});

test("forged, foreign and unreadable webhooks are counted and logged", async () => {
  const body = paymentEvent("payment.captured", { id: paymentId(), purchaseId: "nothing" });
  const signed = paymentsOf(server).signWebhook(body);
  await deliver(server, body);
  await server.call("POST", "/razorpay", { body });
  await server.call("POST", "/RAZORPAY/", { body: `${body} `, headers: signed });
  await server.call("POST", "/razorpay", { body, headers: { ...signed, "content-encoding": "gzip" } });
  await server.call("POST", "/razorpay", { body: Buffer.alloc(1024 * 1024 + 1), headers: signed });
  await expectOutcomes("payment_webhook", { ok: 1, bad_signature: 4 });
  const page = (await server.get("/metrics")).body as string;
  expect(page).toMatch(/lyceum_payment_events_total\{event="payment\.captured",outcome="unknown_purchase"\} \d+/);
  expect(JSON.stringify(lines)).not.toContain(signed["x-razorpay-signature"]);
});

test("verifications of checkouts, refunds, reviews and replays are counted and logged, too", async () => {
  const [admin, learner] = [await server.signedIn("admin"), await server.signedIn()];
  const { purchaseId, orderId } = await openPurchase(server, learner, await buildCourse(server));
  const checkout = { ...(await paymentsOf(server).pay(orderId, { webhook: false })), purchaseId };
  const settle = (path: string, body: object) => server.post(`/api/admin/${path}`, body, admin.token);
  await server.post("/api/user/verify-razorpay", {}, learner.token);
  await server.post("/api/user/verify-razorpay", checkout, learner.token);
  await expectOutcomes("verify", { invalid_request: 1, completed: 1 });
  // The provider's report could come before the answer, which would say that it is refunded already.
  paymentsOf(server).tricks.suppress = true;
  for (const id of ["f".repeat(24), "no id", purchaseId]) await settle(`purchases/${id}/refund`, { reason: "x" });
  paymentsOf(server).tricks.suppress = false;
  await expectOutcomes("refund", { purchase_not_found: 1, malformed: 1, requested: 1 });
  await settle(`purchases/${purchaseId}/review`, { reason: "disputed", note: "x" });
  await expectOutcomes("review", { nothing_to_review: 1 });
  await settle(`payment-events/${"f".repeat(24)}/replay`, {});
  await expectOutcomes("replay", { payment_event_not_found: 1 });
});

test("every outcome of an identity webhook is counted and logged", async () => {
  const { signWebhook } = identityOf(server.emulators);
  const send = (message: unknown, options: { id?: string; timestamp?: Date } = {}, headers = {}) => {
    const body = JSON.stringify(message);
    return server.call("POST", "/clerk", { body, headers: { ...signWebhook(body, options), ...headers } });
  };
  const data = { id: "user_outcomes", first_name: "Ada", updated_at: 2_000 };
  const created = { type: "user.created", data };
  const now = Date.now();
  const at = (secondsAgo: number) => new Date(now - secondsAgo * 1_000);
  await send(created, { id: "msg_1", timestamp: at(20) });
  await send(created, { id: "msg_1", timestamp: at(20) });
  await send(created, { id: "msg_1", timestamp: at(10) });
  await send({ type: "user.updated", data: { ...data, updated_at: 1_000 } });
  await send({ type: "user.deleted", data });
  await send(created);
  await send({ type: "session.created", data: {} });
  await send(created, {}, { "svix-signature": "v1,forged" });
  await send({ type: "user.created", data: {} });
  await expectOutcomes("identity_webhook", {
    ...{ applied: 1, replayed: 1, retry: 1, stale: 1, deleted: 1, after_deletion: 1, ignored: 1 },
    ...{ bad_signature: 1, error: 1 },
  });
  const deletions = lines.filter(({ event }) => event === "user.deleted");
  expect(deletions).toEqual([expect.objectContaining({ operation: "identity_webhook", outcome: "deleted" })]);
});
