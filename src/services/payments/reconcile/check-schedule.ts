import type { ClientSession } from "mongoose";
import type { Db } from "../../../db/db.js";
import { backoffMs } from "../../../lib/backoff.js";
import type { Purchase, PurchaseState } from "../../../models/payments/purchase.js";
import { setCheckDue } from "../../../models/payments/purchase-queries.js";
import { canMove, statesAllowing } from "../purchase-states.js";
import { isLive } from "../refunds/refund-attempts.js";

/*
 * Schedules the checks of purchases at the provider. `nextCheck` writes nothing, so that a test can simulate whole days.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An unfinished purchase expires after this time. */
export const purchaseLifeMs = 24 * hourMs;
/** When the provider is first asked about a purchase that no event reported on. */
export const firstCheckMs = 2 * minuteMs;
/** For how long a capture may still turn up after a purchase was opened. */
const lateCaptureMs = 3 * 24 * hourMs;
/** For how long orphan orders are looked for. */
const orphanWatchMs = 3 * 24 * hourMs;

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

/** The pause after the n-th error in a row. */
export const errorPause = (failures: number): number => backoffMs(failures, { firstMs: minuteMs, maxMs: hourMs });

type Checked = Pick<Purchase, "status" | "createdAt" | "checks" | "refunds" | "signatureOnly" | "couponUse">;

/**
 * The next time to ask the provider about a purchase after it was asked now; undefined when nothing is left to ask.
 * @param failures errors in a row, with this one; 0 when the provider answered.
 */
export function nextCheck(purchase: Checked, now: number, failures: number): number | undefined {
  const { status, createdAt, checks, refunds = [], signatureOnly, couponUse } = purchase;
  const age = now - createdAt.getTime();
  const isSettled =
    status === "refunded" || (status === "completed" && !signatureOnly) || (status === "failed" && age > lateCaptureMs);
  if (isSettled && !refunds.some(isLive)) return undefined;
  if (failures > 0) return now + errorPause(failures);
  if (status === "completed" || status === "refunded") return now + errorPause(checks);
  const eager = Math.min(eagerPauses.firstMs * (checks + 1), eagerPauses.longestMs);
  const late = Math.min(age * latePauses.ofAge, latePauses.longestMs);
  const usual = now + (age < eagerMs ? eager : Math.max(late, eagerPauses.longestMs));
  const expiry = createdAt.getTime() + purchaseLifeMs + 1_000;
  // An unpaid purchase that expires then fails, or gives up the coupon that it holds.
  const expires = canMove("fail", status) || couponUse !== undefined;
  return expires && now < expiry ? Math.min(usual, expiry) : usual;
}

/** Returns the next time to look for orphan orders of a purchase; undefined when nothing is left to look for. */
export function nextOrphanCheck(
  { createdAt }: Pick<Purchase, "createdAt">,
  now: number,
  failures: number,
): number | undefined {
  const age = now - createdAt.getTime();
  if (age > orphanWatchMs) return undefined;
  return now + (failures > 0 ? errorPause(failures) : Math.max(5 * minuteMs, age / 2));
}

/**
 * Makes the check of a purchase due now, if it is unpaid or in the named state.
 * @returns whether there is such a purchase.
 */
export function scheduleCheck(
  db: Db,
  session: ClientSession,
  which: Pick<Purchase, "_id"> | { providerOrderId: string },
  state?: PurchaseState,
): Promise<boolean> {
  const status = state ? { $in: [state] } : statesAllowing("complete").status;
  return setCheckDue(db, { ...which, status }, session);
}
