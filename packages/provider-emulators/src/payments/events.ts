import { type Order, orderEntity, type Payment, paymentEntity, type Refund, refundEntity } from "./entities.js";

export const disputePhases = ["created", "under_review", "won", "lost", "closed"] as const;
export type DisputePhase = (typeof disputePhases)[number];

/** A webhook message before it is signed. */
export interface PaymentEvent {
  type:
    | "payment.authorized"
    | "payment.captured"
    | "payment.failed"
    | "order.paid"
    | "refund.processed"
    | "refund.failed"
    | `payment.dispute.${DisputePhase}`;
  body: string;
}

export function paymentAuthorized(payment: Payment): PaymentEvent {
  return event("payment.authorized", { payment: paymentEntity(payment) });
}

export function paymentCaptured(payment: Payment): PaymentEvent {
  return event("payment.captured", { payment: paymentEntity(payment) });
}

export function paymentFailed(payment: Payment): PaymentEvent {
  return event("payment.failed", { payment: paymentEntity(payment) });
}

export function orderPaid(order: Order, payment: Payment): PaymentEvent {
  return event("order.paid", { payment: paymentEntity(payment), order: orderEntity(order) });
}

export function refundProcessed(refund: Refund, payment: Payment): PaymentEvent {
  return event("refund.processed", { refund: refundEntity(refund), payment: paymentEntity(payment) });
}

export function refundFailed(refund: Refund, payment: Payment): PaymentEvent {
  return event("refund.failed", { refund: refundEntity(refund), payment: paymentEntity(payment) });
}

export function paymentDisputed(payment: Payment, phase: DisputePhase): PaymentEvent {
  const { id, amount, currency } = payment;
  const status = phase === "created" ? "open" : phase;
  const dispute = { id: id.replace("pay_", "disp_"), entity: "dispute", payment_id: id, amount, currency, status };
  return event(`payment.dispute.${phase}`, { payment: paymentEntity(payment), dispute });
}

function event(type: PaymentEvent["type"], entities: Record<string, Record<string, unknown>>): PaymentEvent {
  const payload = Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }]));
  const body = {
    entity: "event",
    account_id: "acc_LyceumEmulator",
    event: type,
    contains: Object.keys(entities),
    payload,
    created_at: Math.floor(Date.now() / 1000),
  };
  return { type, body: JSON.stringify(body) };
}
