import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Types } from "mongoose";
import { isObjectId } from "../../lib/fields.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { findBuyerAndCourse } from "../../models/payments/purchase-queries.js";
import type { Payments } from "../../providers/razorpay.js";
import { UserNotFound } from "../failures.js";
import { lockMs, placeOrder } from "./place-order.js";
import type { SaleDeps } from "./settle-purchase.js";
import { isFree, requireOnSale, startPurchase } from "./start-purchase.js";

/** How long a request waits for the order that another request is opening. */
const waitMs = lockMs + 1_000;

/**
 * Opens the purchase of a course, or returns the learner's unfinished purchase of it. There is at most one unfinished
 * purchase per learner and course, with at most one live order. A purchase that costs nothing is completed at once. After
 * an error of the provider the purchase is kept, and the next call finishes it.
 * @param order `coupon` is the code as it is stored.
 * @returns the purchase: `pending` with its order, or `completed` when it costs nothing.
 * @throws UserNotFound, CourseNotFound, CourseAlreadyPurchased, CouponNotValid, ProviderFault.
 */
export async function openPurchase(
  deps: SaleDeps & { readonly payments: Payments; readonly currency: string },
  userId: string,
  { courseId, coupon }: { courseId: string; coupon?: string | undefined },
): Promise<Purchase> {
  const { db, currency } = deps;
  const id = isObjectId(courseId) ? new Types.ObjectId(courseId) : null;
  const [holder, at] = [randomUUID(), new Date()];
  do {
    // Read in each round, because the price may change while this request waits.
    const { buyer, course: found } = await findBuyerAndCourse(db, userId, id);
    if (!buyer) throw UserNotFound();
    const course = requireOnSale(found, userId);
    const offer = { buyer, course, currency };
    // A coupon takes nothing off a free course, so it is ignored and not used up.
    const couponCode = coupon !== undefined && isFree(offer) ? undefined : coupon;
    const purchase = await startPurchase(deps, { ...offer, couponCode, holder, at });
    if (purchase.status === "completed" || purchase.providerOrderId) return purchase;
    const placed = await placeOrder(deps, purchase, { holder, title: course.courseTitle });
    if (placed && placed !== "superseded") return placed;
    if (!placed) await pause(60 + Math.random() * 60);
  } while (Date.now() < at.getTime() + waitMs);
  throw new Error("the order that another request is opening did not come in time");
}
