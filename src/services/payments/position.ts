import type { Payment } from "../../models/payments/payment.js";
import type { FailureCause, Purchase, PurchaseState, ReviewFlag } from "../../models/payments/purchase.js";
import { isInTime, isLive, isPaid, isUnfinished } from "./facts.js";

/** A reason to look at a purchase, and what it is about. */
export type Flag = Pick<ReviewFlag, "reason" | "subject">;

/** What follows from the facts of a purchase and its payments. The learner has access exactly while it is `completed`. */
export interface Position {
  readonly status: PurchaseState;
  /** Set while the purchase is `failed`. */
  readonly failedBecause: FailureCause | undefined;
  /** The payment that completes the purchase, or that completed it and was paid back. */
  readonly payment: Payment | undefined;
  /** Minor units of that payment. A lost dispute and a refund may be about the same money: never more than was paid. */
  readonly refundedMinor: number;
  /** Minor units of the price that were paid back: what its credit notes are about. */
  readonly creditedMinor: number;
  /** Reasons to look at it, unless an operator has settled them. */
  readonly flags: readonly Flag[];
  /** What the purchase does with the coupon that it was opened with. */
  readonly coupon: "none" | "reserved" | "redeemed";
  /** The documents that are due because of what is new. */
  readonly documents: { readonly invoice: boolean; readonly creditNote: boolean };
  /** When the provider is asked; undefined when nothing is left to ask. */
  readonly nextCheckAt: Date | undefined;
}

/**
 * Decides the state of a purchase and all that follows from it. The result does not depend on the order in which the facts
 * became known, with the exceptions that docs/purchase-states.md names: above all, of several payments that fit, the one that
 * completed the purchase first stays.
 * @param purchase with its terms, its closing, the refunds that operators asked for, and its position so far.
 * @param payments those that named the purchase, each with its verdict.
 */
export function positionOf(purchase: Purchase, payments: readonly Payment[], now: Date): Position {
  const ordered = payments.toSorted((a, b) => madeAt(a) - madeAt(b) || (a._id < b._id ? -1 : 1));
  const completing = completingPayment(purchase, ordered);
  const payment = completing ?? ordered.find((accepted) => isAccepted(accepted) && isPaidBack(purchase, accepted));
  // The payment that a signature proved turned out not to be captured, or not to fit. The checkout is over then.
  const withdrawnBecause = isPaid(purchase) ? "not_captured" : undefined;
  const failedBecause = purchase.failedBecause ?? withdrawnBecause;
  const status = statusOf(purchase, payment, {
    isCompleting: completing !== undefined,
    isClosed: failedBecause !== undefined,
  });
  const paidBack =
    payment && isPaidBack(purchase, payment) ? paidMinor(purchase, payment) : (payment?.refundedMinor ?? 0);
  const creditedMinor = creditedOf(purchase, status, payment, payments);
  return {
    status,
    failedBecause: status === "failed" ? failedBecause : undefined,
    payment,
    refundedMinor: paidBack,
    flags: flagsOf(purchase, ordered, status, payment),
    coupon: couponOf(purchase, status, now),
    creditedMinor,
    documents: documentsOf(purchase, status, payment, creditedMinor),
    nextCheckAt: nextQuestion(purchase, status, payment, now),
  };
}

/** When a payment was made. Without a word of it, the payment counts as the last one. */
const madeAt = (payment: Payment): number => payment.madeAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

const isAccepted = ({ verdict }: Payment): boolean => verdict === "accepted";

/** Minor units that a payment brought in: the price until a capture has reported the amount. */
export const paidMinor = ({ price }: Pick<Purchase, "price">, payment?: Payment): number =>
  payment?.amountMinor ?? price.totalMinor;

/** The id and the event of a dispute, which the subject of its flag names. */
function disputeIn(subject: string): { id: string; event: string } {
  const [id = "", event = ""] = subject.split(" ");
  return { id, event };
}

/** The bank took all of the payment back, whatever amount was known of it when the dispute was lost. */
const isLost = ({ disputes = [] }: Payment): boolean =>
  disputes.some(({ subject }) => subject.endsWith("payment.dispute.lost"));

/**
 * Whether a chargeback of a payment is open: the bank may take the money. A refund answers the phases before it. A phase
 * that is not known counts as a chargeback.
 */
export function hasOpenChargeback({ disputes = [] }: Payment): boolean {
  const told = disputes.map(({ subject, phase = "" }) => ({ ...disputeIn(subject), phase }));
  const closed = told.filter(({ event }) => ["won", "lost", "closed"].some((end) => event.endsWith(`.${end}`)));
  return told.some(
    ({ id, phase }) => phase !== "retrieval" && phase !== "fraud" && !closed.some((one) => one.id === id),
  );
}

