import type { ClientSession, mongo, Types } from "mongoose";
import { commandLimitMs } from "./command-limit.js";
import { renewReplies } from "./community/community-post.js";
import type { Models } from "./index.js";
import { nativeCollection } from "./native-collection.js";
import { couponUseOf, freeSlot, type PurchaseState, unfinishedSlot } from "./payments/purchase.js";

/** The rows of a collection that name a user: in which field, and what else holds for them. */
export interface OwnRows {
  readonly model: keyof Models;
  readonly owner: string;
  readonly where?: Readonly<Record<string, unknown>>;
}

const timeLimit = { maxTimeMS: commandLimitMs };

const collectionOf = (db: Models, model: keyof Models): mongo.Collection =>
  db[model].collection as unknown as mongo.Collection;

/** All of them, in no particular order; memory holds one batch. */
export function readOwnRows(
  db: Models,
  { model, owner, where }: OwnRows,
  userId: string,
  batchSize: number,
): AsyncIterable<object> {
  return collectionOf(db, model).find({ ...where, [owner]: userId }, { batchSize, ...timeLimit });
}

/** The invoices and credit notes of a user's purchases, in no particular order; memory holds one batch. */
export function readOwnInvoices(db: Models, userId: string, batchSize: number): AsyncIterable<object> {
  const invoices = { from: db.Invoice.collection.name, localField: "_id", foreignField: "purchaseId", as: "invoice" };
  const pipeline = [
    ...[{ $match: { userId } }, { $project: { _id: 1 } }, { $lookup: invoices }, { $unwind: "$invoice" }],
    { $replaceRoot: { newRoot: "$invoice" } },
  ];
  return nativeCollection(db.Purchase).aggregate<object>(pipeline, { batchSize });
}

/** Deletes some of them. @returns whether there may be more. */
export async function deleteOwnRows(
  db: Models,
  { model, owner }: OwnRows,
  userId: string,
  limit: number,
): Promise<boolean> {
  const ids = await someIds(db, { model, owner }, userId, limit);
  if (ids.length > 0) await collectionOf(db, model).deleteMany({ _id: { $in: ids } }, timeLimit);
  return ids.length === limit;
}

export interface Anonymised {
  readonly to: string;
  readonly set: Readonly<Record<string, unknown>>;
  readonly limit: number;
}

/** Puts another id in the place of the user's in some of them, and sets fields. @returns whether there may be more. */
export async function anonymiseOwnRows(
  db: Models,
  { model, owner }: OwnRows,
  userId: string,
  change: Anonymised,
): Promise<boolean> {
  const ids = await someIds(db, { model, owner }, userId, change.limit);
  const own = { _id: { $in: ids }, [owner]: userId };
  const set = { ...change.set, [owner]: change.to };
  if (ids.length > 0) await collectionOf(db, model).updateMany(own, { $set: set }, timeLimit);
  return ids.length === change.limit;
}

/** The same for replies, telling the caches of their posts. @returns whether there may be more. */
export async function anonymiseOwnReplies(
  db: Models,
  userId: string,
  { to, set, limit }: Anonymised,
  session: ClientSession,
): Promise<boolean> {
  const replies = nativeCollection(db.CommunityReply);
  const options = { session, projection: { postId: 1 }, limit, batchSize: limit + 1 } as const;
  const own = await replies.find({ authorId: userId }, options).toArray();
  if (own.length === 0) return false;
  const ids = own.map(({ _id }) => _id);
  await replies.updateMany({ _id: { $in: ids } }, { $set: { ...set, authorId: to } }, { session });
  await renewReplies(
    db,
    own.map(({ postId }) => postId),
    session,
  );
  return own.length === limit;
}

async function someIds(
  db: Models,
  { model, owner }: OwnRows,
  userId: string,
  limit: number,
): Promise<Types.ObjectId[]> {
  const options = { projection: { _id: 1 }, limit, batchSize: limit + 1, ...timeLimit } as const;
  const rows = await collectionOf(db, model)
    .find({ [owner]: userId }, options)
    .toArray();
  return rows.map(({ _id }) => _id);
}

/** A course in which a user has bought, studied or rated; undefined when there is none left. */
export async function findCourseOf(db: Models, userId: string): Promise<Types.ObjectId | undefined> {
  const one = { projection: { courseId: 1 } };
  const found =
    (await nativeCollection(db.Purchase).findOne({ userId }, one)) ??
    (await nativeCollection(db.Enrollment).findOne({ userId }, one)) ??
    (await nativeCollection(db.CourseRating).findOne({ userId }, one)) ??
    (await nativeCollection(db.Grant).findOne({ userId }, one));
  return found?.courseId;
}

/** Puts another id in the place of the user's in purchases, grants, enrollment and rating of a course. */
export async function anonymiseInCourse(
  db: Models,
  own: { userId: string; courseId: Types.ObjectId },
  to: string,
  session: ClientSession,
): Promise<void> {
  const { userId, courseId } = own;
  const update = { $set: { userId: to } };
  for (const slotOf of [unfinishedSlot, freeSlot]) {
    const slot = { $set: { slot: slotOf(to, courseId) } };
    await nativeCollection(db.Purchase).updateOne({ slot: slotOf(userId, courseId) }, slot, { session });
  }
  const withCoupon = { ...own, couponUse: { $exists: true } };
  for (const { _id, coupon } of await nativeCollection(db.Purchase).find(withCoupon, { session }).toArray()) {
    const use = { $set: { couponUse: couponUseOf(to, coupon?.code ?? "") } };
    await nativeCollection(db.Purchase).updateOne({ _id }, use, { session });
  }
  // An invoice names the buyer; what was not paid has none.
  const unpaid = {
    ...own,
    $or: [{ amount: 0 }, { status: { $in: ["created", "pending", "failed"] as PurchaseState[] } }],
  };
  await nativeCollection(db.Purchase).updateMany(unpaid, { $unset: { buyer: "" } }, { session });
  await nativeCollection(db.Purchase).updateMany(own, update, { session });
  const grant = { $set: { userId: to, email: null, reason: "" } };
  await nativeCollection(db.Grant).updateMany(own, grant, { session });
  await nativeCollection(db.Enrollment).updateOne(own, update, { session });
  await nativeCollection(db.CourseRating).updateOne(own, update, { session });
}
