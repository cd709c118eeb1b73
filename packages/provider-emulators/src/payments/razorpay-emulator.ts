import type { Delivery } from "../deliveries/delivery.js";
import type { WebhookingEmulator } from "../deliveries/webhooking-emulator.js";
import type { Attempt } from "./bookkeeper.js";
import type { Account, Books, Refund } from "./entities.js";
import type { DisputePhase } from "./events.js";

/** The checkout result that the browser application posts for verification. */
export interface CheckoutResult {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  /**
   * Lowercase hex HMAC-SHA256 of `<order id>|<payment id>` with the key secret. It is empty unless the payment
   * succeeded.
   */
  razorpay_signature: string;
}

export interface PayOptions extends Partial<Attempt> {
  /** False sends no event, as when the provider's webhooks are lost. */
  webhook?: boolean | undefined;
}

/** Razorpay's emulator: orders, checkout, refunds, signed webhooks and books. */
export interface RazorpayEmulator extends WebhookingEmulator {
  /** Settings that tests and developers may change. */
  readonly account: Account;
  /** Returns the address where a user pays an order in a browser. */
  checkoutUrl(orderId: string): string;
  /**
   * Pays an order as a customer does at the checkout. A captured payment, the default, sends `payment.captured` and
   * `order.paid`; a failed one sends `payment.failed`; manual capture sends `payment.authorized`. It resolves when the
   * provider has booked the payment.
   * @throws Error when the order does not exist, or is paid and `again` is not set.
   */
  pay(orderId: string, options?: PayOptions): Promise<CheckoutResult>;
  /** Captures an authorized payment, or a failed one after a late authorisation, and sends its events. */
  captureLate(paymentId: string, options?: { webhook?: boolean }): Promise<CheckoutResult>;
  /** Refunds from the provider's dashboard, completely unless `amount` (minor units) is set. */
  refund(paymentId: string, options?: { amount?: number; webhook?: boolean }): Promise<Refund>;
  /** Fails a refund that the bank could not pay. */
  failRefund(refundId: string, options?: { webhook?: boolean }): Promise<void>;
  /** Sends the event of a dispute's phase. It moves no money in the books. */
  dispute(paymentId: string, phase: DisputePhase): Promise<void>;
  /** Returns the provider's records for a comparison with the database. Amounts are in minor units. */
  records(): Books & { deliveries: readonly Delivery[] };
  /** Adds records of an earlier time without any event. Records whose ids are known stay as they are. */
  addRecords(records: Books): Promise<void>;
  /** Builds headers for a body, for tests that send their own events. */
  signWebhook(body: string | Uint8Array, options?: { id?: string }): Record<string, string>;
  /** Signs a checkout result, for tests with invented ids. */
  signCheckout(orderId: string, paymentId: string): string;
}
