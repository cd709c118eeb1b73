import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { isDuplicateKey } from "../../db/duplicate-key.js";
import { isObjectId } from "../../lib/fields.js";
import { hasBought } from "../../models/enrollments/enrollment-queries.js";
import { findBuyerAndOffer } from "../../models/payments/buyer-and-offer.js";
import { type Purchase, unfinishedSlot } from "../../models/payments/purchase.js";
import { findPurchaseInSlot } from "../../models/payments/purchase-queries.js";
import type { Payments } from "../../providers/razorpay.js";
import { normalCode } from "../coupons/coupon-code.js";
import { UserNotFound } from "../users/failures.js";
import { failPurchase } from "./fail-purchase.js";
import { CourseAlreadyPurchased } from "./failures.js";
import { lockMs, placeOrder } from "./place-order.js";
import { causeToClose, matchesRequest, priceOf, requireOnSale, type WantedPurchase } from "./purchase-offer.js";
import { rememberCourse } from "./sale-transaction.js";
import { startFree, startPaid, startWithCoupon } from "./start-purchase.js";

/** How long a request waits for the order that another one is opening. */
const waitMs = lockMs + 1_000;

interface PurchaseDeps {
  readonly db: Db;
  readonly payments: Payments;
  /** ISO 4217. */
  readonly currency: string;
}

/**
 * Opens the purchase of a course, or returns the learner's unfinished one: at most one per learner and course, with at
 * most one live order. One that costs nothing is completed at once. After an error of the provider the purchase is kept,
 * and the next call finishes it.
 * @param order `coupon` is the code as it was typed.
 * @returns the purchase, `pending` with its order or (free) `completed`.
 * @throws UserNotFound, CourseNotFound, CourseAlreadyPurchased, CouponNotValid, ProviderFault.
 */
export async function openPurchase(
  deps: PurchaseDeps,
  userId: string,
  { courseId, coupon }: { courseId: string; coupon?: string | undefined },
): Promise<Purchase> {
  const { db, currency } = deps;
  const until = Date.now() + waitMs;
  const request = { currency, holder: randomUUID() };
  const code = coupon === undefined ? undefined : normalCode(coupon);
  let seen: Types.ObjectId | undefined;
  do {
    // Read each time: the price may change while this request waits.
    const id = isObjectId(courseId) ? new Types.ObjectId(courseId) : null;
    const [found, isBought] = await Promise.all([
      findBuyerAndOffer(db, userId, id),
      id !== null && code === undefined && hasBought(db, { userId, courseId: id }),
    ]);
    if (!found) throw UserNotFound();
    const course = requireOnSale(found.course, userId);
    // A coupon has nothing to take off a free course: it is ignored, so that it is not used up.
    const ignoresCoupon = code !== undefined && priceOf({ course, currency }) === 0;
    if (isBought || (ignoresCoupon && (await hasBought(db, { userId, courseId: course._id })))) {
      throw CourseAlreadyPurchased();
    }
    const couponCode = ignoresCoupon ? undefined : code;
    const wanted = { ...request, couponCode, buyer: found.buyer, course, seen };
    const purchase = await currentPurchase(db, wanted);
    if (purchase?.status === "completed") return purchase;
    seen = purchase?._id ?? seen;
    // Perhaps the price changed after it was read, and another request opened this one at the new price.
    if (purchase && !matchesRequest(purchase, wanted)) continue;
    if (purchase?.providerOrderId) return purchase;
    if (purchase) {
      rememberCourse(db, purchase);
      const placed = await placeOrder(deps, purchase, { holder: request.holder, title: course.courseTitle });
      if (placed === "superseded") continue;
      if (placed) return placed;
      await pause(60 + Math.random() * 60);
    }
  } while (Date.now() < until);
  throw new Error("the order that another request is opening did not come in time");
}

/**
 * The learner's unfinished purchase of a course that was not bought a moment ago, or a new one; undefined when it had to be
 * closed first, or changed meanwhile. A purchase that does not match the request is returned once and closed on the next
 * call.
 * @throws CourseAlreadyPurchased, CouponNotValid.
 */
async function currentPurchase(db: Db, wanted: WantedPurchase): Promise<Purchase | undefined> {
  const { buyer, course, couponCode } = wanted;
  if (couponCode !== undefined) return startWithCoupon(db, wanted, couponCode);
  const isFree = priceOf(wanted) === 0;
  const find = () => findPurchaseInSlot(db, unfinishedSlot(buyer._id, course._id));
  // Most purchases are a learner's first of the course: an unfinished one is looked for when this insertion is refused.
  // Later looks come first, since a database makes insertions of one unique key wait for each other.
  let open = wanted.seen ? await find() : undefined;
  const started = open || isFree ? undefined : await startUnlessOpen(db, wanted);
  // A payment that arrived since that look has completed the former purchase, which made room for this one.
  if (started && (await hasBought(db, { userId: buyer._id, courseId: course._id }))) {
    await failPurchase(db, started, "learner");
    throw CourseAlreadyPurchased();
  }
  if (started) return started;
  open ??= await find();
  const cause = open && causeToClose(open, wanted);
  if (open && cause) {
    await failPurchase(db, open, cause);
    return undefined;
  }
  return open ?? (isFree ? startFree(db, wanted) : undefined);
}

/** Most purchases are a learner's first of the course: a look for an unfinished one comes when this is refused. */
function startUnlessOpen(db: Db, wanted: WantedPurchase): Promise<Purchase | undefined> {
  return startPaid(db, wanted).catch((error: unknown) => {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  });
}
