import { createHmac } from "node:crypto";
import { type Finding, same } from "./findings.js";
import { addCourses } from "./freezing.js";
import { enrolled, pay, refundsAt, type Sale, sell, stateOf, until } from "./sales.js";
import type { BenchUser, Target } from "./target.js";
import { metric } from "./watch.js";

async function checkout(target: Target): Promise<Finding[]> {
  const verify = ({ learner, purchaseId, orderId }: Sale, paymentId: string, signature?: string) => {
    const secret = target.env.RAZORPAY_KEY_SECRET ?? "";
    const own = createHmac("sha256", secret).update(`${orderId}|${paymentId}`).digest("hex");
    const body = { razorpay_order_id: orderId, razorpay_payment_id: paymentId, purchaseId };
    const signed = { ...body, razorpay_signature: signature ?? own };
    return target.call("POST", "/api/user/verify-razorpay", { token: learner.token, body: signed });
  };
  const failing = await sell(target, { paid: false });
  const failedPayment = await pay(target, failing.orderId, failing.purchaseId, { outcome: "failed" });
  const signed = await target.dev("razorpay", `orders/${failing.orderId}/pay`, { outcome: "failed", webhook: false });
  const failed = await verify(failing, failedPayment);

  const manual = await sell(target, { paid: false });
  const paid = await target.dev("razorpay", `orders/${manual.orderId}/pay`, { webhook: false });
  const verified = await verify(manual, paid.razorpay_payment_id, paid.razorpay_signature);
  const authorised = {
    ...{ method: "GET", path: /\/payments/ },
    async answer(reply: () => Promise<unknown>) {
      const { items = [], ...page } = (await reply()) as { items?: object[] };
      return { body: { ...page, items: items.map((item) => ({ ...item, status: "authorized" })) } };
    },
  };
  await target.payments.during(authorised, async () => {
    await target.db.Purchase.updateOne({ _id: manual.purchaseId }, { nextCheckAt: new Date() });
    await until(async () => (await stateOf(target, manual))[1] !== null);
  });
  const stranger = await target.user();
  const stolen = await verify({ ...manual, learner: stranger }, paid.razorpay_payment_id, paid.razorpay_signature);
  const guessed = await verify(manual, "pay_guessed", "0".repeat(64));
  return [
    same("the emulator signs a failed payment", signed.razorpay_signature || "nothing", "nothing"),
    same(
      "verification of a failed payment",
      [failed.status, failed.body.message],
      [403, "Purchase verification failed"],
    ),
    same("it enrolls", await enrolled(target, failing), false),
    same(
      "payment verified and never captured: verification, state, flag",
      [verified.status, ...(await stateOf(target, manual))],
      [200, "completed", "not_captured"],
    ),
    same("another learner's checkout result", stolen.status, 403),
    same("guessed signature", [guessed.status, guessed.body.message], [400, "Invalid payment signature"]),
  ];
}

async function providerReplies(target: Target, admin: BenchUser): Promise<Finding[]> {
  const without = (field: string) => async (reply: () => Promise<unknown>) => {
    const { [field]: gone, ...rest } = (await reply()) as Record<string, unknown>;
    return { body: { ...rest, [`${field}_v2`]: gone } };
  };
  const learner = await target.user();
  const [course] = await addCourses(target, [{}]);
  const body = { courseId: String(course) };
  const open = () => target.call("POST", "/api/user/purchase", { token: learner.token, body });
  const orders = { method: "POST", path: /\/orders$/, answer: without("amount") };
  const lines = target.log.length;
  const opened = await target.payments.during(orders, open);
  const named = target.log.slice(lines).some((line) => /create order.*amount/.test(line));
  const reopened = await open();
  const made = (await target.dev("razorpay", "records")).orders.filter(
    (one: any) => one.notes.purchaseId === reopened.body.purchaseId,
  );
  const sale = await sell(target);
  const refund = { method: "POST", path: /\/refund$/, answer: without("status") };
  const path = `/api/admin/purchases/${sale.purchaseId}/refund`;
  const asked = () => target.call("POST", path, { token: admin.token, body: { reason: "x" } });
  const refunded = await target.payments.during(refund, asked);
  const state = await stateOf(target, sale);
  const repeated = await asked();
  return [
    same("order reply without `amount`: answer, field named in the log", [opened.status, named], [500, true]),
    same("asked again: answer, orders at the provider", [reopened.status, made.length], [200, 1]),
    same("refund reply without `status`: answer, state", [refunded.status, state[0]], [500, "completed"]),
    same(
      "asked again: answer, refunds at the provider",
      [repeated.status, (await refundsAt(target, sale.paymentId)).length],
      [200, 1],
    ),
  ];
}

