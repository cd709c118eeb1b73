import { expect, test } from "vitest";
import { commandsDuring } from "../../assertions/commands.js";
import { expectCouponRecount, expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent, refundEvent } from "../../factories/payment-events.js";
import { activeCourses, paymentId, purchaseOf } from "../../factories/purchases.js";
import { paymentsOf } from "../../server/emulators.js";
import { applyPendingEvents } from "../../server/payment-jobs.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const admin = await server.signedIn("admin");
const { db } = server.deps;

const purchase = (learner: SignedIn, courseId: unknown, coupon?: string, on = server) =>
  on.post("/api/user/purchase", { courseId: String(courseId), coupon }, learner.token);
const couponOf = async (code: string) => db.Coupon.findOne({ code }, { reserved: 1, redeemed: 1, _id: 0 }).lean();
const capture = (purchaseId: string, id = paymentId()) =>
  deliver(server, paymentEvent("payment.captured", { id, purchaseId }));

test("a purchase with a coupon is reserved, then redeemed by its payment, and keeps it when it is refunded", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 1000, discount: 10 });
  const { code } = await buildCoupon(server, admin);
  const { body } = await purchase(learner, course._id, ` ${code.toLowerCase().replace("0", "\uff10")}\u200b `);
  expect(body).toEqual({
    ...{ success: true, purchaseId: expect.any(String), orderId: expect.any(String), keyId: expect.any(String) },
    ...{ enrolled: false, amount: 450, currency: "INR", couponCode: code, discountAmount: 450 },
  });
  expect(await couponOf(code)).toEqual({ reserved: 1, redeemed: 0 });
  const order = paymentsOf(server)
    .records()
    .orders.find(({ receipt }) => receipt === body.purchaseId);
  expect(order).toMatchObject({ amount: 45_000 });

  const id = paymentId();
  await capture(body.purchaseId, id);
  expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 1 });
  await capture(body.purchaseId, id);
  await deliver(server, refundEvent({ id: "rfnd_1", paymentId: id, amount: 45_000 }));
  expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 1 });
  expect(await purchaseOf(server, body.purchaseId)).toMatchObject({ status: "refunded" });
  await expectRecount(server);
});

test("a coupon that takes everything off enrolls at once", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const { code } = await buildCoupon(server, admin, { value: 100, maxRedemptions: 1 });
  const answers = await Promise.all(Array.from({ length: 4 }, () => purchase(learner, course._id, code)));
  const [first] = answers.filter(({ status }) => status === 200);
  expect(first?.body).toEqual({
    ...{ success: true, purchaseId: expect.any(String), orderId: null, keyId: null, enrolled: true },
    ...{ couponCode: code, discountAmount: 899.1 },
  });
  const purchaseIds = answers.flatMap(({ status, body }) => (status === 200 ? [body.purchaseId] : []));
  expect(new Set(purchaseIds).size).toBe(1);
  expect(answers.filter(({ status }) => status !== 200).every(({ status }) => status === 409)).toBe(true);
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 1 });
  expect(await purchase(learner, course._id, code)).toMatchObject(refusal(409, "Course already purchased"));
});

test("the check of a coupon counts what the learner has used, and that of no other learner", async () => {
  const [learner, other] = [await server.signedIn(), await server.signedIn()];
  const [first, second] = [await buildCourse(server), await buildCourse(server)];
  const { code } = await buildCoupon(server, admin, { maxPerUser: 1 });
  const check = ({ token }: SignedIn) =>
    server.post("/api/user/coupon/check", { courseId: String(second._id), code }, token);
  expect((await check(learner)).status).toBe(200);
  await capture((await purchase(learner, first._id, code)).body.purchaseId);
  expect(await check(learner)).toMatchObject(refusal(404, "Coupon not valid"));
  expect((await check(other)).status).toBe(200);
});

test("a coupon that does not apply opens nothing and leaves what is open alone", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  expect(await purchase(learner, course._id, "UNKNOWN")).toMatchObject(refusal(404, "Coupon not valid"));
  expect(await db.Purchase.countDocuments({ userId: learner.id })).toBe(0);
  const open = (await purchase(learner, course._id)).body;
  expect(await purchase(learner, course._id, "")).toMatchObject(refusal(404, "Coupon not valid"));
  expect((await purchase(learner, course._id)).body).toEqual(open);
});

