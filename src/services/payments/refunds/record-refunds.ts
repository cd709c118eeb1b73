import type { Payments } from "../../../providers/razorpay.js";
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
  for (const { id, amountMinor, status, reference } of await deps.payments.refundsOfPayment(paymentId)) {
    const event = eventOf.get(status);
    if (!event || (await deps.db.PaymentEvent.exists({ paymentId, event, refundId: id, amountMinor }))) continue;
    const refund = { entity: { id, amount: amountMinor, payment_id: paymentId, receipt: reference } };
    const body = Buffer.from(JSON.stringify({ event, payload: { refund } }));
    await processPaymentEvent(deps, await storePaymentEvent(deps, body, null));
  }
}