async function badRow(target: Target): Promise<Finding[]> {
  const { Purchase } = target.db;
  const [bad, good] = [await sell(target, { paid: false }), await sell(target, { paid: false })];
  const [badWatch, goodWatch] = [await sell(target, { paid: false }), await sell(target, { paid: false })];
  for (const { orderId } of [bad, good, badWatch]) {
    await target.dev("razorpay", `orders/${orderId}/pay`, { webhook: false });
  }
  const soon = (ms: number) => new Date(Date.now() + ms);
  // The provider has never heard of their orders, and says so.
  for (const { purchaseId } of [bad, badWatch]) {
    const unknown = { providerOrderId: `order_unknown_${purchaseId}` };
    await Purchase.updateOne(
      { _id: purchaseId },
      { $set: { ...unknown, orphanCheckAt: soon(-2_000), nextCheckAt: soon(-2_000) } },
    );
  }
  await Purchase.updateOne({ _id: good.purchaseId }, { nextCheckAt: soon(-1_000) });
  await Purchase.updateOne({ _id: goodWatch.purchaseId }, { orphanCheckAt: soon(-1_000), nextCheckAt: soon(-1_000) });
  await until(async () => (await stateOf(target, good))[0] === "completed");
  await until(
    async () => ((await Purchase.findById(goodWatch.purchaseId).lean())?.orphanCheckAt?.getTime() ?? 0) > Date.now(),
  );
  const isPutBack = async () =>
    ((await Purchase.findById(bad.purchaseId).orFail().lean()).nextCheckAt?.getTime() ?? 0) > Date.now();
  await until(isPutBack);
  const watched = await Purchase.findById(goodWatch.purchaseId).orFail().lean();
  return [
    same("a row that throws before it: the next paid purchase", (await stateOf(target, good))[0], "completed"),
    same("the row that throws is put back", await isPutBack(), true),
    same("the watch of orders goes on after it", (watched.orphanCheckAt?.getTime() ?? 0) > Date.now(), true),
    same("rows put back are counted", (await metric(target, "lyceum_payment_retries_total")) > 0, true),
  ];
}

async function currencies(target: Target): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [CURRENCY, price, minor] of [
    ["JPY", 1_500, 1_500],
    ["KWD", 1.234, 1_234],
    ["INR", 10.01, 1_001],
  ] as const) {
    const server = await target.another({ CURRENCY });
    const { orderId } = await sell(server, { paid: false, course: { coursePrice: price } });
    const { orders } = await target.dev("razorpay", "records");
    const { amount, currency } = orders.find((one: any) => one.id === orderId) ?? {};
    findings.push(same(`${price} ${CURRENCY} at the provider`, [amount, currency], [minor, CURRENCY]));
  }
  const RAZORPAY_WEBHOOK_SECRET = "first,7,and-a-long-rest-of-it";
  const server = await target.another({ RAZORPAY_WEBHOOK_SECRET });
  const event = { event: "payment.authorized", payload: {} };
  for (const part of RAZORPAY_WEBHOOK_SECRET.split(",")) {
    findings.push(
      same(`webhook signed with "${part}", a part of the secret`, (await server.deliver(event, part)).status, 400),
    );
  }
  const whole = await server.deliver(event, RAZORPAY_WEBHOOK_SECRET);
  findings.push(same("webhook signed with the whole secret", whole.status, 200));
  return findings;
}

/** Money that comes, or does not. */
export async function payments(target: Target): Promise<Finding[]> {
  const admin = await target.user("admin");
  return [
    ...(await checkout(target)),
    ...(await providerReplies(target, admin)),
    ...(await badRow(target)),
    ...(await currencies(target)),
  ];
}
