import type { Model, Types } from "mongoose";
import { cursorLimitMs } from "./command-limit.js";
import type { Models, UserOwnedCollection } from "./index.js";

/** Rows in memory at once while an export reads them. */
const batchSize = 200;

type Rows = Model<{ _id: Types.ObjectId | string; [field: string]: unknown }>;

export const rowsOf = (db: Models, { name }: UserOwnedCollection): Rows => db[name] as unknown as Rows;

/** Reads all rows that belong to a user, in no particular order. Memory holds one batch. */
export function readUserOwnedRows(db: Models, collection: UserOwnedCollection, userId: string): AsyncIterable<object> {
  const { owner, where, through } = collection;
  if (through) return readThroughPurchases(db, collection, userId);
  return rowsOf(db, collection)
    .find({ ...where, [owner]: userId }, collection.unread)
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
