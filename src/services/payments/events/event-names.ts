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
