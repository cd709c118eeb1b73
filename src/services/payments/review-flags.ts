import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Purchase, ReviewFlag, ReviewReason } from "../../models/payments/purchase.js";
import { findPurchase, setReviews } from "../../models/payments/purchase-queries.js";

/** A purchase with more flags than this has been looked at: further payment events are for review by themselves. */
const mostFlags = 200;

/** Reasons for which a payment does not complete the purchase that it is for. */
export const withheldReasons: ReviewReason[] = [
  "amount_mismatch",
  "currency_mismatch",
  "order_mismatch",
  "late_payment",
];

type Flagged = Pick<Purchase, "reviewReason" | "reviews" | "createdAt">;

/** The flags of a purchase, oldest first. One that was stored as a bare reason counts as open. */
function flagsOf({ reviews = [], reviewReason, createdAt }: Flagged): ReviewFlag[] {
  const listed =
    reviewReason === null || reviews.some(({ reason, state }) => reason === reviewReason && state === "open");
  if (listed) return reviews;
  return [open({ reason: reviewReason, subject: "", eventKey: null }, createdAt), ...reviews];
}

/** What lists show: the newest open reason. */
const newestOpen = (flags: readonly ReviewFlag[]): ReviewReason | null =>
  flags.findLast(({ state }) => state === "open")?.reason ?? null;

type NewFlag = Pick<ReviewFlag, "reason" | "subject" | "eventKey">;

const open = (flag: NewFlag, at: Date): ReviewFlag => ({
  ...flag,
  ...{ at, state: "open", note: null, by: null, settledAt: null },
});

/** Flags a purchase. The same reason about the same subject is flagged once, also after it was settled. */
export async function flagPurchase(
  db: Db,
  session: ClientSession,
  purchaseId: Purchase["_id"],
  flag: NewFlag,
): Promise<void> {
  const purchase = await findPurchase(db, purchaseId, session);
  if (!purchase) return;
  const flags = flagsOf(purchase);
  const known = flags.some(({ reason, subject }) => reason === flag.reason && subject === flag.subject);
  if (known || flags.length >= mostFlags) return;
  await store(db, session, purchaseId, [...flags, open(flag, new Date())]);
}

/** Which flags are settled: all open ones of the reasons, or only those about a subject. */
interface Which {
  readonly reasons: readonly ReviewReason[];
  readonly subject?: string;
}

/**
 * Settles open flags of a purchase.
 * @param by the operator who did, with a note; null when a later event answered them. @returns whether there was one.
 */
export async function settleFlags(
  db: Db,
  session: ClientSession,
  purchaseId: Purchase["_id"],
  { reasons, subject }: Which,
  by: { note: string; by: string } | null,
): Promise<boolean> {
  const purchase = await findPurchase(db, purchaseId, session);
  if (!purchase) return false;
  const now = new Date();
  let settled = false;
  const flags = flagsOf(purchase).map((flag) => {
    const meant = reasons.includes(flag.reason) && (subject === undefined || subject === flag.subject);
    if (flag.state !== "open" || !meant) return flag;
    settled = true;
    return { ...flag, state: "settled" as const, settledAt: now, note: by?.note ?? null, by: by?.by ?? null };
  });
  if (settled) await store(db, session, purchaseId, flags);
  return settled;
}

/** The transaction has read the flags: a change of them at the same moment makes it start again. */
async function store(db: Db, session: ClientSession, _id: Purchase["_id"], reviews: ReviewFlag[]): Promise<void> {
  await setReviews(db, _id, { reviews, reviewReason: newestOpen(reviews) }, session);
}
