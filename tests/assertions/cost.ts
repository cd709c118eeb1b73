import type { mongo } from "mongoose";

/** What some work asked of the database. */
export interface Cost {
  /** Commands sent, by name. */
  readonly commands: readonly string[];
  readonly keysExamined: number;
  readonly docsExamined: number;
}

const examining = ["find", "aggregate", "update", "findAndModify", "delete", "count", "distinct"];

/** Every command that the driver sends during the work, and what explaining each of them afterwards says. */
export async function costOf(
  { client, db }: { client: mongo.MongoClient; db: mongo.Db },
  work: () => Promise<unknown>,
): Promise<Cost> {
  const sent: mongo.CommandStartedEvent[] = [];
  const record = (event: mongo.CommandStartedEvent): void => {
    // Leases are renewed by the clock: how often says something about this machine only.
    if (event.command[event.commandName] !== "leases") sent.push(event);
  };
  client.on("commandStarted", record);
  try {
    await work();
  } finally {
    client.off("commandStarted", record);
  }
  let keysExamined = 0;
  let docsExamined = 0;
  for (const { commandName, command } of sent) {
    if (!examining.includes(commandName)) continue;
    const { lsid, $db, txnNumber, autocommit, startTransaction, readConcern, ...bare } = command;
    const { executionStats } = await db.command({ explain: bare, verbosity: "executionStats" });
    keysExamined += executionStats.totalKeysExamined;
    docsExamined += executionStats.totalDocsExamined;
  }
  return { commands: sent.map(({ commandName }) => commandName).sort(), keysExamined, docsExamined };
}
