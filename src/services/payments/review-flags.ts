import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Purchase, ReviewFlag, ReviewReason } from "../../models/payments/purchase.js";
import { findPurchase } from "../../models/payments/purchase-queries.js";

/** Bounds the document. Events beyond it are in review by themselves. */
const maxFlags = 200;

/** Reasons for which a payment does not complete the purchase that it is for. */
export const withheldReasons: ReviewReason[] = [
  "amount_mismatch",
  "currency_mismatch",
  "order_mismatch",
  "late_payment",
];

/** Flags a purchase. A reason about a subject is flagged once, also after it was settled. */
export async function flagPurchase(
  db: Db,
  session: ClientSession,
  purchaseId: Purchase["_id"],
  { reason, subject, eventKey = null }: Pick<ReviewFlag, "reason" | "subject"> & Partial<Pick<ReviewFlag, "eventKey">>,
): Promise<void> {
  const purchase = await findPurchase(db, { _id: purchaseId }, session);
  if (!purchase) return;
  const { reviews = [] } = purchase;
  const isKnown = reviews.some((flag) => flag.reason === reason && flag.subject === subject);
  if (isKnown || reviews.length >= maxFlags) return;
  const open = { at: new Date(), state: "open", note: null, by: null, settledAt: null } as const;
  await storeFlags(db, session, purchaseId, [...reviews, { reason, subject, eventKey, ...open }]);
}

/**
 * Settles open flags of a purchase: all flags with one of the reasons, or only those about a subject.
 * @param operator undefined when a later event settles them. @returns whether there was an open flag.
 */
export async function settleFlags(
  db: Db,
  session: ClientSession,
  purchaseId: Purchase["_id"],
  { reasons, subject }: { readonly reasons: readonly ReviewReason[]; readonly subject?: string },
  operator?: Pick<ReviewFlag, "note" | "by">,
): Promise<boolean> {
  const { reviews = [] } = (await findPurchase(db, { _id: purchaseId }, session)) ?? {};
  const isMeant = (flag: ReviewFlag) =>
    flag.state === "open" && reasons.includes(flag.reason) && (subject === undefined || subject === flag.subject);
  if (!reviews.some(isMeant)) return false;
  const settled = { state: "settled", settledAt: new Date(), ...operator } as const;
  const flags = reviews.map((flag) => (isMeant(flag) ? { ...flag, ...settled } : flag));
  await storeFlags(db, session, purchaseId, flags);
  return true;
}

/** Stores the flags that the transaction has read. A concurrent change of them makes the transaction start again. */
async function storeFlags(db: Db, session: ClientSession, _id: Purchase["_id"], reviews: ReviewFlag[]): Promise<void> {
  const reviewReason = reviews.findLast(({ state }) => state === "open")?.reason ?? null;
  await db.Purchase.updateOne({ _id }, { $set: { reviews, reviewReason } }, { session });
}
