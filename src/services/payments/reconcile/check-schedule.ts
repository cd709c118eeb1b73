import type { ClientSession } from "mongoose";
import type { Db } from "../../../db/db.js";
import { backoffMs } from "../../../lib/backoff.js";
import { type Purchase, unpaidStates } from "../../../models/payments/purchase.js";
import { isLive, isUnfinished, purchaseLifeMs } from "../facts.js";
import { mayHaveSecondOrder, secondOrderMs } from "../position.js";

/* When the provider is asked again about a purchase after an answer. A new position says when it is asked first. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

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

/** How often a question about a decided purchase is repeated after errors in a row. */
const maxFailures = 10;

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
  const isDecided =
    status === "refunded" || (status === "completed" && !signatureOnly) || (status === "failed" && age > lateCaptureMs);
  const isWaiting = refunds.some(isLive);
  const isWatched = mayHaveSecondOrder(purchase, now);
  // A question about a decided purchase, such as for an unknown order, is repeated while the provider does not answer.
  const isAnswered = failures === 0 || failures > maxFailures;
  if (isDecided && !isWaiting && !isWatched && isAnswered) return undefined;
  if (failures > 0) return now + errorPause(failures);
  if (isDecided && !isWaiting) return now + Math.max(secondOrderMs, age / 2);
  if (status === "completed" || status === "refunded") return now + errorPause(checks);
  const eager = Math.min(eagerPauses.firstMs * (checks + 1), eagerPauses.longestMs);
  const late = Math.min(age * latePauses.ofAge, latePauses.longestMs);
  const usual = now + (age < eagerMs ? eager : Math.max(late, eagerPauses.longestMs));
  const expiry = createdAt.getTime() + purchaseLifeMs + 1_000;
  // An unpaid purchase that expires then fails, or gives up the coupon that it holds.
  const expires = isUnfinished(purchase) || couponUse !== undefined;
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
