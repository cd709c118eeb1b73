import type { ClientSession } from "mongoose";
import type { Db } from "../../../db/db.js";
import { backoffMs } from "../../../lib/backoff.js";
import type { Payment } from "../../../models/payments/payment.js";
import {
  type Purchase,
  type PurchaseState,
  unfinishedStates,
  unpaidStates,
} from "../../../models/payments/purchase.js";
import { isLive } from "../facts.js";

/*
 * When the provider is asked about a purchase: `nextQuestion` after a new position, `nextCheck` after an answer. Both write
 * nothing, so that a test can simulate whole days.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An unfinished purchase expires after this time. */
export const purchaseLifeMs = 24 * hourMs;
/** When the provider is first asked about a purchase that no event reported on. */
export const firstCheckMs = 2 * minuteMs;
/** For how long a capture may still turn up after a purchase was opened. */
const lateCaptureMs = 3 * 24 * hourMs;

/** Limits of one run of the reconciler. */
export const pace = {
  rowsPerRun: 400,
  atOnce: 8,
  /** Purchases a second: well below the provider's rate limit. */
  perSecond: 20,
} as const;

/** Most learners pay within the first hour: until then the provider is asked often, later with pauses by age. */
const eagerMs = hourMs;
const eagerPauses = { firstMs: 2 * minuteMs, longestMs: 7 * minuteMs };
const latePauses = { ofAge: 1 / 4, longestMs: 6 * hourMs };

/** Whether a payment was made within the life of its purchase, whatever has become of the purchase. */
export const isInTime = ({ createdAt }: Pick<Purchase, "createdAt">, paidAt: Date): boolean =>
  paidAt.getTime() - createdAt.getTime() <= purchaseLifeMs;

/** When the provider is asked for the capture of a purchase that only the checkout's signature completed. */
const captureCheckMs = 10 * minuteMs;
/** When the provider is asked once more whether a failed purchase was paid after all. */
const checkFailedAfterMs = 5 * minuteMs;

/**
 * When the provider is asked about a purchase that has come to a new position; undefined when nothing is left to ask.
 * @param purchase at its position so far. @param to `hasLiveRefund`: the outcome of a refund is not known.
 */
export function nextQuestion(
  purchase: Purchase,
  { status, payment, hasLiveRefund }: { status: PurchaseState; payment: Payment | undefined; hasLiveRefund: boolean },
  now: Date,
): Date | undefined {
  const { status: was, providerPaymentId, nextCheckAt } = purchase;
  const after = (ms: number) => new Date(now.getTime() + ms);
  const isWatched = mayHaveSecondOrder(purchase, now.getTime());
  if (status === "completed") {
    if (was === "completed" && payment?._id === providerPaymentId) return nextCheckAt;
    // The payment that takes the place of another may have been paid back without a word.
    if (was === "completed" || was === "refunded" || hasLiveRefund) return now;
    if (payment?.captured) return isWatched ? after(secondOrderMs) : undefined;
    return after(captureCheckMs);
  }
  if (status === "refunded") return was === "refunded" || hasLiveRefund || isWatched ? nextCheckAt : undefined;
  if (status === "failed" && was === "completed") return now;
  if (status !== "failed" || was === "failed") return nextCheckAt;
  // A capture may still come. An earlier check stays.
  const check = after(checkFailedAfterMs);
  return nextCheckAt && nextCheckAt < check ? nextCheckAt : check;
}

/** For how long, and after which pause, a purchase that is paid is asked about when it may have a second order. */
const secondOrderLifeMs = 3 * 24 * hourMs;
const secondOrderMs = 5 * minuteMs;

/** How often a question about a settled purchase is repeated after errors in a row. */
const settledFailures = 10;

/** Whether the provider may have an order that the purchase does not know, from a second attempt, and it may be paid. */
export const mayHaveSecondOrder = (
  { secondAttemptAt, createdAt }: Pick<Purchase, "secondAttemptAt" | "createdAt">,
  now: number,
): boolean => secondAttemptAt !== undefined && now - createdAt.getTime() <= secondOrderLifeMs;

/** The pause after the n-th error in a row. */
export const errorPause = (failures: number): number => backoffMs(failures, { firstMs: minuteMs, maxMs: hourMs });

type Checked = Pick<
  Purchase,
  "status" | "createdAt" | "checks" | "refunds" | "signatureOnly" | "couponUse" | "secondAttemptAt"
>;

/**
 * The next time to ask the provider about a purchase after it was asked now; undefined when nothing is left to ask.
 * @param failures errors in a row, with this one; 0 when the provider answered.
 */
export function nextCheck(purchase: Checked, now: number, failures: number): number | undefined {
  const { status, createdAt, checks, refunds = [], signatureOnly, couponUse } = purchase;
  const age = now - createdAt.getTime();
  const isSettled =
    status === "refunded" || (status === "completed" && !signatureOnly) || (status === "failed" && age > lateCaptureMs);
  const isWaiting = refunds.some(isLive);
  const isWatched = mayHaveSecondOrder(purchase, now);
  // A question about a settled purchase, such as for an unknown order, is repeated while the provider does not answer.
  const isAnswered = failures === 0 || failures > settledFailures;
  if (isSettled && !isWaiting && !isWatched && isAnswered) return undefined;
  if (failures > 0) return now + errorPause(failures);
  if (isSettled && !isWaiting) return now + Math.max(secondOrderMs, age / 2);
  if (status === "completed" || status === "refunded") return now + errorPause(checks);
  const eager = Math.min(eagerPauses.firstMs * (checks + 1), eagerPauses.longestMs);
  const late = Math.min(age * latePauses.ofAge, latePauses.longestMs);
  const usual = now + (age < eagerMs ? eager : Math.max(late, eagerPauses.longestMs));
  const expiry = createdAt.getTime() + purchaseLifeMs + 1_000;
  // An unpaid purchase that expires then fails, or gives up the coupon that it holds.
  const expires = unfinishedStates.includes(status) || couponUse !== undefined;
  return expires && now < expiry ? Math.min(usual, expiry) : usual;
}

/** Makes the check of an unpaid purchase due now. @returns whether there is such a purchase. */
export async function scheduleCheck(
  db: Db,
  session: ClientSession,
  which: { providerOrderId: string },
): Promise<boolean> {
  const due = { $set: { nextCheckAt: new Date() } };
  const unpaid = { ...which, status: { $in: unpaidStates } };
  return (await db.Purchase.updateOne(unpaid, due, { session, timestamps: false })).matchedCount > 0;
}
