import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Types } from "mongoose";
import { isObjectId } from "../../lib/fields.js";
import { hasBought } from "../../models/enrollments/enrollment-queries.js";
import { type Purchase, unfinishedSlot } from "../../models/payments/purchase.js";
import { findBuyerAndCourse, findPurchase } from "../../models/payments/purchase-queries.js";
import type { Payments } from "../../providers/razorpay.js";
import { UserNotFound } from "../failures.js";
import { closed } from "./facts.js";
import { lockMs, placeOrder } from "./place-order.js";
import { type SaleDeps, settlePurchase } from "./settle-purchase.js";
import {
  CourseAlreadyPurchased,
  causeToClose,
  isFree,
  mismatchOf,
  type PurchaseRequest,
  requireOnSale,
  startFree,
  startPaid,
  startWithCoupon,
} from "./start-purchase.js";

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
  { courseId, coupon: code }: { courseId: string; coupon?: string | undefined },
): Promise<Purchase> {
  const { db, currency } = deps;
  const until = Date.now() + waitMs;
  const holder = randomUUID();
  let seen: Types.ObjectId | undefined;
  do {
    // Read in each round, because the price may change while this request waits.
    const id = isObjectId(courseId) ? new Types.ObjectId(courseId) : null;
    const [found, isBought] = await Promise.all([
      findBuyerAndCourse(db, userId, id),
      id !== null && code === undefined && hasBought(db, { userId, courseId: id }),
    ]);
    if (!found) throw UserNotFound();
    const course = requireOnSale(found.course, userId);
    // A coupon takes nothing off a free course, so it is ignored and not used up.
    const ignoresCoupon = code !== undefined && isFree(course, currency);
    if (isBought || (ignoresCoupon && (await hasBought(db, { userId, courseId: course._id })))) {
      throw CourseAlreadyPurchased();
    }
    const couponCode = ignoresCoupon ? undefined : code;
    const request = { buyer: found.buyer, course, currency, couponCode, holder, seen };
    const purchase = await currentPurchase(deps, request);
    if (purchase?.status === "completed") return purchase;
    seen = purchase?._id ?? seen;
    // The price may have changed since it was read, and another request may have opened this purchase at the new price.
    if (purchase && mismatchOf(purchase, request)) continue;
    if (purchase?.providerOrderId) return purchase;
    if (purchase) {
      const placed = await placeOrder(deps, purchase, { holder, title: course.courseTitle });
      if (placed === "superseded") continue;
      if (placed) return placed;
      await pause(60 + Math.random() * 60);
    }
  } while (Date.now() < until);
  throw new Error("the order that another request is opening did not come in time");
}

/**
 * Returns the learner's unfinished purchase of a course, or a new one; undefined when the unfinished purchase had to be
 * closed first, or changed meanwhile. A purchase that does not match the request is returned once and closed on the next
 * call.
 * @throws CourseAlreadyPurchased, CouponNotValid.
 */
async function currentPurchase(deps: SaleDeps, request: PurchaseRequest): Promise<Purchase | undefined> {
  const { db } = deps;
  const { buyer, course, currency, couponCode } = request;
  if (couponCode !== undefined) return startWithCoupon(deps, request, couponCode);
  const free = isFree(course, currency);
  const findOpen = () => findPurchase(db, { slot: unfinishedSlot(buyer._id, course._id) });
  // Most purchases are a learner's first of the course, so the first round inserts and reads only when the unique index
  // refuses the row. Later rounds read first, because a database makes insertions of one unique key wait for each other.
  let open = request.seen ? await findOpen() : undefined;
  const started = open || free ? undefined : await startPaid(db, request);
  // A payment may have completed the former purchase since `hasBought` was read, which made room for this purchase.
  if (started && (await hasBought(db, { userId: buyer._id, courseId: course._id }))) {
    await settlePurchase(deps, started, (purchase) => closed(purchase, "learner"));
    throw CourseAlreadyPurchased();
  }
  if (started) return started;
  open ??= await findOpen();
  if (!open) return free ? startFree(db, request) : undefined;
  const [unfinished, cause] = [open, causeToClose(open, request)];
  if (!cause) return unfinished;
  await settlePurchase(deps, unfinished, (purchase) => closed(purchase, cause));
  return undefined;
}
