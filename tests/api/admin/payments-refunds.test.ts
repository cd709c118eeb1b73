import { beforeEach, describe, expect, test } from "vitest";
import { expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { deliver, disputeEvent, paymentEvent, refundEvent } from "../../factories/payment-events.js";
import {
  activeCourses,
  paidPurchase,
  paymentId,
  purchaseOf,
  refundsOf,
  unpaidPurchase,
} from "../../factories/purchases.js";
import { paymentsOf } from "../../server/emulators.js";
import { reconcile } from "../../server/payment-jobs.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const admin = await server.signedIn("admin");
beforeEach(() => {
  paymentsOf(server).faults.clear();
  paymentsOf(server).tricks.suppress = false;
});

const refund = (purchaseId: string, more: object = {}) =>
  server.post(`/api/admin/purchases/${purchaseId}/refund`, { reason: "asked for it", ...more }, admin.token);
const refused = refusal(409, "The payment provider refused the refund");

const listed = async (purchaseId: string) =>
  (await server.get("/api/admin/purchases", admin.token)).body.purchases.find(
    (one: { _id: string }) => one._id === purchaseId,
  );

describe("a refund is recognised by our own reference", () => {
  test("one of another origin with the same amount is not taken for it: refused is 409, and it can be tried again", async () => {
    const { purchaseId, paymentId: id, amount } = await paidPurchase(server);
    const half = amount / 2;
    await paymentsOf(server).refund(id, { amount: half, webhook: false });
    paymentsOf(server).faults.add({ kind: "error", status: 400, on: "payments.refund", times: 1 });
    expect(await refund(purchaseId)).toMatchObject(refused);
    expect(refundsOf(server, id).length).toBe(1);
    expect((await refund(purchaseId)).body).toMatchObject({ success: true, refundId: expect.stringMatching(/^rfnd_/) });
    expect(refundsOf(server, id).map((one) => one.amount)).toEqual([half, amount - half]);
    // A try after a refusal has a new reference.
    expect(refundsOf(server, id)[1]?.receipt).toBe(`refund-${purchaseId}-2`);
  });

  test("keys that the provider does not take refuse nothing: the refund stays asked for and is placed later", async () => {
    const { purchaseId, paymentId: id, amount } = await paidPurchase(server);
    paymentsOf(server).faults.add({ kind: "error", status: 401 });
    expect((await refund(purchaseId)).status).toBe(500);
    expect((await purchaseOf(server, purchaseId)).refunds?.map(({ state }) => state)).toEqual(["requested"]);
    paymentsOf(server).faults.clear();
    expect((await refund(purchaseId)).status).toBe(200);
    expect(refundsOf(server, id).map((one) => one.amount)).toEqual([amount]);
  });

  test("when all of it was refunded elsewhere, unreported, the purchase becomes refunded without another refund", async () => {
    const { learner, purchaseId, paymentId: id } = await paidPurchase(server);
    await paymentsOf(server).refund(id, { webhook: false });
    expect(await refund(purchaseId)).toMatchObject({ status: 200, body: { status: "refunded", refundId: null } });
    expect(refundsOf(server, id).length).toBe(1);
    expect(await activeCourses(server, learner)).toEqual([]);
    expect((await refund(purchaseId)).body).toMatchObject({ status: "refunded" });
    await expectRecount(server);
  });

  test("an attempt that failed, and whose payment was then refunded elsewhere, does not stay open", async () => {
    const { purchaseId, paymentId: id } = await paidPurchase(server);
    const { faults } = paymentsOf(server);
    faults.add({ kind: "error", on: "payments.refund", times: 9 });
    expect((await refund(purchaseId)).status).toBe(500);
    faults.clear();
    await paymentsOf(server).refund(id);
    await expect.poll(async () => (await purchaseOf(server, purchaseId)).status).toBe("refunded");
    await reconcile(server, { all: true });
    expect(refundsOf(server, id).length).toBe(1);
    const { refunds, nextCheckAt } = await purchaseOf(server, purchaseId);
    expect({ states: refunds?.map(({ state }) => state), nextCheckAt }).toEqual({ states: ["unneeded"] });
    await expectRecount(server);
  });

  test("a repeat after a lost answer keeps its reference", async () => {
    const { purchaseId, paymentId: id } = await paidPurchase(server);
    const { faults, tricks } = paymentsOf(server);
    tricks.suppress = true;
    faults.add({ kind: "lost-reply", on: "payments.refund", times: 1 });
    expect((await refund(purchaseId)).status).toBe(500);
    const [made] = refundsOf(server, id);
    expect(made?.receipt).toBe(made?.idempotencyKey);
    expect((await refund(purchaseId)).body).toMatchObject({ refundId: made?.id });
    expect(refundsOf(server, id).length).toBe(1);
  });
});

describe("a refund that failed", () => {
  test("flags the purchase, and another one can be asked for under a new reference", async () => {
    const { learner, purchaseId, paymentId: id } = await paidPurchase(server);
    paymentsOf(server).tricks.suppress = true;
    const { refundId } = (await refund(purchaseId)).body;
    const [first] = refundsOf(server, id);
    const event = refundEvent({ event: "refund.failed", id: refundId, paymentId: id, amount: first?.amount ?? 0 });
    for (let n = 0; n < 3; n += 1) await deliver(server, n === 2 ? `${event} ` : event);
    expect(await listed(purchaseId)).toMatchObject({ status: "completed", reviewReason: "refund_failed" });
    expect((await activeCourses(server, learner)).length).toBe(1);
    await paymentsOf(server).failRefund(refundId);
    const again = (await refund(purchaseId)).body;
    expect(again.refundId).not.toBe(refundId);
    expect(refundsOf(server, id).map(({ receipt }) => receipt)).toEqual([
      `refund-${purchaseId}-1`,
      `refund-${purchaseId}-2`,
    ]);
    paymentsOf(server).tricks.suppress = false;
    await deliver(server, refundEvent({ id: again.refundId, paymentId: id, amount: first?.amount ?? 0 }));
    expect(await listed(purchaseId)).toMatchObject({ status: "refunded", reviewReason: null });
    await expectRecount(server);
  });

  test("whose failure is reported after all is found by the reconciler as well", async () => {
    const { purchaseId } = await paidPurchase(server);
    paymentsOf(server).tricks.suppress = true;
    const { refundId } = (await refund(purchaseId)).body;
    await paymentsOf(server).failRefund(refundId);
    paymentsOf(server).tricks.suppress = false;
    await reconcile(server, { all: true });
    expect(await listed(purchaseId)).toMatchObject({ status: "completed", reviewReason: "refund_failed" });
  });
});

test("another purchase's payment, an unknown one and what is no payment are invalid", async () => {
  const [one, two] = [await paidPurchase(server), await paidPurchase(server)];
  for (const named of [two.paymentId, paymentId(), "", 7, { $gt: "" }]) {
    expect(await refund(one.purchaseId, { paymentId: named })).toMatchObject(refusal(400, "Invalid request data"));
  }
  expect([...refundsOf(server, one.paymentId), ...refundsOf(server, two.paymentId)]).toEqual([]);
});

describe("a dispute", () => {
  test.each(["created", "under_review", "won", "closed"])("that is %s flags the purchase", async (phase) => {
    const { learner, purchaseId, paymentId: id, amount } = await paidPurchase(server);
    await deliver(server, disputeEvent(phase, { id: `disp_${id}`, paymentId: id, amount }));
    expect(await listed(purchaseId)).toMatchObject({ status: "completed", reviewReason: "disputed" });
    expect((await activeCourses(server, learner)).length).toBe(1);
  });

  test.each([1, 3])("that is lost has the effect of a full refund, told %i times", async (times) => {
    const { learner, purchaseId, paymentId: id, amount } = await paidPurchase(server);
    const event = disputeEvent("lost", { id: `disp_${id}`, paymentId: id, amount: amount / 2 });
    await Promise.all(Array.from({ length: times }, () => deliver(server, event)));
    expect(await listed(purchaseId)).toMatchObject({ status: "refunded", reviewReason: "disputed" });
    expect(await activeCourses(server, learner)).toEqual([]);
    expect((await purchaseOf(server, purchaseId)).refundedMinor).toBe(amount);
    await expectRecount(server);
  });
});

describe("a refund of a disputed payment", () => {
  const disputed = refusal(409, "Payment is disputed");

  test.each([undefined, "chargeback", "pre_arbitration"])(
    "is refused while its %s is open or under review, and placed when it is won",
    async (phase) => {
      const { purchaseId, paymentId: id, amount } = await paidPurchase(server);
      const dispute = { id: `disp_${id}`, paymentId: id, amount, ...(phase && { phase }) };
      for (const event of ["created", "under_review"]) {
        await deliver(server, disputeEvent(event, dispute));
        expect(await refund(purchaseId)).toMatchObject(disputed);
      }
      expect([(await purchaseOf(server, purchaseId)).refunds, refundsOf(server, id)]).toEqual([undefined, []]);
      await deliver(server, disputeEvent("won", dispute));
      expect((await refund(purchaseId)).status).toBe(200);
      // A later dispute changes nothing about a refund that is placed.
      await deliver(server, disputeEvent("created", { ...dispute, id: `disp_later_${id}` }));
      expect((await refund(purchaseId)).status).toBe(200);
      expect(refundsOf(server, id).length).toBe(1);
    },
  );

  test.each(["retrieval", "fraud"])("answers the phase %s, until it becomes a chargeback", async (phase) => {
    const { purchaseId, paymentId: id, amount } = await paidPurchase(server);
    const dispute = { id: `disp_${id}`, paymentId: id, amount };
    await deliver(server, disputeEvent("created", { ...dispute, phase }));
    paymentsOf(server).faults.add({ kind: "error", on: "payments.refund", times: 1 });
    expect((await refund(purchaseId)).status).toBe(500);
    await deliver(server, disputeEvent("created", { ...dispute, id: `disp_other_${id}`, phase: "chargeback" }));
    expect(await refund(purchaseId)).toMatchObject(disputed);
    await deliver(server, disputeEvent("closed", { ...dispute, id: `disp_other_${id}`, phase: "chargeback" }));
    expect((await refund(purchaseId)).status).toBe(200);
    expect(refundsOf(server, id).length).toBe(1);
  });
});

describe("a refund that was asked for", () => {
  test("is repeated until it is placed, also after another payment has completed the purchase", async () => {
    const { purchaseId, orderId, amount } = await unpaidPurchase(server);
    const { razorpay_payment_id: wrong } = await paymentsOf(server).pay(orderId, { webhook: false });
    await deliver(server, paymentEvent("payment.captured", { id: wrong, purchaseId, amount: 100 }));
    paymentsOf(server).faults.add({ kind: "error", on: "payments.refund", times: 1 });
    expect((await refund(purchaseId, { paymentId: wrong })).status).toBe(500);
    await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId, amount }));
    expect((await purchaseOf(server, purchaseId)).status).toBe("completed");
    await reconcile(server, { all: true });
    expect(refundsOf(server, wrong).length).toBe(1);
  });

  test("pays the rest after an earlier refund in part has failed", async () => {
    const { learner, purchaseId, paymentId: id, amount } = await paidPurchase(server);
    const { id: part } = await paymentsOf(server).refund(id, { amount: 100, webhook: false });
    const { refundId: rest } = (await refund(purchaseId)).body;
    await paymentsOf(server).settled();
    await deliver(server, refundEvent({ id: rest, paymentId: id, amount: amount - 100 }));
    await paymentsOf(server).failRefund(part);
    await paymentsOf(server).settled();
    expect(await listed(purchaseId)).toMatchObject({ status: "completed" });
    const { refundId: again, ...answer } = (await refund(purchaseId)).body;
    expect(answer).toMatchObject({ success: true });
    expect([null, rest, part]).not.toContain(again);
    expect(refundsOf(server, id).map((one) => one.amount)).toEqual([100, amount - 100, 100]);
    await paymentsOf(server).settled();
    expect(await listed(purchaseId)).toMatchObject({ status: "refunded" });
    expect(await activeCourses(server, learner)).toEqual([]);
    await expectRecount(server);
  });

  test("and repeated pays one of two payments back", async () => {
    const { learner, purchaseId, orderId, paymentId: first } = await paidPurchase(server);
    const { razorpay_payment_id: second } = await paymentsOf(server).pay(orderId, { again: true });
    await paymentsOf(server).settled();
    for (let n = 0; n < 3; n += 1) {
      expect((await refund(purchaseId)).status).toBe(200);
      await paymentsOf(server).settled();
    }
    expect([refundsOf(server, first).length, refundsOf(server, second).length]).toEqual([1, 0]);
    expect((await activeCourses(server, learner)).length).toBe(1);
    expect((await refund(purchaseId, { paymentId: second })).status).toBe(200);
    await paymentsOf(server).settled();
    expect(await listed(purchaseId)).toMatchObject({ status: "refunded" });
    expect(await activeCourses(server, learner)).toEqual([]);
    await expectRecount(server);
  });
});
