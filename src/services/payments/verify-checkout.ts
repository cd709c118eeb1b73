import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import { findPayment } from "../../models/payments/payment.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { outcomeOf, recordProof } from "./record-proof.js";
import { saleTransaction } from "./sale-transaction.js";
import type { ProviderDeps } from "./settle-purchase.js";

export const InvalidPaymentSignature = failure("invalid_payment_signature", 400, "Invalid payment signature");
export const VerificationFailed = failure("verification_failed", 403, "Purchase verification failed");
export const PurchaseAlreadyCompleted = failure("purchase_already_completed", 409, "Purchase already completed");

/** What the checkout handed to the learner's browser. */
export interface CheckoutResult {
  readonly purchaseId: string;
  readonly orderId: string;
  readonly paymentId: string;
  /** Of order and payment, with our key secret. */
  readonly signature: string;
}

/**
 * Completes a learner's purchase by the checkout's signature; the enrollment is visible when this returns. Repeating it
 * with the payment that completed the purchase is a success.
 * @throws InvalidPaymentSignature, VerificationFailed (not this learner's purchase, another order, a payment that failed,
 *   or one that is withheld for review), PurchaseAlreadyCompleted (by another payment, which then flags the purchase; or
 *   refunded).
 */
export async function verifyCheckout(
  deps: ProviderDeps,
  userId: string,
  { purchaseId, orderId, paymentId, signature }: CheckoutResult,
): Promise<void> {
  const { db, log } = deps;
  if (!deps.payments.checkoutSigned(orderId, paymentId, signature)) throw InvalidPaymentSignature();
  const purchase = isObjectId(purchaseId)
    ? await db.Purchase.findOne(
        { _id: purchaseId, userId },
        { courseId: 1, pathId: 1, providerOrderId: 1, providerPaymentId: 1 },
      ).lean<Pick<Purchase, "_id" | "courseId" | "pathId" | "providerOrderId" | "providerPaymentId">>()
    : null;
  if (!purchase || purchase.providerOrderId !== orderId) throw VerificationFailed();
  const completed = purchase.providerPaymentId === paymentId;
  if (!completed && (await isKnownToHaveFailed(db, paymentId))) throw VerificationFailed();
  const report = { paymentId, orderId, proof: "signature", eventKey: null } as const;
  const settled = await saleTransaction(db, purchase, (session) => recordProof(deps, session, purchase._id, report));
  const outcome = outcomeOf(settled);
  if (outcome === "refunded" || outcome === "duplicate_charge") throw PurchaseAlreadyCompleted();
  if (outcome !== "completed") throw VerificationFailed();
  if (settled.was === "completed") return;
  log.info({ eventId: "purchase_completed", purchaseId, by: "checkout" }, "purchase completed");
}

/** Whether an event reports that the payment failed, and no capture is known. Its signature alone then proves no money. */
async function isKnownToHaveFailed(db: Db, paymentId: string): Promise<boolean> {
  if (!(await db.PaymentEvent.exists({ paymentId, event: "payment.failed" }))) return false;
  return !(await findPayment(db, paymentId))?.captured;
}
