import { describe, expect, test } from "vitest";
import { giveNumbers } from "../../src/services/invoices/number-invoices.js";
import { expectRecount } from "../assertions/recount.js";
import { deliver, disputeEvent, paymentEvent, refundEvent, storedEvent } from "../factories/payment-events.js";
import {
  activeCourses,
  checkoutOf,
  openPurchase,
  paymentId,
  purchaseOf,
  unpaidPurchase,
} from "../factories/purchases.js";
import { paymentsOf } from "../server/emulators.js";
import { reconcile } from "../server/payment-jobs.js";
import { startTestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });

const received = { status: 200, body: { received: true } };
const eventOf = (body: string | Buffer) => storedEvent(server, body);

describe("refund.processed", () => {
  test("in full it revokes access and keeps progress and rating; buying again gives it back", async () => {
    const { learner, course, purchaseId, amount } = await unpaidPurchase(server);
    const id = paymentId();
    await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
    const lectureId = course.courseContent[0]?.chapterContent[0]?.lectureId;
    await server.post("/api/user/update-course-progress", { courseId: String(course._id), lectureId }, learner.token);
    await server.post("/api/user/add-rating", { courseId: String(course._id), rating: 4 }, learner.token);
    await deliver(server, refundEvent({ id: "rfnd_full", paymentId: id, amount }));
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", refundedMinor: amount });
    expect(await activeCourses(server, learner)).toEqual([]);
    // Told again in other bytes, it takes nothing out of the sales again.
    await deliver(server, `${refundEvent({ id: "rfnd_full", paymentId: id, amount })}\n`);
    await expectRecount(server);
    const asked = { courseId: String(course._id) };
    const progress = await server.post("/api/user/get-course-progress", asked, learner.token);
    expect(progress.body.progressData.lectureCompleted).toEqual([lectureId]);
    const shown = (await server.get(`/api/course/${course._id}`)).body.courseData;
    expect(shown).toMatchObject({ totalEnrolledStudents: 0, totalRatings: 1, averageRating: 4 });
    await expectRecount(server);
    const again = await openPurchase(server, learner, course);
    await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId: again.purchaseId }));
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
    await expectRecount(server);
  });

  test("in parts it is flagged until the parts add up; a part told twice counts once", async () => {
    const { learner, purchaseId, amount } = await unpaidPurchase(server);
    const id = paymentId();
    await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
    const half = refundEvent({ id: "rfnd_a", paymentId: id, amount: amount / 2 });
    await deliver(server, half);
    await deliver(server, half);
    await deliver(server, half.replace("{", "{ "));
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", reviewReason: "partial_refund" });
    expect((await activeCourses(server, learner)).length).toBe(1);
    await deliver(server, refundEvent({ id: "rfnd_b", paymentId: id, amount: amount / 2 }));
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", reviewReason: null });
    expect(await server.deps.db.PaymentEvent.countDocuments({ paymentId: id, state: { $ne: "processed" } })).toBe(0);
  });

  test.each([["89910"], [-89910], [89910.5], [{}]])("of %j, which is no amount, revokes nothing", async (amount) => {
    const { learner, course, purchaseId, amount: paid } = await unpaidPurchase(server);
    const id = paymentId();
    await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
    const refund = { entity: { id: `rfnd_${id}`, payment_id: id, amount } };
    const payload = { refund, payment: { entity: { id, amount: paid } } };
    const body = JSON.stringify({ event: "refund.processed", payload });
    expect(await deliver(server, body)).toMatchObject(received);
    expect((await purchaseOf(server, purchaseId)).status).toBe("completed");
    expect(await eventOf(body)).toMatchObject({ state: "review" });
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  });

  test("that does not say how much pays nothing back until the provider has said it", async () => {
    const { learner, course, purchaseId, orderId, amount } = await unpaidPurchase(server);
    const { razorpay_payment_id: id } = await paymentsOf(server).pay(orderId, { webhook: false });
    await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
    const refund = { entity: { id: `rfnd_${id}`, payment_id: id } };
    const payload = { refund, payment: { entity: { id, amount } } };
    const body = JSON.stringify({ event: "refund.processed", payload });
    await deliver(server, body);
    expect(await eventOf(body)).toMatchObject({ state: "review", reviewReason: "partial_refund", amountMinor: 0 });
    await reconcile(server);
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);

    const { id: refundId } = await paymentsOf(server).refund(id, { webhook: false });
    const named = { refund: { entity: { id: refundId, payment_id: id } } };
    const known = JSON.stringify({ event: "refund.processed", payload: named });
    await deliver(server, known);
    await reconcile(server);
    expect((await purchaseOf(server, purchaseId)).status).toBe("refunded");
    expect(await eventOf(known)).toMatchObject({ state: "processed" });
    expect(await activeCourses(server, learner)).toEqual([]);
  });

  test("keeps what else was flagged about the purchase, also when that is flagged at the same moment", async () => {
    const { purchaseId, amount } = await unpaidPurchase(server);
    const id = paymentId();
    await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
    // The payment is disputed while it is paid back.
    await Promise.all([
      deliver(server, disputeEvent("created", { id: "disp_flag", paymentId: id, amount })),
      deliver(server, refundEvent({ id: "rfnd_flag", paymentId: id, amount })),
    ]);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", reviewReason: "disputed" });
    expect(await server.deps.db.PaymentEvent.countDocuments({ paymentId: id, state: "review" })).toBe(1);
    await expectRecount(server);
  });

  test("of a payment that completed nothing it settles what was flagged about it", async () => {
    const { purchaseId, amount } = await unpaidPurchase(server);
    const [first, second] = [paymentId(), paymentId()];
    await deliver(server, paymentEvent("payment.captured", { id: first, purchaseId, amount }));
    const duplicate = paymentEvent("payment.captured", { id: second, purchaseId, amount });
    await deliver(server, duplicate);
    await deliver(server, refundEvent({ id: "rfnd_dup", paymentId: second, amount }));
    expect(await eventOf(duplicate)).toMatchObject({ state: "processed", outcome: "paid back" });
    await deliver(server, duplicate);
    expect(await eventOf(duplicate)).toMatchObject({ state: "processed" });
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", providerPaymentId: first });
    await expectRecount(server);
  });
});

