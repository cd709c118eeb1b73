import { describe, expect, test } from "vitest";
import { expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent, refundEvent } from "../../factories/payment-events.js";
import {
  activeCourses,
  openPurchase,
  paidPurchase,
  paymentId,
  purchaseOf,
  refundsOf,
} from "../../factories/purchases.js";
import { paymentsOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const admin = await server.signedIn("admin");

const refund = (purchaseId: string, body: unknown = { reason: "asked for it" }) =>
  server.post(`/api/admin/purchases/${purchaseId}/refund`, body, admin.token);

describe("a refund", () => {
  test("pays back once, revokes access when it is processed, and is in the audit trail", async () => {
    const { learner, purchaseId, paymentId: id, amount } = await paidPurchase(server);
    const answers = await Promise.all([1, 2, 3].map(() => refund(purchaseId)));
    for (const { status, body } of answers) {
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { success: true, purchaseId, refundId: expect.stringMatching(/^rfnd_/) },
      });
    }
    await paymentsOf(server).settled();
    expect(refundsOf(server, id)).toMatchObject([{ amount }]);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", refundedMinor: amount });
    expect(await activeCourses(server, learner)).toEqual([]);
    const trail = await server.deps.db.AuditEntry.find({ targetId: purchaseId }).lean();
    expect(trail[0]).toMatchObject({ actorId: admin.id, action: "purchase.refund", after: { reason: "asked for it" } });
    expect(await refund(purchaseId)).toMatchObject({ status: 200, body: { status: "refunded" } });
    expect(refundsOf(server, id).length).toBe(1);
    await expectRecount(server);
  });

  test.each(["error", "cut", "lost-reply"] as const)(
    "that the provider answers with %s is kept and repeated without moving money twice",
    async (kind) => {
      const { purchaseId, paymentId: id } = await paidPurchase(server);
      paymentsOf(server).faults.add({ kind, on: "payments.refund", times: 1 });
      expect(await refund(purchaseId)).toMatchObject(refusal(500, "An unexpected error occurred"));
      expect((await purchaseOf(server, purchaseId)).refunds).toMatchObject([{ state: "requested", refundId: null }]);
      expect((await refund(purchaseId)).status).toBe(200);
      await paymentsOf(server).settled();
      expect(refundsOf(server, id).length).toBe(1);
      expect((await purchaseOf(server, purchaseId)).status).toBe("refunded");
    },
  );

  test("is refused for bad input, unknown, unpaid and free purchases", async () => {
    const { purchaseId, learner } = await paidPurchase(server);
    for (const body of [null, {}, { reason: "" }, { reason: "x".repeat(501) }, { reason: 5 }]) {
      expect(await refund(purchaseId, body)).toMatchObject(refusal(400, "Invalid request data"));
    }
    expect(await refund("ffffffffffffffffffffffff")).toMatchObject(refusal(404, "Purchase not found"));
    const free = await buildCourse(server, { coursePrice: 0 });
    for (const opened of [
      await openPurchase(server, learner, free),
      await openPurchase(server, learner, await buildCourse(server)),
    ]) {
      expect(await refund(opened.purchaseId)).toMatchObject(
        refusal(409, "Only a completed, paid purchase can be refunded"),
      );
    }
  });
});

describe("payment events", () => {
  test("lists events by state, newest first, a page at a time", async () => {
    await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId: "unknown" }));
    const list = (query: string) => server.get(`/api/admin/payment-events${query}`, admin.token);
    const all = (await list("")).body;
    expect((await list("?state=all")).body.events).toEqual(all.events);
    expect(all.events[0]).toEqual({
      _id: expect.any(String),
      event: "payment.captured",
      state: "review",
      outcome: expect.any(String),
      reviewReason: "unknown_purchase",
      paymentId: expect.any(String),
      orderId: null,
      purchaseId: "unknown",
      refundId: null,
      amountMinor: null,
      attempts: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    for (const state of ["processed", "review"]) {
      const { events } = (await list(`?state=${state}`)).body;
      expect(new Set(events.map((one: { state: string }) => one.state))).toEqual(new Set([state]));
    }
    expect((await list("?state=lost")).body).toEqual({ success: true, events: [], hasMore: false, nextBefore: null });
    const page = (await list("?limit=1")).body;
    const [first] = all.events;
    expect(page).toMatchObject({ events: [{ _id: first._id }], hasMore: true, nextBefore: first._id });
    const next = (await list(`?limit=1&before=${page.nextBefore}`)).body;
    expect(next.events[0]._id).toBe(all.events[1]._id);
  });

  test("an event is replayed once what was in its way is mended", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const { purchaseId } = await openPurchase(server, learner, course);
    const purchase = await purchaseOf(server, purchaseId);
    await server.deps.db.Purchase.deleteOne({ _id: purchaseId });
    await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId }));
    const { events } = (await server.get("/api/admin/payment-events?state=review", admin.token)).body;
    await server.deps.db.Purchase.create(purchase);
    const replay = (id: string) => server.post(`/api/admin/payment-events/${id}/replay`, {}, admin.token);
    const replayed = await replay(events[0]._id);
    expect(await replay("ffffffffffffffffffffffff")).toMatchObject(refusal(404, "Payment event not found"));
    expect(replayed).toMatchObject({
      status: 200,
      body: { success: true, event: { state: "processed", reviewReason: null } },
    });
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
    const [entry] = await server.deps.db.AuditEntry.find({ action: "payment-event.replay" }).lean();
    expect(entry).toMatchObject({ actorId: admin.id, before: { state: "review" }, after: { state: "processed" } });
    await expectRecount(server);
  });
});

