import { describe, expect, test } from "vitest";
import { expectCouponRecount, expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { activeCourses, checkoutOf, paymentId, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
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
  test.each(["is left out", "fails", "has an old price"])(
    "goes over from a purchase that %s to a new one, and back to the one that is paid",
    async (how) => {
      const learner = await server.signedIn();
      const course = await buildCourse(server);
      const { code } = await buildCoupon(server, admin, { maxRedemptions: 1 });
      const former = await opened(learner, course._id, code);
      if (how === "is left out") await opened(learner, course._id);
      else if (how === "has an old price") await db.Course.updateOne({ _id: course._id }, { coursePrice: 5000 });
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

  test.each([true, false])("that was left out is kept for a day: paid later, while it is on (%s)", async (isActive) => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const { code } = await buildCoupon(server, admin, { maxRedemptions: 1 });
    const former = await opened(learner, course._id, code);
    await opened(learner, course._id);
    await db.Coupon.updateOne({ code }, { active: isActive });
    await makeOlder(former, 25);
    await capture(former);
    expect(await purchaseOf(server, former)).toMatchObject(isActive ? { status: "completed" } : late);
    expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: isActive ? 1 : 0 });
    await expectCouponRecount(server);
  });

  test("is released after a day also while the provider does not answer", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const { code } = await buildCoupon(server, admin);
    const former = await opened(learner, course._id, code);
    await opened(learner, course._id);
    await reconcile(server, { all: true });
    expect(await couponOf(code)).toEqual({ reserved: 1, redeemed: 0 });
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
    const invalid = refusal(404, "Coupon not valid");
    expect(await server.post("/api/user/coupon/check", check, learner.token)).toMatchObject(invalid);
    expect(await purchase(learner, course._id, code)).toMatchObject(invalid);
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

  test("that the educator changed completes no purchase that is a day old", async () => {
    const { learner, course, purchaseId } = await unpaidPurchase(server);
    await db.Course.updateOne({ _id: course._id }, { coursePrice: 2000 });
    await opened(learner, course._id);
    await makeOlder(purchaseId, 25);
    await capture(purchaseId);
    expect(await purchaseOf(server, purchaseId)).toMatchObject(late);
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
  test.each(["verified first", "captured first"])("is judged by the time of its capture: %s", async (order) => {
    const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
    const id = paymentId();
    await makeOlder(purchaseId, 24.05);
    await db.Course.updateOne({ _id: course._id }, { coursePrice: 5000 });
    const body = checkoutOf(server, { orderId, purchaseId }, id);
    const verify = () => server.post("/api/user/verify-razorpay", body, learner.token);
    if (order === "verified first") {
      expect(await verify()).toMatchObject(refusal(403, "Purchase verification failed"));
      expect(await purchaseOf(server, purchaseId)).toMatchObject({ reviewReason: "late_payment" });
      expect(await db.PaymentEvent.countDocuments({ paymentId: id })).toBe(0);
    }
    await capture(purchaseId, { id, order_id: orderId, created_at: Math.floor((Date.now() - hour / 2) / 1_000) });
    expect((await verify()).status).toBe(200);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", reviewReason: null });
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
    expect(await activeCourses(server, learner)).toEqual([]);
  });
});
