import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Grant, GrantedItem } from "../../models/enrollments/grant.js";
import { couponUseOf, freeSlot, unfinishedSlot } from "../../models/payments/purchase.js";
import { anonymiseAudit } from "../audit/record-audit.js";
import { erased } from "../payments/facts.js";
import { purchaseFact, type SaleDeps, settle } from "../payments/settle-purchase.js";

/** A course or a path of the user whose data are erased. */
export type ErasedItem = GrantedItem & { readonly userId: string };

/**
 * Gives the user's purchases and grants of a course or path to a pseudonym, and ends the grants. No sum of money changes.
 * @returns the grants as they were.
 */
export async function eraseSales(
  deps: SaleDeps,
  own: ErasedItem,
  pseudonym: string,
  session: ClientSession,
): Promise<Pick<Grant, "_id" | "state">[]> {
  const { db } = deps;
  const grants = await db.Grant.find(own, { state: 1 }).session(session).lean();
  for (const { _id } of await db.Purchase.find(own, { _id: 1 }).session(session).lean()) {
    await settle(deps, session, _id, purchaseFact(erased));
  }
  await anonymisePurchases(db, own, pseudonym, session);
  const ended = { userId: pseudonym, email: null, reason: "", state: "ended" as const };
  // The grant of a path would tell which pseudonyms are one user's.
  const update = { $set: ended, $unset: { pathGrantId: 1 } } as const;
  await db.Grant.updateMany(own, update, { session, timestamps: false });
  return grants;
}

/** Removes the user from the audit entries about grants and enrollments, whose ids would identify the user. */
export const eraseFromAudit = (
  db: Db,
  rows: readonly (Pick<Grant, "_id"> | null)[],
  user: { userId: string; to: string },
  session: ClientSession,
): Promise<void> => {
  const targetIds = rows.flatMap((row) => (row ? [String(row._id)] : []));
  return anonymiseAudit(db, { targetKind: "enrollment", targetIds }, user, session);
};

async function anonymisePurchases(db: Db, own: ErasedItem, pseudonym: string, session: ClientSession): Promise<void> {
  const { userId } = own;
  const itemId = "pathId" in own ? own.pathId : own.courseId;
  const options = { session, timestamps: false };
  for (const slotOf of [unfinishedSlot, freeSlot]) {
    const slot = slotOf(pseudonym, itemId);
    await db.Purchase.updateOne({ slot: slotOf(userId, itemId) }, { $set: { slot } }, options);
  }
  const withCoupon = { ...own, couponUse: { $exists: true } };
  for (const { _id, coupon } of await db.Purchase.find(withCoupon, { coupon: 1 }).session(session).lean()) {
    const couponUse = couponUseOf(pseudonym, coupon?.code ?? "");
    await db.Purchase.updateOne({ _id }, { $set: { couponUse } }, options);
  }
  // An invoice needs the name of the buyer. An unpaid purchase has no invoice.
  const unpaid = [{ amount: 0 }, { status: { $in: ["created", "pending", "failed"] as const } }];
  await db.Purchase.updateMany({ ...own, $or: unpaid }, { $unset: { buyer: 1 } }, options);
  await db.Purchase.updateMany(own, { $set: { userId: pseudonym } }, options);
}
