import { z } from "zod";

const Notes = z.record(z.string(), z.string());

const Order = z.object({
  id: z.string(),
  /** Amount in minor units of `currency`. */
  amount: z.number(),
  amountPaid: z.number(),
  currency: z.string(),
  receipt: z.string().nullable(),
  status: z.enum(["created", "attempted", "paid"]),
  attempts: z.number(),
  notes: Notes,
  /** Capture that the order asks for, which overrides the account's setting. */
  capture: z.enum(["automatic", "manual"]).nullable().default(null),
  /** Time in seconds since the epoch, as everywhere at this provider. */
  createdAt: z.number(),
});
export type Order = z.infer<typeof Order>;

const Payment = z.object({
  id: z.string(),
  orderId: z.string(),
  /** Amount in minor units of `currency`. */
  amount: z.number(),
  amountRefunded: z.number(),
  currency: z.string(),
  status: z.enum(["authorized", "captured", "failed", "refunded"]),
  notes: Notes,
  createdAt: z.number(),
});
export type Payment = z.infer<typeof Payment>;

const Refund = z.object({
  id: z.string(),
  paymentId: z.string(),
  /** Amount in minor units of `currency`. */
  amount: z.number(),
  currency: z.string(),
  notes: Notes,
  receipt: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  status: z.enum(["processed", "failed"]).default("processed"),
  createdAt: z.number(),
});
export type Refund = z.infer<typeof Refund>;

/** Settings of the merchant's account. */
export interface Account {
  /** With `manual` a payment stays `authorized`. An order can ask for another capture. */
  capture: "automatic" | "manual";
}

export const Books = z.object({ orders: z.array(Order), payments: z.array(Payment), refunds: z.array(Refund) });
/** All money movements. Each list is oldest first. */
export type Books = z.infer<typeof Books>;

/** Reasons for a declined payment, in the provider's words. */
export const paymentFailure = {
  code: "BAD_REQUEST_ERROR",
  description: "Payment was declined by the emulator",
  source: "customer",
  step: "payment_authorization",
  reason: "payment_failed",
} as const;

/** Writes notes. The provider writes no notes as an empty array. */
function notesObject(notes: Record<string, string>): Record<string, string> | never[] {
  return Object.keys(notes).length === 0 ? [] : notes;
}

/** Builds an order in the provider's format. */
export function orderEntity(order: Order): Record<string, unknown> {
  return {
    id: order.id,
    entity: "order",
    amount: order.amount,
    amount_paid: order.amountPaid,
    amount_due: order.amount - order.amountPaid,
    currency: order.currency,
    receipt: order.receipt,
    offer_id: null,
    status: order.status,
    attempts: order.attempts,
    notes: notesObject(order.notes),
    created_at: order.createdAt,
  };
}

/** Builds a payment in the provider's format, for replies and for `payload.payment.entity`. */
export function paymentEntity(payment: Payment): Record<string, unknown> {
  const failed = payment.status === "failed";
  const captured = payment.status === "captured" || payment.status === "refunded";
  return {
    id: payment.id,
    entity: "payment",
    amount: payment.amount,
    currency: payment.currency,
    status: payment.status,
    order_id: payment.orderId,
    invoice_id: null,
    international: false,
    method: "upi",
    amount_refunded: payment.amountRefunded,
    refund_status: payment.amountRefunded === 0 ? null : payment.status === "refunded" ? "full" : "partial",
    captured,
    description: null,
    card_id: null,
    bank: null,
    wallet: null,
    vpa: "customer@emulator",
    email: "customer@example.com",
    contact: "+919999999999",
    notes: notesObject(payment.notes),
    fee: captured ? Math.round(payment.amount * 0.0236) : null,
    tax: captured ? Math.round(payment.amount * 0.0036) : null,
    error_code: failed ? paymentFailure.code : null,
    error_description: failed ? paymentFailure.description : null,
    error_source: failed ? paymentFailure.source : null,
    error_step: failed ? paymentFailure.step : null,
    error_reason: failed ? paymentFailure.reason : null,
    acquirer_data: { rrn: null, upi_transaction_id: null },
    created_at: payment.createdAt,
  };
}

/** Builds a refund in the provider's format, for replies and for `payload.refund.entity`. */
export function refundEntity(refund: Refund): Record<string, unknown> {
  return {
    id: refund.id,
    entity: "refund",
    amount: refund.amount,
    currency: refund.currency,
    payment_id: refund.paymentId,
    notes: notesObject(refund.notes),
    receipt: refund.receipt,
    acquirer_data: { arn: null },
    created_at: refund.createdAt,
    batch_id: null,
    status: refund.status,
    speed_processed: "normal",
    speed_requested: "normal",
  };
}
