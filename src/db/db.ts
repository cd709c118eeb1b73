import type { Connection } from "mongoose";
import { Registry } from "prom-client";
import { createModels, type Models } from "../models/index.js";
import { createTransaction, type Transaction } from "./transaction.js";

/** The database as the application sees it: one model for each collection, and transactions over them. */
export interface Db extends Models {
  readonly transaction: Transaction;
}

export function createDb(connection: Connection, metrics = new Registry()): Db {
  return { ...createModels(connection), transaction: createTransaction(connection, metrics) };
}
