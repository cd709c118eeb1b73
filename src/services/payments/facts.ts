import type { Payment, Verdict } from "../../models/payments/payment.js";
import {
  type FailureCause,
  type Purchase,
  type RefundAttempt,
  type ReviewFlag,
  type ReviewReason,
  unfinishedStates,
} from "../../models/payments/purchase.js";

/*
 * Adding one fact to a purchase or a payment. Each function returns the same object when it knows the fact already.
 * position.ts decides what follows.
 */

/** Whether a purchase waits for money. */
export const isUnfinished = ({ status }: Pick<Purchase, "status">): boolean => unfinishedStates.includes(status);

/** Whether a payment completes a purchase, or completed it and was paid back. */
export const isPaid = ({ status }: Pick<Purchase, "status">): boolean =>
  status === "completed" || status === "refunded";

/** An unfinished purchase expires after this time. */
export const purchaseLifeMs = 24 * 60 * 60_000;

/** Whether a payment was made within the life of its purchase, whatever has become of the purchase. */
export const isInTime = ({ createdAt }: Pick<Purchase, "createdAt">, paidAt: Date): boolean =>
  paidAt.getTime() - createdAt.getTime() <= purchaseLifeMs;

/** A payment that nobody has reported yet. */
export const unreported = (_id: string): Payment => ({
  _id,
  purchaseId: null,
  amountMinor: null,
  captured: false,
  refunds: [],
  refundedMinor: 0,
  updatedAt: new Date(),
});

/** A payment that the provider captured or the checkout signed. */
export interface Proof {
  readonly paymentId: string;
  /** As it was reported. */
  readonly orderId?: string | undefined;
  /** Minor units, unless the report has another value there. */
  readonly amount?: unknown;
  readonly currency?: unknown;
  /** When it was made. */
  readonly paidAt?: Date | undefined;
  /** `signature`: only the checkout's signature proves the payment, and no capture is known yet. */
  readonly proof: "capture" | "signature";
  /** Key of the payment event that reported it; null for an answer of the provider. */
  readonly eventKey: string | null;
}

/** Why the money of a payment does not fit. More than the price does: customers may bear the provider's fee. */
export function wrongMoney(
  purchase: Pick<Purchase, "price" | "currency">,
  { amount, currency = purchase.currency }: Pick<Proof, "amount" | "currency">,
): "amount_mismatch" | "currency_mismatch" | undefined {
  const isEnough = Number.isSafeInteger(amount) && Number(amount) >= purchase.price.totalMinor;
  if (amount !== undefined && !isEnough) return "amount_mismatch";
  return currency === purchase.currency ? undefined : "currency_mismatch";
}

/** Adds a proof. A fact that this report leaves out stays as an earlier report had it. */
export function withProof(
  payment: Payment,
  { amount, currency, paidAt, proof }: Proof,
  { purchaseId, verdict }: { purchaseId: Payment["purchaseId"]; verdict: Verdict | undefined },
): Payment {
  const told = {
    purchaseId: purchaseId ?? payment.purchaseId,
    amountMinor: Number.isSafeInteger(amount) ? Number(amount) : (payment.amountMinor ?? null),
    ...(typeof currency === "string" && { currency }),
    captured: payment.captured || proof === "capture",
    ...(proof === "signature" && { signed: true }),
    ...(paidAt && { madeAt: payment.madeAt && payment.madeAt < paidAt ? payment.madeAt : paidAt }),
    ...(verdict && { verdict }),
  };
  const isKnown = Object.entries(told).every(([field, value]) => {
    const known = payment[field as keyof Payment] ?? null;
    return String(known) === String(value);
  });
  return isKnown && payment.provenAt ? payment : { ...payment, ...told, provenAt: payment.provenAt ?? new Date() };
}

/** How long a purchase that only a signature completed stays completed without a capture. */
const uncapturedLifeMs = 24 * 60 * 60_000;

/** Adds that the provider knows no capture of a signed payment. After a day it proves nothing any more. */
export function withoutCapture(payment: Payment, { completedAt }: Pick<Purchase, "completedAt">): Payment {
  if (payment.captured || payment.verdict !== "accepted") return payment;
  const isOver = completedAt !== null && Date.now() - completedAt.getTime() > uncapturedLifeMs;
  if (payment.isMissing && !isOver) return payment;
  return { ...payment, isMissing: true, ...(isOver && { verdict: "not_captured" }) };
}