test.each(["before", "after"])(
  "refund.failed %s the capture flags the purchase, until it is paid after all",
  async (when) => {
    const { purchaseId, amount } = await unpaidPurchase(server);
    const id = paymentId();
    const capture = paymentEvent("payment.captured", { id, purchaseId, amount });
    const refund = { id: `rfnd_${id}`, paymentId: id, amount };
    const failed = refundEvent({ ...refund, event: "refund.failed" });
    for (const message of when === "before" ? [failed, capture] : [capture, failed]) await deliver(server, message);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", reviewReason: "refund_failed" });
    expect(await eventOf(failed)).toMatchObject({ state: "review", reviewReason: "refund_failed" });
    await deliver(server, refundEvent(refund));
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", reviewReason: null });
    expect(await eventOf(failed)).toMatchObject({ state: "processed" });
  },
);

describe("a capture above the price", () => {
  test.each(["webhook", "checkout"])("completes the purchase by %s and flags it", async (by) => {
    const { learner, course, purchaseId, orderId, amount } = await unpaidPurchase(server);
    const id = paymentId();
    if (by === "checkout") {
      const body = checkoutOf(server, { orderId, purchaseId }, id);
      expect((await server.post("/api/user/verify-razorpay", body, learner.token)).status).toBe(200);
    }
    const told = { id, purchaseId, orderId, amount: amount + 236, currency: "INR" };
    const capture = paymentEvent("payment.captured", told);
    await deliver(server, capture);
    await deliver(server, capture);
    const flagged = { status: "completed", providerPaymentId: id, reviewReason: "amount_mismatch" };
    expect(await purchaseOf(server, purchaseId)).toMatchObject(flagged);
    expect(await eventOf(capture)).toMatchObject({ state: "processed", reviewReason: null });
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
    await expectRecount(server);
    await giveNumbers({ db: server.deps.db, settings: server.deps.config.invoices }, new Date());
    expect(await server.deps.db.Invoice.findOne({ purchaseId }).lean()).toMatchObject({
      facts: { totalMinor: amount },
    });
  });

  test.each([
    ["capture", "price", "rest"],
    ["price", "capture", "rest"],
    ["price", "rest", "capture"],
  ] as const)("is refunded when all that was paid is paid back: %s, %s, %s", async (...order) => {
    const { learner, purchaseId, amount } = await unpaidPurchase(server);
    const id = paymentId();
    const messages = {
      capture: paymentEvent("payment.captured", { id, purchaseId, amount: amount + 236 }),
      price: refundEvent({ id: `rfnd_${id}_a`, paymentId: id, amount }),
      rest: refundEvent({ id: `rfnd_${id}_b`, paymentId: id, amount: 236 }),
    };
    await deliver(server, messages[order[0]]);
    await deliver(server, messages[order[1]]);
    if (order[2] === "rest") {
      expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", refundedMinor: amount });
    }
    await deliver(server, messages[order[2]]);
    const refunded = { status: "refunded", refundedMinor: amount + 236, reviewReason: null };
    expect(await purchaseOf(server, purchaseId)).toMatchObject(refunded);
    expect(await activeCourses(server, learner)).toEqual([]);
    await expectRecount(server);
  });
});
