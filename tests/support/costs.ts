import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { mongo } from "mongoose";
import { startEmbeddedDatabase } from "../../packages/embedded-mongo/src/index.js";

/** What some work asked of the database. */
export interface Cost {
  /** Commands sent, by name. */
  readonly commands: readonly string[];
  readonly keysExamined: number;
  readonly docsExamined: number;
}

/** An embedded database server for servers whose costs are measured: it explains every command, writes too. */
export async function startExplainingDatabase(): Promise<{ uri: string; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "lyceum-costs-"));
  const database = await startEmbeddedDatabase({ dataDir });
  return {
    uri: `${database.uri}&monitorCommands=true`,
    async close() {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
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
