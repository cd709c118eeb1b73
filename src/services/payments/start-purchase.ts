import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { MutexKey } from "../../db/transaction.js";
import { failure } from "../../lib/errors.js";
import { isAhead } from "../../models/enrollments/enrollment.js";
import { keepPath } from "../../models/paths/path.js";
import { addRedemptions, type Coupon, reserveCoupon } from "../../models/payments/coupon.js";
import {
  couponUseOf,
  coursesOf,
  type FailureCause,
  givingCourses,
  ofSame,
  type Purchase,
  soldId,
  unfinishedSlot,
} from "../../models/payments/purchase.js";
import { insertPurchase } from "../../models/payments/purchase-queries.js";
import type { Buyer } from "../../models/users/user.js";
import { CouponNotValid } from "../coupons/coupon-use.js";
import { boughtAccess, completionOf, isRenewable, saleOfCourse, saleOfPath } from "../enrollments/access.js";
import { recordEvents } from "../events/record-event.js";
import { PathNotFound } from "../failures.js";
import { closed, purchaseLifeMs, withoutCoupon } from "./facts.js";
import { type ForSale, findForSale } from "./for-sale.js";
import { lockMs } from "./place-order.js";
import { type Offer, priceBreakdown, toMajor, toMinor } from "./price.js";
import { firstCheckMs } from "./reconcile/check-schedule.js";
import { beginSale, completedFact, recordSale } from "./record-sale.js";
import { mutexOfSale, turnOfSale } from "./sale-transaction.js";
import { purchaseFact, type SaleDeps, settle } from "./settle-purchase.js";

export const CourseAlreadyPurchased = failure("course_already_purchased", 409, "Course already purchased");

export const PathAlreadyPurchased = failure("path_already_purchased", 409, "Path already purchased");

/** What a learner asks to buy. */
export interface PurchaseRequest {
  readonly buyer: Buyer;
  readonly item: ForSale;
  /** ISO 4217. */
  readonly currency: string;
  /** As it is stored; undefined when no coupon was given, or nothing is to be paid. */
  readonly couponCode: string | undefined;
  /** Identifies this request among concurrent requests for the same purchase. */
  readonly holder: string;
  /** When it came. */
  readonly at: Date;
}

const priceOf = ({ item, ...offer }: Pick<PurchaseRequest, "buyer" | "item" | "currency">, coupon?: Offer["coupon"]) =>
  priceBreakdown({ ...offer, course: item.terms, coupon });

/** Whether the price is nothing, before any coupon. */
export const isFree = (offer: Pick<PurchaseRequest, "buyer" | "item" | "currency">): boolean =>
  priceOf(offer).totalMinor === 0;

/**
 * Returns the learner's unfinished purchase of a course or a path, or stores a new one, in one transaction:
 *
 *   1. What was bought already is refused; a course only until 30 days before its end. A purchase for nothing that another
 *      request has completed since this one came is the answer to both.
 *   2. An unfinished purchase of the same that matches the request is returned.
 *   3. Another unfinished purchase fails. Redemptions of this coupon that failed purchases of the same still hold are
 *      released for the new one.
 *   4. A redemption is reserved. Every reservation writes the coupon, so that two of one learner conflict.
 *   5. The purchase is stored. A purchase that costs nothing is completed, and the learner is enrolled.
 * @throws CourseAlreadyPurchased, PathAlreadyPurchased, PathNotFound, CouponNotValid; then nothing has changed.
 */
export function startPurchase(deps: SaleDeps, request: PurchaseRequest): Promise<Purchase> {
  const turn = { ...turnOfSale(request.item.sold), mutex: mutexOf(request) };
  return deps.db.transaction((session) => start(deps, session, request), turn);
}

/** What the transaction shares with those of other learners, or of the same one. */
function mutexOf(request: PurchaseRequest): MutexKey {
  const { buyer, item, couponCode } = request;
  if (couponCode !== undefined) return `coupon:${couponCode}`;
  const { sold } = item;
  return isFree(request) || sold.pathId ? mutexOfSale(sold) : `checkout:${soldId(sold)}:${buyer._id}`;
}

