import type { Delivery } from "../deliveries/delivery.js";
import type { WebhookingEmulator } from "../deliveries/webhooking-emulator.js";
import type { Attempt } from "./bookkeeper.js";
import type { Account, Books, Refund } from "./entities.js";
import type { DisputePhase } from "./events.js";

/** What the checkout hands to the browser application, which posts it for verification. */
export interface CheckoutResult {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  /** Lowercase hex HMAC-SHA256 of `<order id>|<payment id>` with the key secret; empty unless the payment succeeded. */
  razorpay_signature: string;
}

export interface PayOptions extends Partial<Attempt> {
  /** false sends no event, as when the provider's webhooks are lost. */
  webhook?: boolean | undefined;
}

/** The payment provider's emulator: orders, checkout, refunds and signed webhooks, with books of its own. */
export interface PaymentsEmulator extends WebhookingEmulator {
  /** Settings that tests and developers may change. */
  readonly account: Account;
  /** Where a user pays an order in a browser. */
  checkoutUrl(orderId: string): string;
  /**
   * Pays an order the way a learner does at the checkout (captured by default) and sends `payment.captured` and
   * `order.paid`, or `payment.failed`; with manual capture `payment.authorized`. Resolves when the provider has booked it, not when the events arrived.
   * @throws when the order does not exist, or is paid and `again` is not set.
   */
  pay(orderId: string, options?: PayOptions): Promise<CheckoutResult>;
  /** Captures a payment that is authorized, or that had failed (a late authorisation), and sends its events. */
  captureLate(paymentId: string, options?: { webhook?: boolean }): Promise<CheckoutResult>;
  /** Refunds from the provider's own dashboard; wholly unless `amount` (minor units) is given. */
  refund(paymentId: string, options?: { amount?: number; webhook?: boolean }): Promise<Refund>;
  /** A refund that the bank could not pay. */
  failRefund(refundId: string, options?: { webhook?: boolean }): Promise<void>;
  /** Sends the event of a dispute's phase. No money moves in the books. */
  dispute(paymentId: string, phase: DisputePhase): Promise<void>;
  /** What the provider has recorded, to compare with the database. Amounts in minor units. */
  records(): Books & { deliveries: readonly Delivery[] };
  /** Headers for a body, for tests that post their own events. */
  signWebhook(body: string | Buffer, options?: { id?: string }): Record<string, string>;
  /** Signs a checkout result, for tests that make up their own ids. */
  signCheckout(orderId: string, paymentId: string): string;
}
