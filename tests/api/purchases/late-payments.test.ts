import { describe, expect, test } from "vitest";
import { expectCouponRecount, expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent, storedEvent } from "../../factories/payment-events.js";
import {
  activeCourses,
  checkoutOf,
  openPurchase,
  paymentId,
  purchaseOf,
  unpaidPurchase,
} from "../../factories/purchases.js";
import { paymentsOf } from "../../server/emulators.js";
import { reconcile } from "../../server/payment-jobs.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const admin = await server.signedIn("admin");
const { db } = server.deps;

const purchase = async (learner: SignedIn, courseId: unknown, coupon?: string) =>
  server.post("/api/user/purchase", { courseId: String(courseId), coupon }, learner.token);
const opened = async (...asked: Parameters<typeof purchase>): Promise<string> => {
  const { status, body } = await purchase(...asked);
  expect(status).toBe(200);
  return body.purchaseId;
};
const capture = (purchaseId: string, told: { id?: string; order_id?: string; created_at?: number } = {}) => {
  const event = JSON.parse(paymentEvent("payment.captured", { id: paymentId(), purchaseId }));
  Object.assign(event.payload.payment.entity, told);
  return deliver(server, JSON.stringify(event));
};
const couponOf = (code: string) => db.Coupon.findOne({ code }, { reserved: 1, redeemed: 1, _id: 0 }).lean();
const hour = 3_600_000;
const makeOlder = async (purchaseId: string, hours: number) => {
  const createdAt = new Date(Date.now() - hours * hour);
  const { _id } = await purchaseOf(server, purchaseId);
  await db.Purchase.collection.updateOne({ _id }, { $set: { createdAt, nextCheckAt: new Date(1) } });
};
const late = { status: "failed", reviewReason: "late_payment" };

describe("a coupon of one use", () => {
  test("buys one course, however often the learner goes on without it and pays the old orders", async () => {
    const learner = await server.signedIn();
    const { code } = await buildCoupon(server, admin, { maxRedemptions: 1 });
    const courses = await Promise.all(Array.from({ length: 4 }, () => buildCourse(server)));
    const withCoupon: string[] = [];
    for (const { _id } of courses) {
      const answer = await purchase(learner, _id, code);
      if (answer.status === 200) withCoupon.push(answer.body.purchaseId);
      else expect(answer).toMatchObject(refusal(404, "Coupon not valid"));
      await opened(learner, _id);
    }
    expect(withCoupon.length).toBe(1);
    expect(await couponOf(code)).toEqual({ reserved: 1, redeemed: 0 });
    for (const purchaseId of withCoupon) await capture(purchaseId);
    expect(await activeCourses(server, learner)).toEqual([String(courses[0]?._id)]);
    expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 1 });
    await expectCouponRecount(server);
    await expectRecount(server);
  });

  test("and of one use a learner is not freed by failed payments either", async () => {
    const learner = await server.signedIn();
    const { code } = await buildCoupon(server, admin);
    const courses = await Promise.all([buildCourse(server), buildCourse(server)]);
    const purchases: string[] = [];
    for (const { _id } of courses) {
      purchases.push(await opened(learner, _id, code));
      await deliver(server, paymentEvent("payment.failed", { id: paymentId(), purchaseId: purchases.at(-1) }));
    }
    for (const purchaseId of purchases) await capture(purchaseId);
    expect(await purchaseOf(server, purchases[0] ?? "")).toMatchObject({ status: "completed" });
    expect(await purchaseOf(server, purchases[1] ?? "")).toMatchObject(late);
    expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 1 });
    await expectCouponRecount(server);
  });

  test("stays reserved for the order that it was left out of until that order is a day old", async () => {
    const learner = await server.signedIn();
    const [course, elsewhere] = [await buildCourse(server), await buildCourse(server)];
    const { code } = await buildCoupon(server, admin);
    const former = await opened(learner, course._id, code);
    await opened(learner, course._id);
    expect(await couponOf(code)).toEqual({ reserved: 1, redeemed: 0 });
    expect(await purchase(learner, elsewhere._id, code)).toMatchObject(refusal(404, "Coupon not valid"));
    await reconcile(server, { all: true });
    expect(await couponOf(code)).toEqual({ reserved: 1, redeemed: 0 });
    await makeOlder(former, 25);
    await reconcile(server);
    expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 0 });
    expect((await purchase(learner, elsewhere._id, code)).status).toBe(200);
    await capture(former);
    expect(await purchaseOf(server, former)).toMatchObject(late);
    await expectCouponRecount(server);
  });

  test.each(["is left out", "fails"])(
    "goes over from a purchase that %s to a new one, and back to the one that is paid",
    async (how) => {
      const learner = await server.signedIn();
      const course = await buildCourse(server);
      const { code } = await buildCoupon(server, admin, { maxRedemptions: 1 });
      const former = await opened(learner, course._id, code);
      if (how === "is left out") await opened(learner, course._id);
      else await deliver(server, paymentEvent("payment.failed", { id: paymentId(), purchaseId: former }));
      const check = { courseId: String(course._id), code };
      expect((await server.post("/api/user/coupon/check", check, learner.token)).status).toBe(200);
      const again = await opened(learner, course._id, code);
      expect(await couponOf(code)).toEqual({ reserved: 1, redeemed: 0 });
      await capture(former);
      expect(await purchaseOf(server, former)).toMatchObject({ status: "completed", reviewReason: null });
      expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 1 });
      await capture(again);
      expect(await purchaseOf(server, again)).toMatchObject(late);
      expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 1 });
      await expectCouponRecount(server);
      await expectRecount(server);
    },
  );

  test("is used up by a purchase that completes at an old price", async () => {
    const learner = await server.signedIn();
    const [course, elsewhere] = [await buildCourse(server), await buildCourse(server)];
    const { code } = await buildCoupon(server, admin, { maxRedemptions: 1 });
    const first = await opened(learner, course._id, code);
    await db.Course.updateOne({ _id: course._id }, { coursePrice: 5000 });
    const second = await opened(learner, course._id, code);
    await capture(first);
    await makeOlder(second, 25);
    await reconcile(server);
    expect(await purchaseOf(server, first)).toMatchObject({ status: "completed" });
    expect(await purchase(learner, elsewhere._id, code)).toMatchObject(refusal(404, "Coupon not valid"));
    await expectCouponRecount(server);
  });

  test("is released after a day also while the provider does not answer", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const { code } = await buildCoupon(server, admin);
    const former = await opened(learner, course._id, code);
    await opened(learner, course._id);
    await makeOlder(former, 73);
    paymentsOf(server).faults.add({ kind: "error", on: "orders.payments", times: 1 });
    expect(await reconcile(server)).toMatchObject({ "provider away": 1 });
    expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 0 });
  });

  test("that was switched off is not kept alive by leaving it out and coming back", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const { code } = await buildCoupon(server, admin);
    await opened(learner, course._id, code);
    const without = await opened(learner, course._id);
    await db.Coupon.updateOne({ code }, { active: false });
    const check = { courseId: String(course._id), code };
    expect(await server.post("/api/user/coupon/check", check, learner.token)).toMatchObject(
      refusal(404, "Coupon not valid"),
    );
    expect(await purchase(learner, course._id, code)).toMatchObject(refusal(404, "Coupon not valid"));
    expect(await opened(learner, course._id)).toBe(without);
  });

  test("typed for a free course is ignored", async () => {
    const learner = await server.signedIn();
    const [free, paid] = [await buildCourse(server, { coursePrice: 0 }), await buildCourse(server)];
    const { code } = await buildCoupon(server, admin);
    const { body } = await purchase(learner, free._id, code);
    expect(body).toEqual({ success: true, purchaseId: expect.any(String), orderId: null, keyId: null, enrolled: true });
    expect(await purchase(learner, free._id, code)).toMatchObject(refusal(409, "Course already purchased"));
    expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 0 });
    expect((await purchase(learner, paid._id, code)).status).toBe(200);
  });
});

