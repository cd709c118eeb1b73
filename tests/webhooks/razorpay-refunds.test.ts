import { describe, expect, test } from "vitest";
import { giveNumbers } from "../../src/services/invoices/number-invoices.js";
import { expectRecount } from "../assertions/recount.js";
import { deliver, disputeEvent, paymentEvent, refundEvent, storedEvent } from "../factories/payment-events.js";
import {
  activeCourses,
  openPurchase,
  paidPurchase,
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
    const { learner, course, purchaseId, paymentId: id, amount } = await paidPurchase(server);
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

  test.each([["89910"], [-89910], [89910.5], [{}]])("of %j, which is no amount, revokes nothing", async (amount) => {
    const { learner, course, purchaseId, paymentId: id, amount: paid } = await paidPurchase(server);
    const refund = { entity: { id: `rfnd_${id}`, payment_id: id, amount } };
    const payload = { refund, payment: { entity: { id, amount: paid } } };
    const body = JSON.stringify({ event: "refund.processed", payload });
    expect(await deliver(server, body)).toMatchObject(received);
    const flagged = { status: "completed", reviewReason: "partial_refund" };
    expect(await purchaseOf(server, purchaseId)).toMatchObject(flagged);
    expect(await eventOf(body)).toMatchObject({ state: "processed", amountMinor: 0 });
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
    await reconcile(server);
    expect((await purchaseOf(server, purchaseId)).reviewReason).toBe("partial_refund");
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);

    const { id: refundId } = await paymentsOf(server).refund(id, { webhook: false });
    const named = { refund: { entity: { id: refundId, payment_id: id } } };
    const known = JSON.stringify({ event: "refund.processed", payload: named });
    await deliver(server, known);
    await reconcile(server);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", reviewReason: null });
    expect(await activeCourses(server, learner)).toEqual([]);
  });

  test("keeps what else was flagged about the purchase, also when that is flagged at the same moment", async () => {
    const { purchaseId, paymentId: id, amount } = await paidPurchase(server);
    // The payment is disputed while it is paid back.
    await Promise.all([
      deliver(server, disputeEvent("created", { id: "disp_flag", paymentId: id, amount })),
      deliver(server, refundEvent({ id: "rfnd_flag", paymentId: id, amount })),
    ]);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", reviewReason: "disputed" });
    await expectRecount(server);
  });
});

/* Two payments of one purchase were captured, and the one that completed it is paid back: the other one takes its place. */

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
