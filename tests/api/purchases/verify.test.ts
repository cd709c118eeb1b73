import { describe, expect, test } from "vitest";
import { expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { deliver, paymentEvent, refundEvent } from "../../factories/payment-events.js";
import { activeCourses, checkoutOf, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });

const checkout = (orderId: string, purchaseId: string) => checkoutOf(server, { orderId, purchaseId });
const verify = (body: unknown, learner: SignedIn) => server.post("/api/user/verify-razorpay", body, learner.token);
const completed = { status: 200, body: { success: true } };
const failed = refusal(403, "Purchase verification failed");

test("the checkout's signature alone completes the purchase; a repeat is a success", async () => {
  const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
  const body = checkout(orderId, purchaseId);
  expect(await verify(body, learner)).toMatchObject(completed);
  expect((await verify(body, learner)).body).toEqual({ success: true });
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  expect(await purchaseOf(server, purchaseId)).toMatchObject({ providerPaymentId: body.razorpay_payment_id });
  await expectRecount(server);
});

describe("refusals, in their order", () => {
  test.each(["razorpay_order_id", "razorpay_payment_id", "razorpay_signature", "purchaseId"])(
    "%s missing, empty or no string is invalid",
    async (name) => {
      const learner = await server.signedIn();
      const body: Record<string, unknown> = checkout("order_1", "ffffffffffffffffffffffff");
      for (const value of [undefined, "", "  ", 7, null, { $gt: "" }]) {
        expect(await verify({ ...body, [name]: value }, learner)).toMatchObject(refusal(400, "Invalid request data"));
      }
    },
  );

  test.each([
    ["short", (good: string) => good.slice(0, 63)],
    ["long", (good: string) => `${good}0`],
    ["upper-case", (good: string) => good.toUpperCase()],
    ["padded", (good: string) => ` ${good}`],
    ["not ASCII", () => "é".repeat(32)],
    ["of something else", () => "0".repeat(64)],
  ])("a %s signature is wrong, also for an unknown purchase", async (_name, change) => {
    const { learner, orderId, purchaseId } = await unpaidPurchase(server);
    const body = checkout(orderId, purchaseId);
    const wrong = { ...body, razorpay_signature: change(body.razorpay_signature) };
    expect(await verify(wrong, learner)).toMatchObject(refusal(400, "Invalid payment signature"));
    expect(await verify({ ...wrong, purchaseId: "nothing" }, learner)).toMatchObject(
      refusal(400, "Invalid payment signature"),
    );
    expect((await purchaseOf(server, purchaseId)).status).toBe("pending");
  });

  test("an unknown or malformed purchase, another learner's, or another order is not verified", async () => {
    const { learner, orderId, purchaseId } = await unpaidPurchase(server);
    const other = await unpaidPurchase(server);
    expect(await verify(checkout(orderId, "ffffffffffffffffffffffff"), learner)).toMatchObject(failed);
    expect(await verify(checkout(orderId, "nothing"), learner)).toMatchObject(failed);
    expect(await verify(checkout(orderId, purchaseId), other.learner)).toMatchObject(failed);
    expect(await verify(checkout(other.orderId, purchaseId), learner)).toMatchObject(failed);
    expect((await purchaseOf(server, purchaseId)).status).toBe("pending");
  });

  test("another payment of a completed purchase conflicts and is left for an operator", async () => {
    const { learner, orderId, purchaseId } = await unpaidPurchase(server);
    const first = checkout(orderId, purchaseId);
    const second = checkout(orderId, purchaseId);
    await verify(first, learner);
    // A hint about the second one, which is no report of its capture.
    await deliver(server, paymentEvent("order.paid", { id: second.razorpay_payment_id, orderId }));
    expect(await verify(second, learner)).toMatchObject(refusal(409, "Purchase already completed"));
    expect(await verify(second, learner)).toMatchObject(refusal(409, "Purchase already completed"));
    expect(await purchaseOf(server, purchaseId)).toMatchObject({
      status: "completed",
      providerPaymentId: first.razorpay_payment_id,
      reviewReason: "duplicate_charge",
    });
  });

  test("a refunded purchase conflicts, without effect; another payment of it flags it", async () => {
    const { learner, orderId, purchaseId, amount } = await unpaidPurchase(server);
    const body = checkout(orderId, purchaseId);
    await verify(body, learner);
    await deliver(server, refundEvent({ id: "rfnd_v", paymentId: body.razorpay_payment_id, amount }));
    expect(await verify(body, learner)).toMatchObject(refusal(409, "Purchase already completed"));
    const another = checkout(orderId, purchaseId);
    expect(await verify(another, learner)).toMatchObject(refusal(409, "Purchase already completed"));
    const { reviews, ...purchase } = await purchaseOf(server, purchaseId);
    expect(purchase).toMatchObject({ status: "refunded", reviewReason: "duplicate_charge" });
    expect(reviews?.map(({ subject }) => subject)).toEqual([another.razorpay_payment_id]);
    expect(await activeCourses(server, learner)).toEqual([]);
  });
});

test("eight verifications of two payments at once complete it by one of them", async () => {
  const { learner, orderId, purchaseId } = await unpaidPurchase(server);
  const bodies = [checkout(orderId, purchaseId), checkout(orderId, purchaseId)];
  const answers = await Promise.all([0, 1, 0, 1, 0, 1, 0, 1].map((i) => verify(bodies[i], learner)));
  const winner = (await purchaseOf(server, purchaseId)).providerPaymentId;
  const won = bodies.findIndex(({ razorpay_payment_id }) => razorpay_payment_id === winner);
  expect(answers.map(({ status }) => status)).toEqual([0, 1, 0, 1, 0, 1, 0, 1].map((i) => (i === won ? 200 : 409)));
  await expectRecount(server);
});

test.each(["captured as well", "failed, and there is another one"])(
  "a payment that an event called failed completes nothing by its signature; %s, the purchase completes",
  async (then) => {
    const { learner, course, purchaseId, orderId, amount } = await unpaidPurchase(server);
    const body = checkout(orderId, purchaseId);
    const id = body.razorpay_payment_id;
    await deliver(server, paymentEvent("payment.failed", { id, purchaseId, orderId }));
    const before = await purchaseOf(server, purchaseId);
    expect(await verify(body, learner)).toMatchObject(failed);
    expect(await purchaseOf(server, purchaseId)).toEqual(before);
    expect(await activeCourses(server, learner)).toEqual([]);
    expect(await server.deps.db.PaymentEvent.countDocuments({ purchaseId })).toBe(1);
    if (then === "captured as well") {
      await deliver(server, paymentEvent("payment.captured", { id, purchaseId, orderId, amount }));
      expect(await verify(body, learner)).toMatchObject(completed);
    } else expect(await verify(checkout(orderId, purchaseId), learner)).toMatchObject(completed);
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  },
);