describe("an old price", () => {
  test("that expired with its purchase does not complete it for ever", async () => {
    const { learner, course, purchaseId } = await unpaidPurchase(server, { coursePrice: 100 });
    await makeOlder(purchaseId, 25);
    await db.Course.updateOne({ _id: course._id }, { coursePrice: 1000 });
    // The reconciler has not looked at it yet.
    const event = paymentEvent("payment.captured", { id: paymentId(), purchaseId });
    await deliver(server, event);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "pending", reviewReason: "late_payment" });
    expect(await storedEvent(server, event)).toMatchObject({ state: "review", reviewReason: "late_payment" });
    await reconcile(server);
    await capture(purchaseId);
    expect(await purchaseOf(server, purchaseId)).toMatchObject(late);
    expect(await activeCourses(server, learner)).toEqual([]);
  });

  const ago = (hours: number) => Math.floor((Date.now() - hours * hour) / 1_000);
  const completed = { status: "completed", reviewReason: null };

  test.each([
    ["completes an expired purchase while it is not below the price of today", 25, 1, {}, completed],
    ["completes one that was paid within the day and reported later", 40, 1e6, { created_at: ago(20) }, completed],
    ["is not kept by a time of payment before the purchase", 25, 1e6, { created_at: 1 }, late],
    ["is not kept by a time of payment that is to come", 25, 1e6, { created_at: ago(-24) }, late],
  ])("%s", async (_, hours, coursePrice, told, ends) => {
    const { course, purchaseId } = await unpaidPurchase(server);
    await makeOlder(purchaseId, hours);
    await reconcile(server);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "failed" });
    await db.Course.updateOne({ _id: course._id }, { coursePrice });
    await capture(purchaseId, told);
    expect(await purchaseOf(server, purchaseId)).toMatchObject(ends);
  });

  test("that the educator changed completes a purchase within the day, and no later", async () => {
    const [soon, tooLate] = [await unpaidPurchase(server), await unpaidPurchase(server)];
    for (const { learner, course } of [soon, tooLate]) {
      await db.Course.updateOne({ _id: course._id }, { coursePrice: 2000 });
      await openPurchase(server, learner, course);
    }
    await makeOlder(tooLate.purchaseId, 25);
    for (const { purchaseId } of [soon, tooLate]) await capture(purchaseId);
    expect(await purchaseOf(server, soon.purchaseId)).toMatchObject({ status: "completed", reviewReason: null });
    expect(await purchaseOf(server, tooLate.purchaseId)).toMatchObject(late);
  });

  test("does not come back by leaving a coupon out", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server, { coursePrice: 100, discount: 0 });
    const { code } = await buildCoupon(server, admin, { value: 10 });
    const former = await opened(learner, course._id);
    await opened(learner, course._id, code);
    await db.Course.updateOne({ _id: course._id }, { coursePrice: 1000 });
    await capture(former);
    expect(await purchaseOf(server, former)).toMatchObject(late);
  });
});

