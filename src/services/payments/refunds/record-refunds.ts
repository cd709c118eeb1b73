import type { Payments } from "../../../providers/razorpay.js";
import type { ProviderRefund } from "../../../providers/razorpay-replies.js";
import type { EventEffect } from "../events/event-effect.js";
import { type PaymentEventDeps, processPaymentEvent, storePaymentEvent } from "../events/payment-events.js";

/** Events of refunds, by the status that the provider gives when it is asked. */
const eventOf = new Map([
  ["processed", "refund.processed"],
  ["failed", "refund.failed"],
]);

/**
 * Asks the provider for the refunds of a payment, and stores and applies those that no event reported, as their
 * webhooks would have been.
 */
export async function recordRefunds(
  deps: PaymentEventDeps & { readonly payments: Payments },
  paymentId: string,
): Promise<void> {
  for (const refund of await deps.payments.refundsOfPayment(paymentId))
    await recordFoundRefund(deps, paymentId, refund);
}

/**
 * Stores and applies a refund that no event reported.
 * @returns the effect; null when the refund is known or undecided; undefined when its effect did not finish.
 */
export async function recordFoundRefund(
  deps: PaymentEventDeps,
  paymentId: string,
  { id, amountMinor, status, reference }: ProviderRefund,
): Promise<EventEffect | null | undefined> {
  const event = eventOf.get(status);
  if (!event || (await deps.db.PaymentEvent.exists({ paymentId, event, refundId: id, amountMinor }))) return null;
  const refund = { entity: { id, amount: amountMinor, payment_id: paymentId, receipt: reference } };
  const body = Buffer.from(JSON.stringify({ event, payload: { refund } }));
  return processPaymentEvent(deps, await storePaymentEvent(deps, body, null));
}
