import { createHash } from "node:crypto";
import { paymentsOf } from "../server/emulators.js";
import type { Answer, TestServer } from "../server/test-server.js";

type Given = Partial<{ id: string; amount: number; currency: string; orderId: string; purchaseId: unknown }>;

/** Builds a payment event with the given fields. */
export function paymentEvent(event: string, { id, amount, currency, orderId, purchaseId }: Given): string {
  const entity = { id, amount, currency, order_id: orderId, notes: { purchaseId } };
  return JSON.stringify({ event, payload: { payment: { entity } } });
}

export function refundEvent(refund: { id: string; paymentId: string; amount: number; event?: string }): string {
  const entity = { id: refund.id, payment_id: refund.paymentId, amount: refund.amount };
  return JSON.stringify({ event: refund.event ?? "refund.processed", payload: { refund: { entity } } });
}

/** Builds an event about a phase of a dispute. */
export function disputeEvent(
  event: string,
  { paymentId, ...dispute }: { id: string; paymentId: string; amount: number; phase?: string },
): string {
  const entity = { ...dispute, payment_id: paymentId };
  const payment = { entity: { id: paymentId, amount: dispute.amount } };
  return JSON.stringify({ event: `payment.dispute.${event}`, payload: { payment, dispute: { entity } } });
}

/** Posts a signed event as the payment provider does. */
export function deliver(
  server: TestServer,
  body: string | Buffer,
  headers: Record<string, string> = { "content-type": "application/json" },
): Promise<Answer> {
  return server.call("POST", "/razorpay", { body, headers: { ...headers, ...paymentsOf(server).signWebhook(body) } });
}

/** Finds the stored payment event of a body. */
export function storedEvent(server: TestServer, body: string | Buffer) {
  const eventKey = createHash("sha256").update(body).digest("hex");
  return server.deps.db.PaymentEvent.findOne({ eventKey }, { body: 0 }).lean();
}
