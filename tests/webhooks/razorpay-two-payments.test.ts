import { expect, test } from "vitest";
import { giveNumbers } from "../../src/services/invoices/number-invoices.js";
import { deliver, paymentEvent, refundEvent, storedEvent } from "../factories/payment-events.js";
import { paymentId, purchaseOf, unpaidPurchase } from "../factories/purchases.js";
import { startTestServer } from "../server/test-server.js";

/* Two payments of one purchase were captured, and the one that completed it is paid back: the other one takes its place. */

const server = await startTestServer({ own: "recounts all rows" });
const { db } = server.deps;

/** A purchase and the captures of two payments of it; the first completes it when it comes first. */
async function twoPayments() {
  const unpaid = await unpaidPurchase(server, { coursePrice: 100, discount: 0 });
  const [first, second] = [paymentId(), paymentId()];
  const captureOf = (id: string) => paymentEvent("payment.captured", { id, purchaseId: unpaid.purchaseId });
  return { ...unpaid, messages: { first: captureOf(first), second: captureOf(second) }, payments: { first, second } };
}

test.each([
  ["the refund is numbered before the other one is captured", 2, ["first", "40", "60", "number", "second"]],
  ["the refund is not numbered yet", 2, ["first", "40", "number", "60", "second"]],
  ["the other one was captured before", 1, ["first", "second", "40", "number", "60"]],
  ["nothing is numbered yet", 1, ["first", "second", "40", "60"]],
])("invoices and credit notes add up to the money: %s, %i invoices", async (_when, count, steps) => {
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
  const taken = { status: "completed", providerPaymentId: payments.second };
  expect(await purchaseOf(server, purchaseId)).toMatchObject(taken);
  expect(await net()).toBe(amount);
  const shown = await server.call("GET", `/api/user/purchases/${purchaseId}/invoice`, { token: learner.token });
  const invoices = await db.Invoice.find({ purchaseId, kind: "invoice" }).sort({ _id: 1 }).lean();
  expect(invoices.length).toBe(count);
  expect(shown.headers.get("content-disposition")).toContain(invoices.at(-1)?.number);
  await deliver(server, part(payments.second, 40));
  expect(await net()).toBe((amount * 60) / 100);
  await deliver(server, part(payments.second, 60));
  expect(await net()).toBe(0);
  const notes = await db.Invoice.find({ purchaseId, kind: "credit-note" }).sort({ _id: 1 }).lean();
  const [newest] = invoices.slice(-1);
  const ofNewest = notes.filter(({ facts }) => facts.invoiceNumber === newest?.number);
  expect(ofNewest.map(({ facts }) => facts.paymentId)).toEqual([payments.second, payments.second]);
});

test("a refund in part is in review until its capture comes, then a flag, and settled by the rest", async () => {
  const { purchaseId, amount, payments } = await twoPayments();
  const part = refundEvent({ id: `rfnd_${payments.first}`, paymentId: payments.first, amount: amount / 2 });
  await deliver(server, part);
  expect(await storedEvent(server, part)).toMatchObject({ state: "review", reviewReason: "unknown_purchase" });
  await deliver(server, paymentEvent("payment.captured", { id: payments.first, purchaseId }));
  expect(await storedEvent(server, part)).toMatchObject({ state: "processed", reviewReason: null });
  await deliver(server, part.replace("{", "{ "));
  const flagged = { status: "completed", refundedMinor: amount / 2, reviewReason: "partial_refund" };
  expect(await purchaseOf(server, purchaseId)).toMatchObject(flagged);
  await deliver(server, refundEvent({ id: "rfnd_rest", paymentId: payments.first, amount: amount / 2 }));
  expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", reviewReason: null });
  const open = { paymentId: payments.first, state: { $ne: "processed" as const } };
  expect(await db.PaymentEvent.countDocuments(open)).toBe(0);
});
