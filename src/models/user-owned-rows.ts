import type { Model, Types } from "mongoose";
import { cursorLimitMs } from "./command-limit.js";
import type { Models, UserOwnedCollection } from "./index.js";

/** Rows in memory at once while an export reads them. */
const batchSize = 200;

type Rows = Model<{ _id: Types.ObjectId | string; [field: string]: unknown }>;

const rowsOf = (db: Models, { name }: UserOwnedCollection): Rows => db[name] as unknown as Rows;

/** All rows that are a user's own, in no particular order. Memory holds one batch. */
export function readUserOwnedRows(db: Models, collection: UserOwnedCollection, userId: string): AsyncIterable<object> {
  const { owner, where, through } = collection;
  if (through) return readThroughPurchases(db, collection, userId);
  return rowsOf(db, collection)
    .find({ ...where, [owner]: userId })
    .lean()
    .maxTimeMS(cursorLimitMs)
    .cursor({ batchSize: collection.batchSize ?? batchSize });
}

/** Rows that name a purchase of the user. */
function readThroughPurchases(db: Models, collection: UserOwnedCollection, userId: string): AsyncIterable<object> {
  const from = db[collection.name].collection.name;
  const rows = db.Purchase.aggregate<object>([
    { $match: { userId } },
    { $project: { _id: 1 } },
    { $lookup: { from, localField: "_id", foreignField: collection.owner, as: "row" } },
    { $unwind: "$row" },
    { $replaceRoot: { newRoot: "$row" } },
  ]);
  return rows.option({ maxTimeMS: cursorLimitMs }).cursor({ batchSize });
}

async function findIds(db: Models, collection: UserOwnedCollection, userId: string, limit: number) {
  const rows = await rowsOf(db, collection)
    .find({ [collection.owner]: userId }, { _id: 1 })
    .limit(limit)
    .lean();
  return rows.map(({ _id }) => _id);
}

/** Deletes at most `limit` of a user's rows. @returns whether there may be more. */
export async function deleteUserOwnedRows(
  db: Models,
  collection: UserOwnedCollection,
  userId: string,
  limit: number,
): Promise<boolean> {
  const ids = await findIds(db, collection, userId, limit);
  if (ids.length > 0) await rowsOf(db, collection).deleteMany({ _id: { $in: ids } });
  return ids.length === limit;
}

/** Puts `pseudonym` in place of the user's id in at most `limit` rows, and sets fields. @returns whether there may be more. */
export async function anonymiseUserOwnedRows(
  db: Models,
  collection: UserOwnedCollection,
  userId: string,
  { pseudonym, set, limit }: { pseudonym: string; set: Readonly<Record<string, unknown>>; limit: number },
): Promise<boolean> {
  const { owner } = collection;
  const ids = await findIds(db, collection, userId, limit);
  const change = { $set: { ...set, [owner]: pseudonym } };
  const own = { _id: { $in: ids }, [owner]: userId };
  if (ids.length > 0) await rowsOf(db, collection).updateMany(own, change, { timestamps: false });
  return ids.length === limit;
}
