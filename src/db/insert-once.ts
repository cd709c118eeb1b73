import type { ClientSession, Model, Types } from "mongoose";
import type { Db } from "./db.js";
import type { TransactionOptions } from "./transaction.js";

/**
 * Runs a transaction that inserts a row under a new id. After a commit whose result was lost the transaction runs again,
 * finds the row and inserts nothing.
 * @returns the row if it was there, otherwise the result of `insert`.
 */
export const insertOnce = <Row, Result>(
  db: Db,
  model: Model<Row>,
  { _id }: { readonly _id: Types.ObjectId },
  options: TransactionOptions,
  insert: (session: ClientSession) => Promise<Result>,
): Promise<Row | Result> =>
  db.transaction(
    async (session) => (await model.findById(_id).session(session).lean<Row>()) ?? insert(session),
    options,
  );
