const disputes = ["created", "under_review", "won", "lost", "closed"] as const;

/** The payment provider's events that have an effect: those that are applied, counted by name and documented. */
export const paymentEventNames = [
  "payment.captured",
  "payment.failed",
  "order.paid",
  "refund.processed",
  "refund.failed",
  ...disputes.map((phase) => `payment.dispute.${phase}` as const),
] as const;

export type PaymentEventName = (typeof paymentEventNames)[number];

/** Names come from outside: any other one is an event without effect. */
export const isPaymentEventName = (event: string): event is PaymentEventName =>
  (paymentEventNames as readonly string[]).includes(event);

export const isDispute = (event: string): boolean => isPaymentEventName(event) && event.startsWith("payment.dispute.");

/** A checkout that the browser proved by its signature and that completed nothing: stored by the server itself. */
export const checkoutVerified = "lyceum.checkout_verified";
/** A capture that the provider named when it was asked, and that completed nothing: stored by the server itself as well. */
export const captureFound = "lyceum.capture_found";

/** A capture that the provider named when it was asked. */
interface FoundCapture {
  readonly paymentId: string;
  readonly orderId: string | null;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** As the provider's notes name it: may be no purchase at all. */
  readonly purchaseId: unknown;
  readonly paidAt: Date | undefined;
}

/** Writes a found capture as the body of an event, in the form of the provider's webhooks. */
export function captureFoundBody({ paymentId, orderId, amount, currency, purchaseId, paidAt }: FoundCapture): Buffer {
  const created_at = paidAt && Math.ceil(paidAt.getTime() / 1_000) - 1;
  const entity = { id: paymentId, order_id: orderId, amount, currency, created_at, notes: { purchaseId } };
  return Buffer.from(JSON.stringify({ event: captureFound, payload: { payment: { entity } } }));
}