/** Whether all of a payment was paid back. */
export const isPaidBack = (purchase: Pick<Purchase, "price">, payment: Payment): boolean =>
  isLost(payment) || (payment.refundedMinor > 0 && payment.refundedMinor >= paidMinor(purchase, payment));

/**
 * The present payment while it is accepted and not paid back, otherwise the first captured one that is. A signature alone
 * completes a purchase unless a payment of it was paid back. Nobody would get the course of an erased learner.
 */
function completingPayment(purchase: Purchase, payments: readonly Payment[]): Payment | undefined {
  const { providerPaymentId, isErased } = purchase;
  const fitting = payments.filter((payment) => isAccepted(payment) && !isPaidBack(purchase, payment));
  const present = fitting.find(({ _id }) => _id === providerPaymentId);
  if (present || isErased) return present;
  const isFirst = !payments.some((payment) => isAccepted(payment) && isPaidBack(purchase, payment));
  return fitting.find(({ captured, signed }) => captured || (isFirst && signed));
}

function statusOf(
  purchase: Purchase,
  payment: Payment | undefined,
  { isCompleting, isClosed }: { isCompleting: boolean; isClosed: boolean },
): PurchaseState {
  // A free purchase is completed from the beginning, without any payment.
  if (purchase.amount === 0) return purchase.status;
  if (payment) return isCompleting ? "completed" : "refunded";
  if (isClosed || !isUnfinished(purchase)) return "failed";
  return purchase.providerOrderId ? "pending" : "created";
}

function flagsOf(
  purchase: Purchase,
  payments: readonly Payment[],
  status: PurchaseState,
  current: Payment | undefined,
): Flag[] {
  const completing = status === "completed" ? current : undefined;
  return [
    ...(completing && purchase.isSecondSale ? [{ reason: "duplicate_charge", subject: completing._id } as const] : []),
    ...payments.flatMap((payment) => [
      ...(payment.disputes ?? []).map(({ subject }): Flag => ({ reason: "disputed", subject })),
      ...(payment === completing ? completingFlags(purchase, payment) : otherFlags(purchase, payment, status)),
      ...failedRefunds(purchase, payment),
    ]),
    ...refusedRefunds(purchase, payments),
  ];
}

function completingFlags({ price, currency }: Purchase, payment: Payment): Flag[] {
  const { _id: subject, amountMinor, captured, isMissing, refunds } = payment;
  return [
    ...(!captured && isMissing ? [{ reason: "not_captured", subject } as const] : []),
    // More than the price, or another report of the payment contradicts the one that completed the purchase.
    ...(amountMinor !== null && amountMinor !== price.totalMinor
      ? [{ reason: "amount_mismatch", subject } as const]
      : []),
    ...(payment.currency !== undefined && payment.currency !== currency
      ? [{ reason: "currency_mismatch", subject } as const]
      : []),
    ...refunds.map(({ refundId }) => ({ reason: "partial_refund", subject: refundId }) as const),
  ];
}

/** Flags of a payment that does not complete the purchase. Money that was paid back needs nobody. */
function otherFlags(purchase: Purchase, payment: Payment, status: PurchaseState): Flag[] {
  const { _id: subject, verdict, captured } = payment;
  if (verdict === undefined || isPaidBack(purchase, payment)) return [];
  const isSecond = verdict === "accepted" || (captured && status === "completed");
  return [
    ...(verdict === "accepted" ? [] : [{ reason: verdict, subject }]),
    ...(isSecond ? [{ reason: "duplicate_charge", subject } as const] : []),
  ];
}

function failedRefunds(purchase: Purchase, payment: Payment): Flag[] {
  const { failedRefunds: failed = [], refunds, verdict } = payment;
  if (verdict === undefined || isPaidBack(purchase, payment)) return [];
  const open = failed.filter((id) => !refunds.some(({ refundId }) => refundId === id));
  return open.map((subject) => ({ reason: "refund_failed", subject }));
}

/** A refund that the provider refused when the reconciler placed it stays flagged until its payment is paid back. */
function refusedRefunds(purchase: Purchase, payments: readonly Payment[]): Flag[] {
  const { refunds = [], reviews = [] } = purchase;
  const open = refunds.filter(({ reference, paymentId }) => {
    const payment = payments.find(({ _id }) => _id === paymentId);
    const isFlagged = reviews.some(({ reason, subject }) => reason === "refund_failed" && subject === reference);
    return isFlagged && !(payment && isPaidBack(purchase, payment));
  });
  return open.map(({ reference }) => ({ reason: "refund_failed", subject: reference }));
}

