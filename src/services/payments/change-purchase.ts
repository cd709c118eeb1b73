import type { Config } from "../../config.js";
import type { Payment } from "../../models/payments/payment.js";
import type { Purchase, ReviewFlag } from "../../models/payments/purchase.js";
import type { Change } from "../../models/payments/purchase-queries.js";
import { isPaid, isUnfinished } from "./facts.js";
import type { Position } from "./position.js";

interface Circumstances {
  readonly now: Date;
  /** Key of the payment event that reported the fact. The flags that it raises name it. */
  readonly eventKey: string | null;
  /** For the invoice of a purchase that completes now. */
  readonly invoices: Config["invoices"];
}

/** The fields of a purchase that its position changes, but for its redemption of a coupon. */
export function changeTo(
  purchase: Purchase,
  payments: readonly Payment[],
  position: Position,
  circumstances: Circumstances,
): Change<Purchase> {
  const { now, invoices } = circumstances;
  const { status: was, providerPaymentId, formerPaymentIds = [], invoiceNumber, isErased } = purchase;
  const { status, payment, documents, nextCheckAt, refundedMinor, creditedMinor } = position;
  const [wasPaid, isNowPaid] = [isPaid(purchase), isPaid(position)];
  const isReplaced = wasPaid && isNowPaid && payment?._id !== providerPaymentId;
  const isNewlyPaid = !wasPaid && isNowPaid;
  const isWithdrawn = wasPaid && !isNowPaid;
  return {
    status,
    providerPaymentId: payment?._id,
    ...(isReplaced &&
      providerPaymentId && { formerPaymentIds: [...new Set([...formerPaymentIds, providerPaymentId])] }),
    ...(status !== "completed" && { isSecondSale: undefined }),
    completedAt: isNewlyPaid ? now : isNowPaid ? purchase.completedAt : null,
    refundedMinor,
    creditedMinor: refundedMinor > 0 || creditedMinor > 0 ? creditedMinor : undefined,
    refundedAt: status !== "refunded" ? null : was === "refunded" ? purchase.refundedAt : now,
    failedBecause: position.failedBecause,
    signatureOnly: status === "completed" && payment && !payment.captured ? true : undefined,
    nextCheckAt,
    ...(status === "completed" && nextCheckAt !== purchase.nextCheckAt && { checks: 0 }),
    ...(isUnfinished(purchase) && !isUnfinished(position) && { slot: undefined, orderLock: undefined }),
    ...(isNewlyPaid && { seller: invoices.seller, tax: invoices.tax, checkFailures: undefined }),
    ...(documents.invoice && { invoiceDueAt: now }),
    ...(documents.creditNote && { creditNoteDueAt: now }),
    // A numbered invoice is taken back by a credit note. Without one, nothing is left that must name an erased buyer.
    ...(isWithdrawn && { invoiceDueAt: undefined }),
    ...(isWithdrawn && invoiceNumber && { voidedInvoices: [...(purchase.voidedInvoices ?? []), invoiceNumber] }),
    ...(isWithdrawn && isErased && !invoiceNumber && { buyer: undefined }),
    ...reviewsIn(purchase, payments, position, circumstances),
  };
}

/** Bounds the document: beyond it, the oldest settled flags go. */
const maxFlags = 200;

/**
 * Brings the stored flags to the position. What an operator settled stays settled. Flags about payments of other purchases
 * stay as they are.
 */
function reviewsIn(
  purchase: Purchase,
  payments: readonly Payment[],
  { flags }: Position,
  { eventKey, now }: Circumstances,
): Change<Pick<Purchase, "reviews" | "reviewReason">> {
  const { reviews: stored, refunds = [] } = purchase;
  const isSame = (a: Pick<ReviewFlag, "reason" | "subject">) => (b: Pick<ReviewFlag, "reason" | "subject">) =>
    a.reason === b.reason && a.subject === b.subject;
  const isDecidedHere = ({ subject }: ReviewFlag) =>
    refunds.some(({ reference }) => reference === subject) ||
    payments.some(
      (payment) =>
        (payment._id === subject && payment.verdict) ||
        payment.failedRefunds?.includes(subject) ||
        payment.refunds.some(({ refundId }) => refundId === subject),
    );
  const known = (stored ?? []).map((flag): ReviewFlag => {
    const isInForce = flags.some(isSame(flag));
    if (flag.state === "open" && !isInForce && isDecidedHere(flag))
      return { ...flag, state: "settled", settledAt: now };
    if (flag.state === "settled" && isInForce && flag.by === null) return { ...flag, state: "open", settledAt: null };
    return flag;
  });
  const fresh = flags.filter((flag) => !known.some(isSame(flag)));
  const open = { at: now, state: "open", note: null, by: null, settledAt: null } as const;
  const disputes = payments.flatMap((payment) => payment.disputes ?? []);
  const raised = fresh.map((flag): ReviewFlag => {
    const ofDispute = disputes.find(({ subject }) => subject === flag.subject)?.eventKey;
    return { ...flag, eventKey: ofDispute ?? eventKey, ...open };
  });
  const all = [...known, ...raised];
  let surplus = all.length - maxFlags;
  const reviews = all.filter(({ state }) => state === "open" || surplus-- <= 0);
  const reviewReason = reviews.findLast(({ state }) => state === "open")?.reason ?? null;
  return { reviews: stored || raised.length > 0 ? reviews : undefined, reviewReason };
}