/** Adds a refund, or a lost dispute. A repeated report counts once, at the highest amount reported. */
export function withRefund(payment: Payment, { refundId, amountMinor }: Payment["refunds"][number]): Payment {
  const before = payment.refunds.find((refund) => refund.refundId === refundId)?.amountMinor;
  if (before !== undefined && before >= amountMinor) return payment;
  const refunds = [...payment.refunds.filter((refund) => refund.refundId !== refundId), { refundId, amountMinor }];
  return { ...payment, refunds, refundedMinor: refunds.reduce((sum, refund) => sum + refund.amountMinor, 0) };
}

/** Adds a refund that the provider could not pay. */
export function withFailedRefund(payment: Payment, refundId: string): Payment {
  const { failedRefunds = [] } = payment;
  return failedRefunds.includes(refundId) ? payment : { ...payment, failedRefunds: [...failedRefunds, refundId] };
}

/** Adds a phase of a dispute. */
export function withDispute(payment: Payment, dispute: NonNullable<Payment["disputes"]>[number]): Payment {
  const { disputes = [] } = payment;
  const isKnown = disputes.some(({ subject }) => subject === dispute.subject);
  return isKnown ? payment : { ...payment, disputes: [...disputes, dispute] };
}

/** Closes an unfinished purchase, so that the learner can open another. The first cause stays. */
export const closed = (purchase: Purchase, failedBecause: FailureCause): Purchase =>
  isUnfinished(purchase) ? { ...purchase, failedBecause } : purchase;

/** A purchase of a learner whose data were erased. Nobody would get the course by another payment. */
export const erased = (purchase: Purchase): Purchase => ({ ...closed(purchase, "erased"), isErased: true });

/** Takes back the redemption that an unpaid purchase still holds. */
export function withoutCoupon(purchase: Purchase): Purchase {
  const { couponUse, ...rest } = purchase;
  return couponUse === undefined || isPaid(purchase) ? purchase : rest;
}

/** Has the provider asked about the purchase at once. */
export const askedNow = (purchase: Purchase): Purchase => ({ ...purchase, nextCheckAt: new Date() });

/** Flags a purchase for something that no payment of it tells. A reason about a subject is flagged once. */
export function flagged(purchase: Purchase, flag: Pick<ReviewFlag, "reason" | "subject" | "eventKey">): Purchase {
  const { reviews = [] } = purchase;
  if (reviews.some(({ reason, subject }) => reason === flag.reason && subject === flag.subject)) return purchase;
  const open = { at: new Date(), state: "open", note: null, by: null, settledAt: null } as const;
  return { ...purchase, reviews: [...reviews, { ...flag, ...open }] };
}

/** Adds whether an earlier sale of the course to the learner holds money as well. */
export const besideAnother = ({ isSecondSale: _before, ...purchase }: Purchase, isSecondSale: boolean): Purchase =>
  isSecondSale ? { ...purchase, isSecondSale } : purchase;

/** Settles the open flags of one reason with an operator's note. */
export function noted(purchase: Purchase, reason: ReviewReason, operator: Pick<ReviewFlag, "note" | "by">): Purchase {
  const { reviews = [] } = purchase;
  const isMeant = (flag: ReviewFlag) => flag.state === "open" && flag.reason === reason;
  if (!reviews.some(isMeant)) return purchase;
  const settled = { state: "settled", settledAt: new Date(), ...operator } as const;
  return { ...purchase, reviews: reviews.map((flag) => (isMeant(flag) ? { ...flag, ...settled } : flag)) };
}

/** Whether the provider has not finished a refund that an operator asked for. */
export const isLive = ({ state }: RefundAttempt): boolean => state === "requested" || state === "placed";

/** Whatever became of an attempt so far; an attempt that needed nothing stays. */
export const everyState: RefundAttempt["state"][] = ["requested", "placed", "paid", "refused", "failed"];

/** Changes the attempt with our reference, or with the provider's refund id, if it is in one of the states. */
export function withAttempt(
  purchase: Purchase,
  which: { reference?: string | undefined; refundId?: string | undefined },
  change: Partial<RefundAttempt>,
  from: readonly RefundAttempt["state"][] = ["requested"],
): Purchase {
  const { refunds = [] } = purchase;
  const index = refunds.findIndex(
    ({ reference, refundId }) =>
      (which.reference !== undefined && reference === which.reference) ||
      (which.refundId !== undefined && refundId === which.refundId),
  );
  const attempt = refunds[index];
  if (!attempt || !from.includes(attempt.state)) return purchase;
  if (Object.entries(change).every(([field, value]) => attempt[field as keyof RefundAttempt] === value))
    return purchase;
  return { ...purchase, refunds: refunds.with(index, { ...attempt, ...change }) };
}