const review = (purchaseId: string, body: unknown, by = admin) =>
  server.post(`/api/admin/purchases/${purchaseId}/review`, body, by.token);
const listed = async (purchaseId: string, query = "") =>
  (await server.get(`/api/admin/purchases${query}`, admin.token)).body.purchases.find(
    (one: { _id: string }) => one._id === purchaseId,
  );

/** A purchase that was paid twice and refunded in part: flagged for both. */
async function flaggedTwice() {
  const learner = await server.signedIn();
  const { purchaseId, amount } = await openPurchase(server, learner, await buildCourse(server));
  const [first, second] = [paymentId(), paymentId()];
  await deliver(server, paymentEvent("payment.captured", { id: first, purchaseId, amount }));
  const duplicate = paymentEvent("payment.captured", { id: second, purchaseId, amount });
  await deliver(server, duplicate);
  await deliver(server, refundEvent({ id: `rfnd_${first}`, paymentId: first, amount: 100 }));
  return { purchaseId, duplicate, first, amount };
}

describe("what is flagged about a purchase", () => {
  test("is kept reason by reason: the list shows the newest open one, each is cleared by itself", async () => {
    const { purchaseId } = await flaggedTwice();
    expect(await listed(purchaseId)).toMatchObject({ reviewReason: "partial_refund" });
    expect(await listed(purchaseId, "?flagged=true")).toEqual(await listed(purchaseId));
    const cleared = await review(purchaseId, { reason: "partial_refund", note: " agreed " });
    expect(cleared).toMatchObject({ status: 200, body: { success: true } });
    expect(Object.keys(cleared.body)).toEqual(["success", "purchase"]);
    expect(cleared.body.purchase).toEqual(await listed(purchaseId));
    expect(cleared.body.purchase).toMatchObject({ status: "completed", reviewReason: "duplicate_charge" });
    expect(
      (await review(purchaseId, { reason: "duplicate_charge", note: "x".repeat(500) })).body.purchase,
    ).toMatchObject({
      reviewReason: null,
    });
    expect(await listed(purchaseId, "?flagged=true")).toBeUndefined();
    expect((await purchaseOf(server, purchaseId)).reviews).toMatchObject([
      { reason: "duplicate_charge", state: "settled", by: admin.id, eventKey: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { reason: "partial_refund", state: "settled", note: "agreed", by: admin.id, at: expect.any(Date) },
    ]);
    const trail = await server.deps.db.AuditEntry.find({ targetId: purchaseId, action: "purchase.review" }).lean();
    expect(trail).toMatchObject([
      {
        actorId: admin.id,
        before: { reviewReason: "partial_refund" },
        after: { reason: "partial_refund", note: "agreed" },
      },
      { before: { reviewReason: "duplicate_charge" }, after: { reviewReason: null } },
    ]);
  });

  test("refusals", async () => {
    const { purchaseId } = await flaggedTwice();
    const good = { reason: "partial_refund", note: "seen" };
    for (const body of [
      ...[null, [], {}, { reason: good.reason }, { note: "x" }, { ...good, note: "" }, { ...good, note: "  " }],
      ...[
        { ...good, note: "x".repeat(501) },
        { ...good, note: 5 },
        { ...good, reason: "none" },
        { ...good, reason: 1 },
      ],
    ]) {
      expect(await review(purchaseId, body)).toMatchObject(refusal(400, "Invalid request data"));
    }
    expect(await review("f".repeat(24), good)).toMatchObject(refusal(404, "Purchase not found"));
    expect(await review("nothing", good)).toMatchObject(refusal(500, "An unexpected error occurred"));
    expect(await review(purchaseId, { ...good, reason: "disputed" })).toMatchObject(refusal(409, "Nothing to review"));
    const answers = await Promise.all([1, 2, 3].map(() => review(purchaseId, good)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await review(purchaseId, good)).toMatchObject(refusal(409, "Nothing to review"));
  });
});

describe("a payment event for review", () => {
  const reviewEvent = (eventId: string, body: unknown) =>
    server.post(`/api/admin/payment-events/${eventId}/review`, body, admin.token);

  test("is cleared with a note, once, in the audit trail; a repeat of the message leaves it so", async () => {
    const body = paymentEvent("payment.captured", { id: paymentId(), purchaseId: "unknown" });
    await deliver(server, body);
    const { events } = (await server.get("/api/admin/payment-events?state=review", admin.token)).body;
    const [{ _id }] = events;
    for (const bad of [null, {}, { note: "" }, { note: "x".repeat(501) }]) {
      expect(await reviewEvent(_id, bad)).toMatchObject(refusal(400, "Invalid request data"));
    }
    const cleared = await reviewEvent(_id, { note: "a test of the bank" });
    expect(cleared).toMatchObject({
      status: 200,
      body: { success: true, event: { _id, state: "processed", reviewReason: null } },
    });
    expect(Object.keys(cleared.body.event)).toEqual(Object.keys(events[0]));
    await deliver(server, body);
    expect(await reviewEvent(_id, { note: "again" })).toMatchObject(refusal(409, "Nothing to review"));
    expect(await reviewEvent("f".repeat(24), { note: "x" })).toMatchObject(refusal(404, "Payment event not found"));
    const [entry] = await server.deps.db.AuditEntry.find({ action: "payment-event.review", targetId: _id }).lean();
    expect(entry).toMatchObject({
      ...{ actorId: admin.id, before: { state: "review", reviewReason: "unknown_purchase" } },
      ...{ after: { state: "processed", note: "a test of the bank" } },
    });
  });
});
