import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Purchase } from "../../models/payments/purchase.js";
import type { Payments } from "../../providers/razorpay.js";
import { UserNotFound } from "../failures.js";
import { findForSale, requireOnSale, soldOf, type WantedItem } from "./for-sale.js";
import { lockMs, placeOrder } from "./place-order.js";
import type { SaleDeps } from "./settle-purchase.js";
import { isFree, startPurchase } from "./start-purchase.js";

/** How long a request waits for the order that another request is opening. */
const waitMs = lockMs + 1_000;

/**
 * Opens the purchase of a course or a path, or returns the learner's unfinished purchase of it. There is at most one unfinished
 * purchase per learner and course or path, with at most one live order. A purchase that costs nothing is completed at once.
 * After an error of the provider the purchase is kept, and the next call finishes it.
 * @param order `coupon` is the code as it is stored.
 * @returns the purchase: `pending` with its order, or `completed` when it costs nothing.
 * @throws UserNotFound, CourseNotFound, PathNotFound, PathNotForSale, CourseAlreadyPurchased, PathAlreadyPurchased,
 *   CouponNotValid, ProviderFault.
 */
export async function openPurchase(
  deps: SaleDeps & { readonly payments: Payments; readonly currency: string },
  userId: string,
  { coupon, ...wanted }: WantedItem & { coupon?: string | undefined },
): Promise<Purchase> {
  const { db, currency } = deps;
  const sold = soldOf(wanted);
  const [holder, at] = [randomUUID(), new Date()];
  do {
    // Read in each round, because the price may change while this request waits.
    const { buyer, item: found } = await findForSale(db, userId, sold);
    if (!buyer) throw UserNotFound();
    const item = requireOnSale(found, sold, userId);
    const offer = { buyer, item, currency };
    // A coupon takes nothing off what is free, so it is ignored and not used up.
    const couponCode = coupon !== undefined && isFree(offer) ? undefined : coupon;
    const purchase = await startPurchase(deps, { ...offer, couponCode, holder, at });
    if (purchase.status === "completed" || purchase.providerOrderId) return purchase;
    const placed = await placeOrder(deps, purchase, { holder, title: item.terms.courseTitle });
    if (placed && placed !== "superseded") return placed;
    if (!placed) await pause(60 + Math.random() * 60);
  } while (Date.now() < at.getTime() + waitMs);
  throw new Error("the order that another request is opening did not come in time");
}