test("an unfinished purchase with the same coupon is gone on with; another coupon, or none, opens a new one", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 1000, discount: 0 });
  const half = await buildCoupon(server, admin, { maxRedemptions: 1 });
  const tenth = await buildCoupon(server, admin, { value: 10 });
  const first = (await purchase(learner, course._id, half.code)).body;
  expect((await purchase(learner, course._id, half.code)).body).toEqual(first);
  const check = { courseId: String(course._id), code: half.code };
  expect((await server.post("/api/user/coupon/check", check, learner.token)).body).toMatchObject({ amount: 500 });

  const second = (await purchase(learner, course._id, tenth.code)).body;
  expect(second).toMatchObject({ amount: 900, couponCode: tenth.code });
  // The orders that the coupons were left out of can still be paid.
  expect([await couponOf(half.code), await couponOf(tenth.code)]).toMatchObject([{ reserved: 1 }, { reserved: 1 }]);
  const third = (await purchase(learner, course._id)).body;
  expect(third).toMatchObject({ amount: 1000 });
  expect(third).not.toHaveProperty("couponCode");
  expect(await couponOf(tenth.code)).toMatchObject({ reserved: 1 });
  const fourth = (await purchase(learner, course._id, half.code)).body;
  await db.Course.updateOne({ _id: course._id }, { coursePrice: 800 });
  const fifth = (await purchase(learner, course._id, half.code)).body;
  expect(fifth).toMatchObject({ amount: 400, couponCode: half.code });
  const states = await db.Purchase.find({ userId: learner.id }, { status: 1 }).sort({ _id: 1 }).lean();
  expect(states.map(({ status }) => status)).toEqual(["failed", "failed", "failed", "failed", "pending"]);
  expect(new Set([first, second, third, fourth, fifth].map(({ purchaseId }) => purchaseId)).size).toBe(5);
  await expectCouponRecount(server);
});

test("requests at once that leave a coupon out keep it reserved once", async () => {
  const course = await buildCourse(server);
  const { code } = await buildCoupon(server, admin);
  for (let round = 0; round < 3; round += 1) {
    const learner = await server.signedIn();
    expect((await purchase(learner, course._id, code)).status).toBe(200);
    expect(await couponOf(code)).toEqual({ reserved: 1, redeemed: 0 });
    await Promise.all(Array.from({ length: 6 }, () => purchase(learner, course._id)));
    expect(await couponOf(code)).toEqual({ reserved: 1, redeemed: 0 });
    const { purchaseId } = (await purchase(learner, course._id, code)).body;
    await deliver(server, paymentEvent("payment.failed", { id: paymentId(), purchaseId }));
    expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 0 });
  }
});

test("thirty learners at once use a coupon of six exactly six times", async () => {
  const course = await buildCourse(server);
  const { code } = await buildCoupon(server, admin, { maxRedemptions: 6 });
  const learners: SignedIn[] = [];
  while (learners.length < 30) learners.push(...(await Promise.all([server.signedIn(), server.signedIn()])));
  const instance = await server.another();
  const answers = await Promise.all(
    learners.map((one, i) => purchase(one, course._id, code, i % 2 ? server : instance)),
  );
  // One that waited too long for its turn on a busy machine is refused as well; its purchase may be stored.
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(6);
  const refused = answers.filter(({ status }) => status !== 200 && status !== 500);
  expect(refused.every(({ body }) => body.message === "Coupon not valid")).toBe(true);
  expect(await couponOf(code)).toEqual({ reserved: 6, redeemed: 0 });
  const opened = await db.Purchase.find({ "coupon.code": code }).lean();
  expect(opened).toHaveLength(6);
  // Three are paid, twice each, and three fail, all at once.
  await Promise.all(
    opened.flatMap(({ _id }, i) => {
      const [id, purchaseId] = [paymentId(), String(_id)];
      if (i % 2) return [capture(purchaseId, id), capture(purchaseId, id)];
      return [deliver(server, paymentEvent("payment.failed", { id, purchaseId }))];
    }),
  );
  await applyPendingEvents(server, { asOf: new Date(Date.now() + 60_000) });
  expect(await couponOf(code)).toEqual({ reserved: 0, redeemed: 3 });
  await expectCouponRecount(server);
});

test("a learner who buys several courses at once uses a coupon once", async () => {
  const learner = await server.signedIn();
  const courses = await Promise.all(Array.from({ length: 5 }, () => buildCourse(server)));
  const { code } = await buildCoupon(server, admin);
  const instance = await server.another();
  const answers = await Promise.all(
    courses.map(({ _id }, i) => purchase(learner, _id, code, i % 2 ? server : instance)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  expect(await couponOf(code)).toEqual({ reserved: 1, redeemed: 0 });
  await expectCouponRecount(server);
});

test("a coupon costs at most three commands more, over the whole of a sale", async () => {
  const { code } = await buildCoupon(server, admin);
  const sale = async (coupon?: string) => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const { length } = await commandsDuring(server, async () => {
      await capture((await purchase(learner, course._id, coupon)).body.purchaseId);
    });
    return length;
  };
  await sale();
  const plain = await sale();
  expect((await sale(code)) - plain).toBeLessThanOrEqual(3);
});
