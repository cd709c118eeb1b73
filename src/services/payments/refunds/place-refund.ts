import type { Db } from "../../../db/db.js";
import { failure } from "../../../lib/errors.js";
import { findPayment } from "../../../models/payments/payment.js";
import type { Purchase, RefundAttempt } from "../../../models/payments/purchase.js";
import { ProviderFault } from "../../../providers/razorpay.js";
import type { ProviderRefund } from "../../../providers/razorpay-replies.js";
import { withAttempt } from "../facts.js";
import { paidMinor } from "../position.js";
import { type ProviderDeps, settlePurchase } from "../settle-purchase.js";
import { recordRefundsOf } from "./record-refund.js";

export const RefundRefused = failure("refund_refused", 409, "The payment provider refused the refund");

export interface PlacedRefund {
  readonly purchase: Purchase;
  /** The provider's refund id; null when everything had been paid back before. */
  readonly refundId: string | null;
}

/**
 * Places a refund attempt at the provider, or repeats it.
 *
 *   1. The provider is asked for the refunds of the payment. A refund with our reference is this attempt, placed earlier.
 *   2. The amount that is left is stored, so that a repeat requests the same amount.
 *   3. The refund is requested under our reference.
 *   4. A refused refund may have been placed all the same, so the provider is asked once more before it is withdrawn.
 * @throws RefundRefused, then the attempt is withdrawn; ProviderFault, then it stays.
 */
export async function placeRefund(
  deps: ProviderDeps,
  purchase: Purchase,
  attempt: RefundAttempt,
): Promise<PlacedRefund> {
  const { db, payments } = deps;
  const { reference, paymentId } = attempt;
  try {
    // 1.
    const known = await payments.refundsOfPayment(paymentId).catch(ifRefused);
    const earlier = known.find((refund) => refund.reference === reference);
    if (earlier) return await accept(deps, purchase, attempt, earlier);
    // 2.
    const nowLeft = await amountLeft(db, purchase, paymentId, known);
    if (nowLeft !== undefined && nowLeft <= 0) {
      await storeChange(deps, purchase, attempt, { state: "unneeded" });
      await recordRefundsOf(deps, purchase, paymentId);
      const now = await db.Purchase.findById(purchase._id).lean<Purchase>();
      return { purchase: now ?? purchase, refundId: null };
    }
    const left = attempt.amountMinor ?? nowLeft;
    if (left !== undefined && attempt.amountMinor === null) {
      await storeChange(deps, purchase, attempt, { amountMinor: left });
    }
    // 3.
    const refund = await payments.refund({ paymentId, amountMinor: left, idempotencyKey: reference });
    return await accept(deps, purchase, attempt, refund);
  } catch (error) {
    if (!(error instanceof ProviderFault) || !error.refused) throw error;
    // 4.
    const known = await payments.refundsOfPayment(paymentId).catch(ifRefused);
    const placed = known.find((refund) => refund.reference === reference);
    if (placed) return accept(deps, purchase, attempt, placed);
    await storeChange(deps, purchase, attempt, { state: "refused" });
    throw RefundRefused(error);
  }
}

/** A payment that the provider does not know has no refunds. */
function ifRefused(error: unknown): ProviderRefund[] {
  if (error instanceof ProviderFault && error.refused) return [];
  throw error;
}

/** Minor units of a payment that are not paid back; undefined when its amount is not known. */
async function amountLeft(
  db: Db,
  purchase: Purchase,
  paymentId: string,
  refunds: readonly ProviderRefund[],
): Promise<number | undefined> {
  const payment = await findPayment(db, paymentId);
  const isItsPayment = paymentId === purchase.providerPaymentId;
  const whole = payment?.amountMinor ?? (isItsPayment ? paidMinor(purchase) : undefined);
  if (whole === undefined) return undefined;
  const atProvider = refunds.filter(({ status }) => status !== "failed");
  // A lost dispute is not among the provider's refunds, but it has been paid back too.
  const elsewhere = (payment?.refunds ?? []).filter(({ refundId }) => !refunds.some(({ id }) => id === refundId));
  return [...atProvider, ...elsewhere].reduce((left, refund) => left - refund.amountMinor, whole);
}

/** Changes an attempt that was not placed yet. @returns the changed purchase. */
async function storeChange(
  deps: ProviderDeps,
  purchase: Purchase,
  { reference }: RefundAttempt,
  change: Partial<RefundAttempt>,
): Promise<Purchase | undefined> {
  const settled = await settlePurchase(deps, purchase, (known) => withAttempt(known, { reference }, change));
  return settled?.purchase;
}

/** Stores that the provider accepted the refund. A refund that it could not pay is recorded. */
async function accept(
  deps: ProviderDeps,
  purchase: Purchase,
  attempt: RefundAttempt,
  { id, status }: ProviderRefund,
): Promise<PlacedRefund> {
  const changed = await storeChange(deps, purchase, attempt, { state: "placed", refundId: id });
  if (status === "failed") {
    await recordRefundsOf(deps, purchase, attempt.paymentId);
    throw RefundRefused();
  }
  return { purchase: changed ?? purchase, refundId: id };
}
