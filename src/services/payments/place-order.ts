import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { setPurchaseOrder } from "../../models/payments/purchase-queries.js";
import { type Payments, ProviderFault } from "../../providers/razorpay.js";
import type { ProviderOrder } from "../../providers/razorpay-replies.js";
import { toMinor } from "./price.js";
import { stateAfter, statesAllowing } from "./purchase-states.js";

/** How long one caller locks the order of a purchase. It is longer than a call of the provider can take. */
export const lockMs = 12_000;

/**
 * Opens the provider's order of a `created` purchase and moves the purchase to `pending`. One caller at a time holds a lock
 * that expires. Every attempt but the first looks for the order of an earlier attempt by its receipt.
 * @param caller `holder` identifies the caller. The caller that inserted the purchase holds the lock already.
 * @returns the purchase with its order; undefined while another caller holds the lock; `superseded` when the purchase is
 *   no longer open.
 * @throws ProviderFault; then the order is unlocked and the purchase kept.
 */
export async function placeOrder(
  { db, payments }: { readonly db: Db; readonly payments: Payments },
  purchase: Purchase,
  { holder, title }: { holder: string; title: string },
): Promise<Purchase | "superseded" | undefined> {
  const first = purchase.orderLock?.holder === holder;
  if (!first && !(await lockOrder(db, purchase, holder))) return undefined;
  try {
    const [order] = first ? [] : await findOrders(payments, purchase);
    // The look-up took time, so the lock is renewed before an order is created.
    if (!first && !order && !(await lockOrder(db, purchase, holder, { again: true }))) return undefined;
    return await recordOrder(db, purchase, order ?? (await createOrder(payments, purchase, title)));
  } catch (error) {
    if (error instanceof ProviderFault) await unlockOrder(db, purchase, holder);
    throw error;
  }
}

/** When the provider is first asked whether an order that was not found exists after all. */
const orphanLookMs = 5 * 60_000;

/**
 * Locks the order of a purchase that still has none, or renews the lock.
 * @param options `again`: an order is about to be created although an earlier attempt may still create one.
 */
export async function lockOrder(
  db: Db,
  { _id }: Purchase,
  holder: string,
  { again = false }: { again?: boolean } = {},
): Promise<boolean> {
  const now = Date.now();
  const orphan = again && { orphanCheckAt: new Date(now + orphanLookMs) };
  const result = await db.Purchase.updateOne(
    {
      _id,
      ...statesAllowing("placeOrder"),
      $or: [{ orderLock: null }, { "orderLock.holder": holder }, { "orderLock.until": { $lte: new Date(now) } }],
    },
    { $set: { orderLock: { holder, until: new Date(now + lockMs) }, ...orphan } },
    { timestamps: false },
  );
  return result.matchedCount > 0;
}

/** Releases the lock. After an error the lock expires by itself. */
export async function unlockOrder(db: Db, { _id }: Purchase, holder: string): Promise<void> {
  await db.Purchase.updateOne(
    { _id, "orderLock.holder": holder },
    { $unset: { orderLock: 1 } },
    { timestamps: false },
  ).catch(() => undefined);
}

/**
 * Finds the orders of a purchase at the provider by receipt and amount, also when the answer to their creation was lost.
 * There are several when an attempt came late.
 */
export async function findOrders(payments: Payments, purchase: Purchase): Promise<ProviderOrder[]> {
  const wantedMinor = toMinor(purchase.amount, purchase.currency);
  const orders = await payments.findOrders(String(purchase._id));
  return orders.filter(({ amountMinor, currency }) => amountMinor === wantedMinor && currency === purchase.currency);
}

function createOrder(payments: Payments, purchase: Purchase, courseTitle: string): Promise<ProviderOrder> {
  const purchaseId = String(purchase._id);
  return payments.createOrder({
    amountMinor: toMinor(purchase.amount, purchase.currency),
    currency: purchase.currency,
    receipt: purchaseId,
    notes: { purchaseId, courseTitle },
  });
}

/** Stores the order in any state of the purchase, because a late payment of the order must be recognised. */
export async function recordOrder(db: Db, { _id }: Purchase, order: ProviderOrder): Promise<Purchase | "superseded"> {
  const placed = { ...stateAfter("placeOrder"), providerOrderId: order.id };
  const opened = await setPurchaseOrder(db, { _id, ...statesAllowing("placeOrder") }, placed);
  if (opened) return opened;
  const known = await db.Purchase.findById(_id).lean<Purchase>();
  if (known?.status === "pending") return known;
  if (known && !known.providerOrderId) {
    await db.Purchase.updateOne({ _id, providerOrderId: null }, { $set: { providerOrderId: order.id } }).catch(
      (error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      },
    );
  }
  return "superseded";
}
