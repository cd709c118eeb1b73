import { describe, expect, test } from "vitest";
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
