import type { Db } from "../../db/db.js";
import { isDuplicateKey } from "../../db/duplicate-key.js";
import type { Purchase } from "../../models/purchase.js";
import { type Payments, ProviderFault, type ProviderOrder } from "../../providers/razorpay.js";
import { toMinor } from "./price.js";

/** How long one caller has an order to itself: longer than a provider call can take. */
export const claimMs = 12_000;

interface Desk {
  readonly db: Db;
  readonly payments: Payments;
}

/**
 * Opens the provider's order of a `created` purchase and moves it to `pending`. One caller at a time: it holds a claim
 * that expires. Unless this is the very first attempt, an order that an earlier one left behind is looked up by
 * receipt.
 * @param caller `holder` names the caller; the one that inserted the purchase holds the claim already.
 * @returns the purchase with its order; undefined while another caller is at it; `superseded` when it is no longer
 * open.
 * @throws ProviderFault; the claim is freed and the purchase kept.
 */
export async function placeOrder(
  desk: Desk,
  purchase: Purchase,
  { holder, title }: { holder: string; title: string },
): Promise<Purchase | "superseded" | undefined> {
  const first = purchase.orderClaim?.holder === holder;
  if (!first && !(await claimOrder(desk.db, purchase, holder))) return undefined;
  try {
    const order = first ? undefined : await findOrder(desk, purchase);
    // Looking it up took time: the claim starts anew before money can be asked for.
    if (!first && !order && !(await claimOrder(desk.db, purchase, holder, { again: true }))) return undefined;
    return await recordOrder(desk.db, purchase, order ?? (await createOrder(desk.payments, purchase, title)));
  } catch (error) {
    if (error instanceof ProviderFault) await freeOrder(desk.db, purchase, holder);
    throw error;
  }
}

/** When it is first asked whether an order that nobody found came into being all the same. */
const strayLookMs = 5 * 60_000;

/**
 * Takes or renews the claim on a purchase that still has no order.
 * @param options `again`: an order is about to be made although an earlier attempt may make one yet.
 */
export async function claimOrder(
  db: Db,
  { _id }: Purchase,
  holder: string,
  { again = false }: { again?: boolean } = {},
): Promise<boolean> {
  const now = Date.now();
  const stray = again ? { strayCheckAt: new Date(now + strayLookMs) } : {};
  const result = await db.Purchase.updateOne(
    {
      _id,
      status: "created",
      $or: [{ orderClaim: null }, { "orderClaim.holder": holder }, { "orderClaim.until": { $lte: new Date(now) } }],
    },
    { $set: { orderClaim: { holder, until: new Date(now + claimMs) }, ...stray } },
    { timestamps: false },
  );
  return result.matchedCount > 0;
}

/** Lets the next caller try; a failure of this leaves it to the claim's expiry. */
export async function freeOrder(db: Db, { _id }: Purchase, holder: string): Promise<void> {
  await db.Purchase.updateOne(
    { _id, "orderClaim.holder": holder },
    { $unset: { orderClaim: 1 } },
    { timestamps: false },
  ).catch(() => undefined);
}

/** The order that an earlier attempt opened, whether or not its answer ever came. */
export async function findOrder(desk: Desk, purchase: Purchase): Promise<ProviderOrder | undefined> {
  return (await ordersOf(desk, purchase))[0];
}

/** Every order of a purchase at the provider, by receipt, at its amount: more than one when an attempt came late. */
export async function ordersOf({ payments }: Pick<Desk, "payments">, purchase: Purchase): Promise<ProviderOrder[]> {
  const orders = await payments.findOrders(String(purchase._id));
  return orders.filter(
    ({ amountMinor, currency }) => amountMinor === toMinor(purchase.amount) && currency === purchase.currency,
  );
}

function createOrder(payments: Payments, purchase: Purchase, courseTitle: string): Promise<ProviderOrder> {
  const purchaseId = String(purchase._id);
  return payments.createOrder({
    amountMinor: toMinor(purchase.amount),
    currency: purchase.currency,
    receipt: purchaseId,
    notes: { purchaseId, courseTitle },
  });
}

/** Writes the order down, whatever became of the purchase meanwhile: a late payment of it must be recognised. */
export async function recordOrder(db: Db, { _id }: Purchase, order: ProviderOrder): Promise<Purchase | "superseded"> {
  const opened = await db.Purchase.findOneAndUpdate(
    { _id, status: "created" },
    { $set: { status: "pending", providerOrderId: order.id }, $unset: { orderClaim: 1 } },
    { returnDocument: "after" },
  ).lean<Purchase>();
  if (opened) return opened;
  const settled = await db.Purchase.findById(_id).lean<Purchase>();
  if (settled?.status === "pending") return settled;
  if (settled && !settled.providerOrderId) {
    await db.Purchase.updateOne({ _id, providerOrderId: null }, { $set: { providerOrderId: order.id } }).catch(
      (error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      },
    );
  }
  return "superseded";
}
