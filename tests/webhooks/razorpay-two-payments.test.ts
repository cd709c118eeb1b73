import { expect, test } from "vitest";
import { giveNumbers } from "../../src/services/invoices/number-invoices.js";
import { expectRecount } from "../assertions/recount.js";
import { deliver, disputeEvent, paymentEvent, refundEvent, storedEvent } from "../factories/payment-events.js";
import { activeCourses, checkoutOf, paymentId, purchaseOf, unpaidPurchase } from "../factories/purchases.js";
import { paymentsOf } from "../server/emulators.js";
import { reconcile } from "../server/payment-jobs.js";
import { startTestServer } from "../server/test-server.js";

/* Two payments of one purchase were captured, and the one that completed it is paid back: the other one takes its place. */

const server = await startTestServer({ own: "recounts all rows" });
const { db } = server.deps;

/** A purchase and the messages about two payments of it; the first completes it when it comes first. */
async function twoPayments(told: { amount?: number } = {}) {
  const unpaid = await unpaidPurchase(server, { coursePrice: 100, discount: 0 });
  const { purchaseId, amount } = unpaid;
  const [first, second] = [paymentId(), paymentId()];
  const messages = {
    first: paymentEvent("payment.captured", { id: first, purchaseId, ...told }),
    second: paymentEvent("payment.captured", { id: second, purchaseId, ...told }),
    refund: refundEvent({ id: `rfnd_${first}`, paymentId: first, amount: told.amount ?? amount }),
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
  for (const told of [{}, { amount: 10_000 }, { amount: 10_100 }]) {
    const { learner, course, purchaseId, messages, payments } = await twoPayments(told);
    for (const name of order) await deliver(server, messages[name]);
    const check = async () => {
      expect(await purchaseOf(server, purchaseId)).toMatchObject({
        ...{ status: "completed", providerPaymentId: payments.second, refundedMinor: 0, refundedAt: null },
        reviewReason: told.amount === 10_100 ? "amount_mismatch" : null,
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
  const { learner, payments } = signed;
  const verified = checkoutOf(server, signed, payments.second);
  expect((await server.post("/api/user/verify-razorpay", verified, learner.token)).status).toBe(409);
  await deliver(server, signed.messages.refund);
  expect(await purchaseOf(server, signed.purchaseId)).toMatchObject({ status: "refunded" });
  expect((await server.post("/api/user/verify-razorpay", verified, learner.token)).status).toBe(409);
  await deliver(server, signed.messages.second);
  expect(await purchaseOf(server, signed.purchaseId)).toMatchObject({
    status: "completed",
    providerPaymentId: payments.second,
  });
  await expectRecount(server);
});

test.each([
  ["the refund is numbered before the other one is captured", ["first", "40", "60", "number", "second"]],
  ["the refund is not numbered yet", ["first", "40", "number", "60", "second"]],
  ["the other one was captured before", ["first", "second", "40", "number", "60"]],
  ["nothing is numbered yet", ["first", "second", "40", "60"]],
])("invoices and credit notes add up to the money: %s", async (_when, steps) => {
  const { learner, purchaseId, amount, messages, payments } = await twoPayments();
  const settings = server.deps.config.invoices;
  const part = (id: string, percent: number) =>
    refundEvent({ id: `rfnd_${id}_${percent}`, paymentId: id, amount: (amount * percent) / 100 });
  const net = async () => {
    await giveNumbers({ db, settings }, new Date(Date.now() + 60_000));
    const documents = await db.Invoice.find({ purchaseId }).lean();
    return documents.reduce((sum, { kind, facts }) => sum + facts.totalMinor * (kind === "invoice" ? 1 : -1), 0);
  };
  for (const step of steps) {
    if (step === "number") await net();
    else if (step === "first" || step === "second") await deliver(server, messages[step]);
    else await deliver(server, part(payments.first, Number(step)));
  }
  expect(await purchaseOf(server, purchaseId)).toMatchObject({
    status: "completed",
    providerPaymentId: payments.second,
  });
  expect(await net()).toBe(amount);
  const shown = await server.call("GET", `/api/user/purchases/${purchaseId}/invoice`, { token: learner.token });
  const newest = await db.Invoice.findOne({ purchaseId, "facts.paymentId": payments.second }).orFail().lean();
  expect(shown.headers.get("content-disposition")).toContain(newest.number);
  await deliver(server, part(payments.second, 40));
  expect(await net()).toBe((amount * 60) / 100);
  await deliver(server, part(payments.second, 60));
  expect(await net()).toBe(0);
});

test("a payment that was paid back at the provider without a word does not give access", async () => {
  const { learner, purchaseId, orderId } = await unpaidPurchase(server);
  const pay = (more = {}) => paymentsOf(server).pay(orderId, { webhook: false, ...more });
  const paid = [(await pay()).razorpay_payment_id, (await pay({ again: true })).razorpay_payment_id];
  await server.deps.db.Purchase.updateOne({ _id: purchaseId }, { nextCheckAt: new Date(1) });
  const [completing] = await server.deps.payments.paymentsOfOrder(orderId);
  const other = paid.find((id) => id !== completing?.id) ?? "";
  await paymentsOf(server).refund(other, { webhook: false });
  await reconcile(server);
  await paymentsOf(server).refund(completing?.id ?? "");
  await paymentsOf(server).settled();
  await reconcile(server, { all: true });
  expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded" });
  expect(await activeCourses(server, learner)).toEqual([]);
});

test("of a learner whose data were erased another payment is left to an operator", async () => {
  for (const isKnown of [true, false]) {
    const { learner, purchaseId, messages, payments } = await twoPayments();
    await deliver(server, messages.first);
    if (isKnown) await deliver(server, messages.second);
    await server.call("DELETE", "/api/user/data", { token: learner.token, body: { confirm: learner.id } });
    await expect.poll(() => db.Purchase.countDocuments({ userId: learner.id })).toBe(0);
    await deliver(server, messages.refund);
    if (!isKnown) await deliver(server, messages.second);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded" });
    expect(await storedEvent(server, messages.second)).toMatchObject({ state: "review", paymentId: payments.second });
  }
  await expectRecount(server);
});

test("a refund of a signed payment in part does not settle it, and order.paid is no capture", async () => {
  const signed = await twoPayments();
  const { learner, purchaseId, orderId, amount, messages, payments } = signed;
  await deliver(server, messages.first);
  const entity = { id: payments.second, order_id: orderId };
  await deliver(server, JSON.stringify({ event: "order.paid", payload: { payment: { entity } } }));
  const verified = checkoutOf(server, signed, payments.second);
  expect((await server.post("/api/user/verify-razorpay", verified, learner.token)).status).toBe(409);
  const open = { paymentId: payments.second, state: "review", reviewReason: "duplicate_charge" } as const;
  expect(await db.PaymentEvent.countDocuments(open)).toBe(1);
  await deliver(server, refundEvent({ id: "rfnd_part", paymentId: payments.second, amount: 100 }));
  expect(await purchaseOf(server, purchaseId)).toMatchObject({ reviewReason: "duplicate_charge" });
  await deliver(server, refundEvent({ id: "rfnd_rest", paymentId: payments.second, amount: amount - 100 }));
  expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", reviewReason: null });
});

test("a refund in part that comes before its capture is shown as one", async () => {
  const { purchaseId, amount, payments } = await twoPayments();
  const part = refundEvent({ id: `rfnd_${payments.first}`, paymentId: payments.first, amount: amount / 2 });
  await deliver(server, part);
  expect(await storedEvent(server, part)).toMatchObject({ state: "review", reviewReason: "unknown_purchase" });
  await deliver(server, paymentEvent("payment.captured", { id: payments.first, purchaseId }));
  expect(await storedEvent(server, part)).toMatchObject({ state: "review", reviewReason: "partial_refund" });
});
