import { expect, test } from "vitest";
import { giveNumbers } from "../../src/services/invoices/number-invoices.js";
import { expectRecount } from "../assertions/sales-recount.js";
import { deliver, disputeEvent, paymentEvent, refundEvent, storedEvent } from "../factories/payment-events.js";
import { activeCourses, paymentId, purchaseOf, unpaidPurchase } from "../factories/purchases.js";
import { paymentsOf } from "../server/emulators.js";
import { startTestServer } from "../server/test-server.js";

/* Two payments of one purchase were captured, and the one that completed it is paid back: the other one takes its place. */

const server = await startTestServer();
const { db } = server.deps;

/** A purchase and the messages about two payments of it; the first completes it when it comes first. */
async function twoPayments(told: { amount?: number } = {}) {
  const unpaid = await unpaidPurchase(server, { coursePrice: 100, discount: 0 });
  const { purchaseId, amount } = unpaid;
  const [first, second] = [paymentId(), paymentId()];
  const messages = {
    first: paymentEvent("payment.captured", { id: first, purchaseId, ...told }),
    second: paymentEvent("payment.captured", { id: second, purchaseId, ...told }),
    refund: refundEvent({ id: `rfnd_${first}`, paymentId: first, amount }),
  };
  return { ...unpaid, messages, payments: { first, second } };
}

const orders = [
  ["first", "second", "refund"],
  ["first", "refund", "second"],
  ["second", "first", "refund"],
  ["second", "refund", "first"],
  ["refund", "first", "second"],
  ["refund", "second", "first"],
] as const;

test.each(orders)("the other one takes over: %s, %s, %s", async (...order) => {
  for (const told of [{}, { amount: 10_000 }]) {
    const { learner, course, purchaseId, messages, payments } = await twoPayments(told);
    for (const name of order) await deliver(server, messages[name]);
    const check = async () => {
      expect(await purchaseOf(server, purchaseId)).toMatchObject({
        ...{ status: "completed", providerPaymentId: payments.second, refundedMinor: 0, refundedAt: null },
        reviewReason: null,
      });
      expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
      expect(
        await db.PaymentEvent.countDocuments({ paymentId: { $in: Object.values(payments) }, state: "review" }),
      ).toBe(0);
    };
    await check();
    for (const name of order) await deliver(server, messages[name]);
    await check();
  }
  await expectRecount(server);
});

test("at once and repeated, they end the same way", async () => {
  const { learner, course, purchaseId, messages, payments } = await twoPayments();
  const all = Object.values(messages);
  await Promise.all([...all, ...all].map((message) => deliver(server, message)));
  await expect
    .poll(() => purchaseOf(server, purchaseId))
    .toMatchObject({ status: "completed", providerPaymentId: payments.second });
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expectRecount(server);
});

test("both paid back, the purchase is refunded, in any order", async () => {
  for (const order of orders) {
    const { learner, purchaseId, amount, messages, payments } = await twoPayments();
    const all = order.map((name) => messages[name]);
    all.splice(1, 0, refundEvent({ id: `rfnd_${payments.second}`, paymentId: payments.second, amount }));
    for (const message of all) await deliver(server, message);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", reviewReason: null });
    expect(await activeCourses(server, learner)).toEqual([]);
    expect(await db.PaymentEvent.countDocuments({ paymentId: { $in: Object.values(payments) }, state: "review" })).toBe(
      0,
    );
  }
  await expectRecount(server);
});

test("a lost dispute of the first one, too; one of another amount, or signed alone, does not take over", async () => {
  const disputed = await twoPayments();
  await deliver(server, disputed.messages.first);
  await deliver(server, disputed.messages.second);
  const { first } = disputed.payments;
  await deliver(server, disputeEvent("lost", { id: `disp_${first}`, paymentId: first, amount: disputed.amount }));
  expect(await purchaseOf(server, disputed.purchaseId)).toMatchObject({
    ...{ status: "completed", providerPaymentId: disputed.payments.second },
  });

  const wrong = await twoPayments();
  await deliver(server, wrong.messages.first);
  const { purchaseId } = wrong;
  await deliver(server, paymentEvent("payment.captured", { id: wrong.payments.second, purchaseId, amount: 1 }));
  await deliver(server, wrong.messages.refund);
  expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded" });

  const signed = await twoPayments();
  await deliver(server, signed.messages.first);
  const { learner, orderId } = signed;
  const id = signed.payments.second;
  const signature = paymentsOf(server).signCheckout(orderId, id);
  const body = { razorpay_order_id: orderId, razorpay_payment_id: id, razorpay_signature: signature };
  const verified = { ...body, purchaseId: signed.purchaseId };
  expect((await server.post("/api/user/verify-razorpay", verified, learner.token)).status).toBe(409);
  await deliver(server, signed.messages.refund);
  expect(await purchaseOf(server, signed.purchaseId)).toMatchObject({ status: "refunded" });
  expect((await server.post("/api/user/verify-razorpay", verified, learner.token)).status).toBe(409);
  await deliver(server, signed.messages.second);
  expect(await purchaseOf(server, signed.purchaseId)).toMatchObject({ status: "completed", providerPaymentId: id });
  await expectRecount(server);
});

test("a credit note about the first one has an invoice of the second after it", async () => {
  const { learner, purchaseId, messages, payments } = await twoPayments();
  const settings = server.deps.config.invoices;
  const numberAll = () => giveNumbers({ db, settings }, new Date(Date.now() + 60_000));
  for (const message of [messages.first, messages.refund]) await deliver(server, message);
  await numberAll();
  await deliver(server, messages.second);
  await numberAll();
  const documents = await db.Invoice.find({ purchaseId }).sort({ _id: 1 }).lean();
  expect(documents.map(({ kind, facts }) => [kind, facts.paymentId, facts.totalMinor])).toEqual([
    ["invoice", payments.first, 10_000],
    ["credit-note", payments.first, 10_000],
    ["invoice", payments.second, 10_000],
  ]);
  const shown = await server.call("GET", `/api/user/purchases/${purchaseId}/invoice`, { token: learner.token });
  expect(shown.headers.get("content-disposition")).toContain(documents[2]?.number);
});

test("a refund in part that comes before its capture is shown as one, and a failed payment is found by its order", async () => {
  const { purchaseId, amount, payments } = await twoPayments();
  const part = refundEvent({ id: `rfnd_${payments.first}`, paymentId: payments.first, amount: amount / 2 });
  await deliver(server, part);
  expect(await storedEvent(server, part)).toMatchObject({ state: "review", reviewReason: "unknown_purchase" });
  await deliver(server, paymentEvent("payment.captured", { id: payments.first, purchaseId }));
  expect(await storedEvent(server, part)).toMatchObject({ state: "review", reviewReason: "partial_refund" });

  for (const note of ["no purchase", "ffffffffffffffffffffffff", { a: 1 }]) {
    const unpaid = await unpaidPurchase(server);
    const told = { id: paymentId(), orderId: unpaid.orderId, purchaseId: note };
    await deliver(server, paymentEvent("payment.failed", told));
    expect(await purchaseOf(server, unpaid.purchaseId)).toMatchObject({ status: "failed" });
  }
});
