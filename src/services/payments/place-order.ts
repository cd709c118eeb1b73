import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { setPurchaseOrder } from "../../models/payments/purchase-queries.js";
import { type Payments, ProviderFault } from "../../providers/razorpay.js";
import type { ProviderOrder } from "../../providers/razorpay-replies.js";
import { toMinor } from "./price.js";
import { type SaleDeps, settlePurchase } from "./settle-purchase.js";

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
  deps: SaleDeps & { readonly payments: Payments },
  purchase: Purchase,
  { holder, title }: { holder: string; title: string },
): Promise<Purchase | "superseded" | undefined> {
  const { db, payments } = deps;
  const first = purchase.orderLock?.holder === holder;
  if (!first && !(await lockOrder(db, purchase, holder))) return undefined;
  try {
    const [order] = first ? [] : await findOrders(payments, purchase);
    // The look-up took time, so the lock is renewed before an order is created.
    if (!first && !order && !(await lockOrder(db, purchase, holder, { again: true }))) return undefined;
    return await recordOrder(deps, purchase, order ?? (await createOrder(payments, purchase, title)));
  } catch (error) {
    if (error instanceof ProviderFault) await unlockOrder(db, purchase, holder);
    throw error;
  }
}

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
  const attempted = again && { secondAttemptAt: new Date(now) };
  const result = await db.Purchase.updateOne(
    {
      _id,
      status: "created",
      $or: [{ orderLock: null }, { "orderLock.holder": holder }, { "orderLock.until": { $lte: new Date(now) } }],
    },
    { $set: { orderLock: { holder, until: new Date(now + lockMs) }, ...attempted } },
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
export async function recordOrder(
  deps: SaleDeps,
  purchase: Purchase,
  { id: providerOrderId }: ProviderOrder,
): Promise<Purchase | "superseded"> {
  const opened = await setPurchaseOrder(deps.db, purchase._id, providerOrderId);
  if (opened) return opened;
  const add = (known: Purchase) => (known.providerOrderId ? known : { ...known, providerOrderId });
  // Another purchase may hold the order, as a payment named it.
  const settled = await settlePurchase(deps, purchase, add).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    return null;
  });
  return settled?.purchase.status === "pending" ? settled.purchase : "superseded";
}
