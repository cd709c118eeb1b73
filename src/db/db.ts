import { EventEmitter } from "node:events";
import type { Connection } from "mongoose";
import { Registry } from "prom-client";
import { commandLimitMs } from "../models/command-limit.js";
import { createModels, type Models } from "../models/index.js";
import { measureDatabase } from "./database-metrics.js";
import { createTransactions, type Transaction } from "./transaction.js";

/** The database of the application: a model for each collection, and transactions. */
export interface Db extends Models {
  readonly transaction: Transaction;
  /**
   * Wakes the background jobs of this process whose work is in a collection. Emit after the commit that stored work.
   * Nothing depends on it, because jobs also poll.
   */
  readonly jobWakeups: EventEmitter<Record<keyof Models, []>>;
  /** Wakes the job that numbers events. It is always the same function, so that a session can hold it once. */
  readonly wakeEvents: () => void;
  /**
   * Closes the connection after all transactions have ended, because closing would abort a transaction during a command.
   */
  close(): Promise<void>;
}

export function createDb(connection: Connection, metrics = new Registry()): Db {
  connection.set("maxTimeMS", commandLimitMs);
  measureDatabase(connection, metrics);
  const models = createModels(connection);
  const jobWakeups: Db["jobWakeups"] = new EventEmitter();
  const { transaction, ended } = createTransactions(connection, metrics);
  return {
    ...models,
    transaction,
    jobWakeups,
    wakeEvents: () => jobWakeups.emit("Event"),
    async close() {
      await ended();
      await connection.close();
    },
  };
}
