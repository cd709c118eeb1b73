import { type ClientSession, mongo, type Types } from "mongoose";
import { type CourseForSale, courseSaleFields, findCourseForSale } from "../courses/course-queries.js";
import type { Models } from "../index.js";
import { majority, nativeCollection } from "../native-collection.js";
import { type Buyer, buyerFields, buyerOf, type User } from "../users/user.js";
import type { Payment } from "./payment.js";
import { type Purchase, unpaidStates } from "./purchase.js";

type Id = Types.ObjectId;

const courseFields = ["_id", ...Object.keys(courseSaleFields)].map((field) => `courses.${field}`);
const buyerAndCourseFields = Object.fromEntries(
  [...Object.keys(buyerFields), ...courseFields].map((field) => [field, 1]),
);

/**
 * Reads the buyer and the course of a purchase, by one command when there is such a user.
 * @param courseId null: no course.
 */
export async function findBuyerAndCourse(
  db: Models,
  userId: string,
  courseId: Id | null,
  session?: ClientSession,
): Promise<{ readonly buyer: Buyer | null; readonly course: CourseForSale | undefined }> {
  const from = db.Course.collection.name;
  const [found] = await nativeCollection(db.User)
    .aggregate<User & { readonly courses: CourseForSale[] }>(
      [
        { $match: { _id: userId } },
        { $addFields: { courseId: { $literal: courseId } } },
        { $lookup: { from, localField: "courseId", foreignField: "_id", as: "courses" } },
        { $project: buyerAndCourseFields },
      ],
      session ? { session } : {},
    )
    .toArray();
  if (found) return { buyer: buyerOf(found), course: found.courses[0] };
  return { buyer: null, course: (courseId && (await findCourseForSale(db, courseId, session))) ?? undefined };
}

/** The fields that a new purchase is inserted with. */
type NewPurchase = Pick<
  Purchase,
  "userId" | "courseId" | "pathId" | "amount" | "currency" | "price" | "status" | "terms"
> &
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
  which: { _id: Id } | { providerOrderId: string } | { providerPaymentId: string },
  session?: ClientSession,
): Promise<Purchase | null> {
  return nativeCollection(db.Purchase).findOne(which, session ? { session } : {});
}

/**
 * Reads a purchase and its payments by one command.
 * @param paymentId of a payment that is read as well, although it may be of no purchase. @returns the payments in no order.
 */
export async function findPurchaseWithPayments(
  db: Models,
  _id: Id,
  paymentId: string | undefined,
  session: ClientSession,
): Promise<{ readonly purchase: Purchase; readonly payments: Payment[] } | null> {
  const from = db.Payment.collection.name;
  const ids = [{ $literal: paymentId ?? null }, "$providerPaymentId"];
  const [found] = await nativeCollection(db.Purchase)
    .aggregate<Purchase & Record<"named" | "others", Payment[]>>(
      [
        { $match: { _id } },
        { $lookup: { from, localField: "_id", foreignField: "purchaseId", as: "named" } },
        { $addFields: { others: ids } },
        { $lookup: { from, localField: "others", foreignField: "_id", as: "others" } },
      ],
      { session },
    )
    .toArray();
  if (!found) return null;
  const { named, others, ...purchase } = found;
  return { purchase, payments: [...new Map([...named, ...others].map((row) => [row._id, row])).values()] };
}

/** Stores the order of a `created` purchase, which then is `pending`. @returns null when it is in another state. */
export function setPurchaseOrder(db: Models, _id: Id, providerOrderId: string): Promise<Purchase | null> {
  const order = { status: "pending" as const, providerOrderId, updatedAt: new Date() };
  const update = { $set: order, $unset: { orderLock: "" } } as const;
  const options = { ...majority, returnDocument: "after" } as const;
  return nativeCollection(db.Purchase).findOneAndUpdate({ _id, status: "created" }, update, options);
}

/** Whether a purchase other than this one holds a payment, or an order. */
export async function isHeldByAnother(
  db: Models,
  _id: Id,
  held: { providerPaymentId: string } | { providerOrderId: string },
  session: ClientSession,
): Promise<boolean> {
  return (await db.Purchase.exists({ ...held, _id: { $ne: _id } }).session(session)) !== null;
}

/** A change of fields; undefined takes a field out. */
export type Change<T> = { [K in keyof T]?: T[K] | undefined };

/** Stores a purchase that the transaction has read, with changes. @returns the purchase as it is stored. */
export async function storePurchase(
  db: Models,
  { _id, ...purchase }: Purchase,
  change: Change<Purchase>,
  session: ClientSession,
): Promise<Purchase> {
  const fields = Object.entries({ ...purchase, ...change, updatedAt: new Date() });
  const row = Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Omit<Purchase, "_id">;
  await nativeCollection(db.Purchase).replaceOne({ _id }, row, { session });
  return { _id, ...row };
}

/** Copies a changed profile to the learner's unpaid purchases, so that an invoice names the buyer of that day. */
export async function renameBuyer(
  db: Models,
  session: ClientSession,
  { _id: userId, name, email }: Buyer,
): Promise<void> {
  const unpaid = { userId, status: { $in: unpaidStates }, buyer: { $exists: true } };
  await db.Purchase.updateMany(unpaid, { $set: { buyer: { name, email } } }, { session, timestamps: false });
}
