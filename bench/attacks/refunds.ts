import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Finding, same } from "./findings.js";
import { enrolled, pay, refundMessage, refundsAt, type Sale, sell, stateOf } from "./sales.js";
import type { BenchUser, Target } from "./target.js";

async function refunds(target: Target, admin: BenchUser): Promise<Finding[]> {
  const ask = async ({ purchaseId }: Sale, body: object = {}) => {
    const given = { reason: "asked for", ...body };
    const path = `/api/admin/purchases/${purchaseId}/refund`;
    const { status, body: reply } = await target.call("POST", path, { token: admin.token, body: given });
    return { status, message: reply.message, refundId: reply.refundId };
  };
  const refusing = {
    ...{ method: "POST", path: /\/refund$/ },
    answer: async () => ({ status: 400, body: { error: { code: "BAD_REQUEST_ERROR", description: "no balance" } } }),
  };
  const half = await sell(target);
  await target.dev("razorpay", `payments/${half.paymentId}/refund`, { amount: 40_000 });
  await sleep(1_000);
  const refused = await target.payments.during(refusing, () => ask(half));
  const again = await ask(half);
  const after = await ask(half);
  const paidBack = (await refundsAt(target, half.paymentId)).reduce((sum, { amount }) => sum + amount, 0);
  await sleep(1_000);

  const failed = await sell(target);
  const first = await ask(failed);
  const entity = { id: first.refundId, payment_id: failed.paymentId, amount: 99_900 };
  await target.deliver(refundMessage("refund.failed", entity));
  const flagged = await stateOf(target, failed);
  const review = await target.call("GET", "/api/admin/payment-events?state=review", { token: admin.token });
  const shown = JSON.stringify(review.body).includes("refund_failed");
  const references = async () => (await target.db.Purchase.findById(failed.purchaseId).orFail().lean()).refunds ?? [];
  await target.payments.during(refusing, () => ask(failed));
  const keys = new Set((await references()).map(({ reference }) => reference));
  return [
    same("refund that the provider refuses", refused, {
      status: 409,
      message: "The payment provider refused the refund",
    }),
    same("the same again, when it does not", again.status, 200),
    same("and once more: the same refund", after.refundId, again.refundId),
    same("half was paid back elsewhere: paid back in all", paidBack, 99_900),
    same("refund.failed: state and flag", flagged, ["completed", "refund_failed"]),
    same("refund.failed: in the events for review", shown, true),
    same("refund.failed: another attempt has a key of its own", keys.size, 2),
  ];
}

async function disputes(target: Target): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const phase of ["created", "under_review", "won", "closed", "lost"]) {
    const sale = await sell(target);
    const entity = { id: `disp_${randomBytes(6).toString("hex")}`, payment_id: sale.paymentId, amount: 99_900 };
    await target.deliver({ event: `payment.dispute.${phase}`, payload: { dispute: { entity } } });
    const lost = phase === "lost";
    const result = [...(await stateOf(target, sale)), await enrolled(target, sale)];
    const expected = [lost ? "refunded" : "completed", "disputed", !lost];
    findings.push(same(`dispute ${phase}: state, flag, access`, result, expected));
  }
  return findings;
}

async function secondPayment(target: Target, admin: BenchUser): Promise<Finding[]> {
  const sale = await sell(target);
  const second = await pay(target, sale.orderId, sale.purchaseId, { again: true });
  const flagged = await stateOf(target, sale);
  const path = `/api/admin/purchases/${sale.purchaseId}`;
  const call = (way: string, body: object) => target.call("POST", `${path}/${way}`, { token: admin.token, body });
  const foreign = await call("refund", { reason: "x", paymentId: (await sell(target)).paymentId });
  const refund = await call("refund", { reason: "paid twice", paymentId: second });
  const [returned] = await refundsAt(target, second);
  await target.deliver(refundMessage("refund.processed", { ...returned, payment_id: second }));
  const now = [(await stateOf(target, sale))[0], await enrolled(target, sale)];
  const kept = (await refundsAt(target, sale.paymentId)).length;
  const review = (body: object) => call("review", body);
  const settled = [
    (await review({ reason: "duplicate_charge", note: "" })).status,
    (await review({ reason: "duplicate_charge", note: "x".repeat(501) })).status,
    (await review({ reason: "disputed", note: "x" })).body.message,
    (await review({ reason: "duplicate_charge", note: "returned" })).status,
    (await review({ reason: "duplicate_charge", note: "returned" })).body.message,
    (
      await target.call("POST", "/api/admin/purchases/665f1c2ab7e4d90012ab34cd/review", {
        ...{ token: admin.token, body: { reason: "disputed", note: "x" } },
      })
    ).body.message,
  ];
  return [
    same("two payments of a purchase: state and flag", flagged, ["completed", "duplicate_charge"]),
    same("refund of another learner's payment", foreign.status, 400),
    same("refund of the second payment", [refund.status, returned?.paymentId === second], [200, true]),
    same("afterwards: state, access, refunds of the first payment", [...now, kept], ["completed", true, 0]),
    same("review: no note, long note, not flagged, settled, again, no such purchase", settled, [
      400,
      400,
      "Nothing to review",
      200,
      "Nothing to review",
      "Purchase not found",
    ]),
  ];
}

/** Money that goes back, or should not. */
export async function refundsAndDisputes(target: Target): Promise<Finding[]> {
  const admin = await target.user("admin");
  return [...(await refunds(target, admin)), ...(await disputes(target)), ...(await secondPayment(target, admin))];
}
