import { type ClientSession, mongo, type Types } from "mongoose";
import { type CourseForSale, saleFields } from "../courses/course-queries.js";
import type { Models } from "../index.js";
import { majority, nativeCollection } from "../native-collection.js";
import type { Buyer } from "../users/user.js";
import type { Purchase, PurchaseState } from "./purchase.js";

type Id = Types.ObjectId;

const courseFields = ["_id", ...Object.keys(saleFields)].map((field) => `courses.${field}`);
const buyerAndCourseFields = Object.fromEntries(["name", "email", ...courseFields].map((field) => [field, 1]));

/**
 * Reads the buyer and the course of a purchase by one command.
 * @param courseId null: no course. @returns null when there is no such user; `course` is undefined when there is no such
 *   course.
 */
export async function findBuyerAndCourse(
  db: Models,
  userId: string,
  courseId: Id | null,
): Promise<{ readonly buyer: Buyer; readonly course: CourseForSale | undefined } | null> {
  const from = db.Course.collection.name;
  const [found] = await nativeCollection(db.User)
    .aggregate<Buyer & { readonly courses: CourseForSale[] }>([
      { $match: { _id: userId } },
      { $addFields: { courseId: { $literal: courseId } } },
      { $lookup: { from, localField: "courseId", foreignField: "_id", as: "courses" } },
      { $project: buyerAndCourseFields },
    ])
    .toArray();
  if (!found) return null;
  const { courses, ...buyer } = found;
  return { buyer, course: courses[0] };
}

/** The fields that a new purchase is inserted with. */
type NewPurchase = Pick<Purchase, "userId" | "courseId" | "amount" | "currency" | "price" | "status" | "terms"> &
  Partial<Pick<Purchase, "buyer" | "coupon" | "couponUse" | "slot" | "completedAt">> &
  Partial<Pick<Purchase, "orderLock" | "nextCheckAt">>;

/** Stores a new purchase. The unique index refuses it when another purchase holds its slot. */
export async function insertPurchase(db: Models, fields: NewPurchase, session?: ClientSession): Promise<Purchase> {
  const now = new Date();
  const initial = { completedAt: null, refundedAt: null, refundedMinor: 0, reviewReason: null, checks: 0 };
  const purchase = { _id: new mongo.ObjectId(), ...initial, ...fields, createdAt: now, updatedAt: now };
  const options = { ignoreUndefined: true, ...(session ? { session } : majority) };
  await nativeCollection(db.Purchase).insertOne(purchase, options);
  return purchase;
}

/** Finds a purchase by a field of which every value is unique. */
export function findPurchase(
  db: Models,
  which: { _id: Id } | { slot: string } | { providerOrderId: string } | { providerPaymentId: string },
  session?: ClientSession,
): Promise<Purchase | null> {
  return nativeCollection(db.Purchase).findOne(which, session ? { session } : {});
}

/** Stores the order of a purchase and moves it. @returns the new purchase; null when it is not in one of the states. */
export function setPurchaseOrder(
  db: Models,
  which: { _id: Id; status: { $in: PurchaseState[] } },
  order: Required<Pick<Purchase, "providerOrderId" | "status">>,
): Promise<Purchase | null> {
  const update = { $set: { ...order, updatedAt: new Date() }, $unset: { orderLock: "" } } as const;
  return nativeCollection(db.Purchase).findOneAndUpdate(which, update, { ...majority, returnDocument: "after" });
}

/** Whether a purchase other than this one holds a payment, or an order. */
export async function isHeldByAnother(
  db: Models,
  _id: Id,
  held: { providerPaymentId: string } | { providerOrderId: string },
  session: ClientSession,
): Promise<boolean> {
  return (await nativeCollection(db.Purchase).findOne({ ...held, _id: { $ne: _id } }, { session })) !== null;
}

/**
 * Completes a purchase that matches.
 * @param payment `checkCaptureAt`: when the provider is asked whether it was captured; undefined when it was.
 * @returns the completed purchase; null when it does not match.
 */
