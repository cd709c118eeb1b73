import { AsyncLocalStorage } from "node:async_hooks";
import type { mongo } from "mongoose";
import type { Db } from "../../src/db/db.js";
import type { TestServer } from "../server/test-server.js";

/**
 * Watches a server for operations that miss their transaction: sent while its body runs, but without its session.
 * @returns the commands that missed a transaction, and the number of committed transactions.
 */
export function watchTransactions(server: TestServer): { readonly escaped: string[]; readonly committed: number } {
  const inside = new AsyncLocalStorage<true>();
  const seen = { escaped: [] as string[], committed: 0 };
  const db = server.deps.db as { transaction: Db["transaction"] };
  const { transaction } = db;
  db.transaction = (work, options) => transaction((session) => inside.run(true, () => work(session)), options);
  server.deps.database.getClient().on("commandStarted", ({ commandName, command }: mongo.CommandStartedEvent) => {
    if (commandName === "commitTransaction") seen.committed += 1;
    if (!inside.getStore() || commandName.endsWith("Transaction")) return;
    if (command.autocommit !== false) seen.escaped.push(`${commandName} ${command[commandName]}`);
  });
  return seen;
}