async function start(deps: SaleDeps, session: ClientSession, request: PurchaseRequest): Promise<Purchase> {
  const { db } = deps;
  const { buyer, item, couponCode, at } = request;
  const { sold, terms } = item;
  const userId = buyer._id;
  const slot = unfinishedSlot(userId, soldId(sold));
  const couponUse = couponCode === undefined ? undefined : couponUseOf(userId, couponCode);
  const courseIds = coursesOf({ ...sold, terms });
  const giving = { $or: [givingCourses(courseIds), ofSame(sold)], status: "completed" as const };
  const known = await db.Purchase.find({ userId, $or: [{ slot }, giving, ...(couponUse ? [{ couponUse }] : [])] })
    .session(session)
    .lean<Purchase[]>();
  // 1.
  const ofItem = known.filter((one) => soldId(one).equals(soldId(sold)));
  const sales = known.filter(({ status }) => status === "completed");
  const twin = ofItem.find((one) => one.status === "completed" && one.amount === 0 && completionOf(one) >= at);
  if (twin && twin.coupon?.code === couponCode) return twin;
  const now = new Date();
  requireNotBought(item, ofItem, sales, now);
  // 2.
  const open = ofItem.find((one) => one.slot === slot);
  const cause = open && (await causeToClose(db, session, open, request));
  if (open && !cause) return open;
  // 3.
  const replaced = ofItem.filter((one) => one === open || one.status === "failed");
  const replace = purchaseFact((one) => {
    const replacedOne = closed(one, cause ?? "learner");
    return one.couponUse === couponUse ? withoutCoupon(replacedOne) : replacedOne;
  });
  for (const { _id } of replaced) await settle(deps, session, _id, replace);
  // 4.
  const coupon = couponCode === undefined ? undefined : await reserveCoupon(db, couponCode, ofSame(sold), session);
  const uses = known.filter((one) => !replaced.includes(one) && one.couponUse === couponUse).length;
  if (couponUse && (!coupon || uses >= coupon.maxPerUser)) throw CouponNotValid();
  // 5.
  if (sold.pathId && !(await keepPath(db, sold.pathId, session))) throw PathNotFound();
  const price = priceOf(request, coupon);
  const fields = { ...newPurchase(request, price), ...(coupon && couponUse && { coupon: termsOf(coupon), couponUse }) };
  if (price.totalMinor > 0) return insertPurchase(db, { ...fields, ...unpaid(request, slot) }, session);
  // What costs nothing is prolonged once ahead, however often it is asked for.
  const since = sold.courseId && accessTo(sold.courseId, sales)?.since;
  if (since && since > now) throw CourseAlreadyPurchased();
  if (coupon) await addRedemptions(db, coupon._id, { reserved: -1, redeemed: 1 }, session);
  const purchase = await insertPurchase(db, { ...fields, status: "completed", completedAt: now }, session);
  const { courses, facts } = await beginSale(db, session, purchase);
  await recordEvents(db, session, [completedFact(purchase, true), ...facts]);
  await recordSale(db, session, purchase, { sales: 1, students: courses });
  return purchase;
}

const accessTo = (courseId: Types.ObjectId, sales: readonly Purchase[]) =>
  boughtAccess(
    sales
      .filter((sale) => coursesOf(sale).some((id) => id.equals(courseId)))
      .map((sale) => saleOfCourse(sale, courseId)),
  );

/**
 * @param ofItem the learner's purchases of the same. @param sales the completed ones that give what the item gives.
 * @throws CourseAlreadyPurchased, unless what was bought ends within 30 days; PathAlreadyPurchased for a path that the
 *   learner has bought and that has not ended, and when each of its courses is the learner's own for good.
 */
function requireNotBought(
  { sold, terms }: ForSale,
  ofItem: readonly Purchase[],
  sales: readonly Purchase[],
  now: Date,
) {
  if (sold.courseId) {
    const bought = accessTo(sold.courseId, sales);
    if (bought && !isRenewable(bought, now)) throw CourseAlreadyPurchased();
    return;
  }
  const held = boughtAccess(ofItem.filter(({ status }) => status === "completed").map(saleOfPath));
  const isOwn = (courseId: Types.ObjectId) => accessTo(courseId, sales)?.until === null;
  if ((held && isAhead(held.until, now)) || coursesOf({ ...sold, terms }).every(isOwn)) throw PathAlreadyPurchased();
}

/** Returns why an unfinished purchase has to be closed for the request; undefined when it stays open. */
async function causeToClose(
  db: Db,
  session: ClientSession,
  open: Purchase,
  request: PurchaseRequest,
): Promise<FailureCause | undefined> {
  const { createdAt, reviewReason, coupon } = open;
  if (Date.now() - createdAt.getTime() > purchaseLifeMs) return "expired";
  if (reviewReason !== null) return "review";
  if (coupon?.code !== request.couponCode) return "learner";
  if (isSameOffer(open, request)) return undefined;
  // The request may have read its offer before another one opened this purchase at a newer one.
  const { item } = await findForSale(db, open.userId, open, session);
  return item && isSameOffer(open, { ...request, item }) ? undefined : "price";
}

/** Whether a purchase has today's price and, of a path, gives what the path gives today. */
function isSameOffer({ amount, currency, coupon, terms }: Purchase, request: PurchaseRequest): boolean {
  const isSamePrice = toMinor(amount, currency) === priceOf(request, coupon).totalMinor;
  const given = ({ courses, inOrder }: Purchase["terms"]) => JSON.stringify([courses, inOrder]);
  return currency === request.currency && isSamePrice && given(terms) === given(request.item.terms);
}

const termsOf = ({ _id: couponId, code, kind, value }: Coupon) => ({ couponId, code, kind, value });

/** The caller that stores an unpaid purchase holds the lock of its order. */
function unpaid({ buyer: { name, email }, holder }: PurchaseRequest, slot: string) {
  const now = Date.now();
  return {
    status: "created" as const,
    buyer: { name, email },
    slot,
    orderLock: { holder, until: new Date(now + lockMs) },
    nextCheckAt: new Date(now + firstCheckMs),
  };
}

function newPurchase({ buyer, item, currency }: PurchaseRequest, price: Purchase["price"]) {
  const { sold, terms, educatorId } = item;
  const isOwn = educatorId === buyer._id && { isOwn: true };
  return { userId: buyer._id, ...sold, amount: toMajor(price.totalMinor, currency), currency, price, terms, ...isOwn };
}
