import { type ClientSession, type Model, type QueryFilter, Types } from "mongoose";
import { isObjectId } from "../lib/fields.js";

/** Returns the ids of some rows, each once; undefined when one of them is malformed or not among the rows of the filter. */
export async function findIds<Row>(
  model: Model<Row>,
  rowIds: readonly string[],
  filter: QueryFilter<Row>,
  session: ClientSession | null = null,
): Promise<Types.ObjectId[] | undefined> {
  const ids = [...new Set(rowIds.map((rowId) => rowId.toLowerCase()))];
  const wanted = { _id: { $in: ids.filter(isObjectId) } } as QueryFilter<Row>;
  const found = await model.countDocuments({ $and: [wanted, filter] }).session(session);
  return found < ids.length ? undefined : ids.map((rowId) => new Types.ObjectId(rowId));
}