export function setPurchaseCompleted(
  db: Models,
  which: { _id: Id; status: { $in: PurchaseState[] }; createdAt?: { $gte: Date } } & Partial<
    Pick<Purchase, "providerOrderId" | "currency" | "amount">
  >,
  payment: { paymentId: string; orderId: string | undefined; checkCaptureAt: Date | undefined },
  invoicing: Required<Pick<Purchase, "seller" | "tax">>,
  session: ClientSession,
): Promise<Purchase | null> {
  const { paymentId, orderId, checkCaptureAt } = payment;
  const now = new Date();
  return nativeCollection(db.Purchase).findOneAndUpdate(
    which,
    {
      $set: {
        status: "completed",
        providerPaymentId: paymentId,
        completedAt: now,
        invoiceDueAt: now,
        updatedAt: now,
        ...invoicing,
        ...(orderId !== undefined && { providerOrderId: orderId }),
        ...(checkCaptureAt && { signatureOnly: true, nextCheckAt: checkCaptureAt, checks: 0 }),
      },
      $unset: {
        slot: "",
        orderLock: "",
        checkFailures: "",
        failedBecause: "",
        ...(!checkCaptureAt && { nextCheckAt: "" }),
      },
    },
    { session, returnDocument: "after" },
  );
}

/**
 * Moves a completed purchase to `refunded`.
 * @param options `asksOn`: the provider has still to be asked about a refund. @returns the refunded purchase.
 */
export function setPurchaseRefunded(
  db: Models,
  _id: Id,
  { refundedMinor, asksOn }: { refundedMinor: number; asksOn: boolean },
  session: ClientSession,
): Promise<Purchase | null> {
  const now = new Date();
  return nativeCollection(db.Purchase).findOneAndUpdate(
    { _id, status: "completed" },
    {
      $set: { status: "refunded", refundedAt: now, refundedMinor, creditNoteDueAt: now, updatedAt: now },
      $unset: { signatureOnly: "", ...(asksOn ? {} : { nextCheckAt: "" }) },
    },
    { session, returnDocument: "after" },
  );
}

/**
 * Replaces the refunded payment of a purchase by another payment, and has the provider asked about it at once. An invoice
 * names its payment, so a numbered invoice is followed by a credit note and by another invoice.
 * @returns the purchase; null when it has another state.
 */
export function setCompletingPayment(
  db: Models,
  which: { _id: Id; status: { $in: PurchaseState[] } },
  { paymentId, refundedMinor }: { paymentId: string; refundedMinor: number },
  former: Pick<Purchase, "providerPaymentId" | "invoiceNumber">,
  session: ClientSession,
): Promise<Purchase | null> {
  const now = new Date();
  const payment = { status: "completed" as const, providerPaymentId: paymentId, refundedMinor, refundedAt: null };
  const documents = former.invoiceNumber ? { invoiceDueAt: now, creditNoteDueAt: now } : {};
  return nativeCollection(db.Purchase).findOneAndUpdate(
    which,
    {
      $set: { ...payment, ...documents, nextCheckAt: now, checks: 0, updatedAt: now },
      $addToSet: { formerPaymentIds: former.providerPaymentId ?? "" },
      $unset: { signatureOnly: "" },
    },
    { session, returnDocument: "after" },
  );
}

/** Stores the amount that was paid back of a purchase that stays completed. */
export async function setRefundedInPart(
  db: Models,
  _id: Id,
  refundedMinor: number,
  session: ClientSession,
): Promise<void> {
  const now = new Date();
  const noted = { refundedMinor, creditNoteDueAt: now, updatedAt: now };
  await nativeCollection(db.Purchase).updateOne({ _id, status: "completed" }, { $set: noted }, { session });
}

/** Makes a purchase in one of the states due for a check at the provider. @returns whether there is such a purchase. */
export async function setCheckDue(
  db: Models,
  which: { status: { $in: PurchaseState[] } } & ({ _id: Id } | { providerOrderId: string }),
  session: ClientSession,
): Promise<boolean> {
  const due = { $set: { nextCheckAt: new Date() } };
  return (await nativeCollection(db.Purchase).updateOne(which, due, { session })).matchedCount > 0;
}