describe("a payment that came too late", () => {
  test("is refused by the verification as well, and is in front of an operator", async () => {
    const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
    await makeOlder(purchaseId, 25);
    await db.Course.updateOne({ _id: course._id }, { coursePrice: 5000 });
    const { razorpay_payment_id: id } = await paymentsOf(server).pay(orderId, { webhook: false });
    const body = checkoutOf(server, { orderId, purchaseId }, id);
    const answer = await server.post("/api/user/verify-razorpay", body, learner.token);
    expect(answer).toMatchObject(refusal(403, "Purchase verification failed"));
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ reviewReason: "late_payment" });
    expect(await db.PaymentEvent.find({ paymentId: id }).lean()).toMatchObject([{ reviewReason: "late_payment" }]);
  });

  test.each(["verified first", "captured first"])("is judged by the time of its capture: %s", async (order) => {
    const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
    const id = paymentId();
    await makeOlder(purchaseId, 24.05);
    await db.Course.updateOne({ _id: course._id }, { coursePrice: 5000 });
    const body = checkoutOf(server, { orderId, purchaseId }, id);
    const verify = () => server.post("/api/user/verify-razorpay", body, learner.token);
    if (order === "verified first") expect((await verify()).status).toBe(403);
    await capture(purchaseId, { id, order_id: orderId, created_at: Math.floor((Date.now() - hour / 2) / 1_000) });
    expect((await verify()).status).toBe(200);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", reviewReason: null });
    expect(await db.PaymentEvent.countDocuments({ paymentId: id, state: "review" })).toBe(0);
  });

  test("is found by the reconciler, stays withheld, and the administrator pays it back", async () => {
    const { learner, course, purchaseId, orderId, amount } = await unpaidPurchase(server);
    const { razorpay_payment_id: id } = await paymentsOf(server).pay(orderId, { webhook: false });
    await deliver(server, paymentEvent("payment.failed", { id: paymentId(), purchaseId }));
    await makeOlder(purchaseId, 25);
    await db.Course.updateOne({ _id: course._id }, { coursePrice: 5000 });
    await deliver(server, paymentEvent("payment.captured", { id, purchaseId, orderId, amount }));
    expect(await purchaseOf(server, purchaseId)).toMatchObject(late);
    // The price falls again: what was withheld is not completed behind the operator's back.
    await db.Course.updateOne({ _id: course._id }, { coursePrice: 5 });
    expect(await reconcile(server, { all: true })).toMatchObject({ "needs review": 1 });
    expect(await purchaseOf(server, purchaseId)).toMatchObject(late);
    const order = { reason: "came too late", paymentId: id };
    expect((await server.post(`/api/admin/purchases/${purchaseId}/refund`, order, admin.token)).status).toBe(200);
    await paymentsOf(server).settled();
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "failed", reviewReason: null });
    expect(await db.PaymentEvent.countDocuments({ paymentId: id, state: "review" })).toBe(0);
    expect(await activeCourses(server, learner)).toEqual([]);
  });

  test("of a learner whose data were erased is flagged and completes nothing", async () => {
    const { learner, purchaseId, orderId } = await unpaidPurchase(server);
    const { code } = await buildCoupon(server, admin, { maxRedemptions: 1 });
    await opened(learner, (await buildCourse(server))._id, code);
    const { token, id: confirm } = learner;
    expect((await server.call("DELETE", "/api/user/data", { token, body: { confirm } })).status).toBe(200);
    await expect.poll(() => db.Purchase.countDocuments({ userId: learner.id })).toBe(0);
    expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 0 });
    const { razorpay_payment_id: id } = await paymentsOf(server).pay(orderId);
    await paymentsOf(server).settled();
    expect(await purchaseOf(server, purchaseId)).toMatchObject(late);
    expect(await db.PaymentEvent.find({ paymentId: id, event: "payment.captured" }).lean()).toMatchObject([
      { state: "review", reviewReason: "late_payment" },
    ]);
    await expectRecount(server);
    await expectCouponRecount(server);
  });
});
