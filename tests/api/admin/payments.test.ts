import { describe, expect, test } from "vitest";
import { expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
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