/** A learner who chose to go on without the coupon can still pay with it until the order is a day old. */
function couponOf(purchase: Purchase, status: PurchaseState, now: Date): Position["coupon"] {
  const { coupon, couponUse, failedBecause, isErased } = purchase;
  if (!coupon) return "none";
  if (isPaid({ status })) return "redeemed";
  if (status !== "failed") return "reserved";
  const isPayable = failedBecause === "learner" && !isErased && isInTime(purchase, now);
  return isPayable && couponUse !== undefined ? "reserved" : "none";
}

/**
 * Minor units of the price that were paid back. All payments of the purchase count together, so that money above the price
 * and a second payment can be paid back without effect.
 */
function creditedOf(
  purchase: Purchase,
  status: PurchaseState,
  current: Payment | undefined,
  payments: readonly Payment[],
): number {
  const priceMinor = purchase.price.totalMinor;
  if (status === "refunded") return priceMinor;
  if (status !== "completed" || !current) return 0;
  const kept = payments
    .filter((payment) => payment === current || (isAccepted(payment) && payment.captured))
    .filter((payment) => !isPaidBack(purchase, payment))
    .reduce((sum, payment) => sum + paidMinor(purchase, payment) - payment.refundedMinor, 0);
  return Math.max(0, priceMinor - kept);
}

/** An invoice is due each time that the purchase becomes completed, a credit note when money of the price goes back. */
function documentsOf(
  purchase: Purchase,
  status: PurchaseState,
  payment: Payment | undefined,
  creditedMinor: number,
): Position["documents"] {
  const { status: before, invoiceNumber, refundedMinor, creditedMinor: creditedBefore = refundedMinor } = purchase;
  const isNumbered = invoiceNumber !== undefined;
  if (!isPaid({ status: before })) return { invoice: payment !== undefined, creditNote: creditedMinor > 0 };
  if (!isPaid({ status })) return { invoice: false, creditNote: isNumbered };
  // An invoice that has no number yet names the present payment.
  if (before === "refunded" && status === "completed") return { invoice: isNumbered, creditNote: creditedMinor > 0 };
  return { invoice: false, creditNote: creditedMinor > creditedBefore };
}

const minuteMs = 60_000;
/** When the provider is asked for the capture of a purchase that only the checkout's signature completed. */
const captureCheckMs = 10 * minuteMs;
/** When the provider is asked once more whether a failed purchase was paid after all. */
const checkFailedAfterMs = 5 * minuteMs;
/** For how long, and after which pause, a purchase that is paid is asked about when it may have a second order. */
const secondOrderLifeMs = 3 * 24 * 60 * minuteMs;
export const secondOrderMs = 5 * minuteMs;

/** Whether the provider may have an order that the purchase does not know, from a second attempt, and it may be paid. */
export const mayHaveSecondOrder = (
  { secondAttemptAt, createdAt }: Pick<Purchase, "secondAttemptAt" | "createdAt">,
  now: number,
): boolean => secondAttemptAt !== undefined && now - createdAt.getTime() <= secondOrderLifeMs;

/** When the provider is asked about a purchase that has come to a new position; undefined when nothing is left to ask. */
function nextQuestion(
  purchase: Purchase,
  status: PurchaseState,
  payment: Payment | undefined,
  now: Date,
): Date | undefined {
  const { status: was, providerPaymentId, nextCheckAt } = purchase;
  const after = (ms: number) => new Date(now.getTime() + ms);
  const isWatched = mayHaveSecondOrder(purchase, now.getTime());
  const isRefunding = hasLiveRefund(purchase, status, payment);
  if (status === "completed") {
    if (was === "completed" && payment?._id === providerPaymentId) return nextCheckAt;
    // The payment that takes the place of another may have been paid back without a word.
    if (was === "completed" || was === "refunded" || isRefunding) return now;
    if (payment?.captured) return isWatched ? after(secondOrderMs) : undefined;
    return after(captureCheckMs);
  }
  if (status === "refunded") return was === "refunded" || isRefunding || isWatched ? nextCheckAt : undefined;
  if (status === "failed" && was === "completed") return now;
  if (status !== "failed" || was === "failed") return nextCheckAt;
  // A capture may still come. An earlier check stays.
  const check = after(checkFailedAfterMs);
  return nextCheckAt && nextCheckAt < check ? nextCheckAt : check;
}

/** A refund of the refunded payment itself has happened; one of another payment, or one that was not placed, has not. */
function hasLiveRefund({ refunds = [] }: Purchase, status: PurchaseState, payment: Payment | undefined): boolean {
  return refunds.some(
    (attempt) =>
      isLive(attempt) && (status !== "refunded" || attempt.paymentId !== payment?._id || attempt.state === "requested"),
  );
}
