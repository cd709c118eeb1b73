import { setTimeout as sleep } from "node:timers/promises";
import type { mongo } from "mongoose";
import type { TestServer } from "../server/test-server.js";

type Document = mongo.BSON.Document;

/** Records every database command that the server sends while `work` runs. */
export async function commandsDuring(server: TestServer, work: () => Promise<unknown>): Promise<Document[]> {
  const client = server.deps.database.getClient();
  const seen: Document[] = [];
  const note = ({ command }: mongo.CommandStartedEvent) => seen.push(command);
  client.on("commandStarted", note);
  try {
    await work();
  } finally {
    client.off("commandStarted", note);
  }
  return seen;
}

/** Records every database command from the start of `begin` until the server has been quiet for a while. */
export function commandsUntilQuiet(server: TestServer, begin: () => Promise<unknown>): Promise<Document[]> {
  return commandsDuring(server, async () => {
    const client = server.deps.database.getClient();
    let underWay = 0;
    let quietTurns = 0;
    const start = () => {
      underWay += 1;
      quietTurns = 0;
    };
    const end = () => {
      underWay -= 1;
    };
    client.on("commandStarted", start).on("commandSucceeded", end).on("commandFailed", end);
    await begin();
    // A request that goes on sends its next command sooner. Turns pass more slowly on a busy machine.
    for (; quietTurns < 8; quietTurns = underWay > 0 ? 0 : quietTurns + 1) await sleep(50);
    client.off("commandStarted", start).off("commandSucceeded", end).off("commandFailed", end);
  });
}

export interface Effort {
  /** For example `find votes`, in the order sent. */
  readonly commands: string[];
  /** Number of index keys that the database examined; NaN when it does not report it. */
  readonly keys: number;
  /** Number of documents that the database examined; NaN when it does not report it. */
  readonly documents: number;
  /** Commands that read a whole collection. */
  readonly scans: string[];
  /** Commands that sorted their result in memory, because no index has that order. */
  readonly sorts: string[];
}

/** Measures the cost of commands with the database's own explain. */
export async function effortOf(server: TestServer, commands: readonly Document[]): Promise<Effort> {
  const { db } = server.deps.database;
  if (!db) throw new Error("no database");
  let documents = 0;
  let keys = 0;
  const scans: string[] = [];
  const sorts: string[] = [];
  for (const command of commands) {
    const read = readOf(command);
    if (!read) continue;
    const explained = await db.command({ explain: read, verbosity: "executionStats" });
    const stages = stagesOf(explained);
    if (stages.includes("COLLSCAN")) scans.push(nameOf(command));
    if (stages.includes("SORT")) sorts.push(nameOf(command));
    const stats = statsOf(explained);
    documents += stats.documents;
    keys += stats.keys;
  }
  return { commands: commands.map(nameOf), keys, documents, scans, sorts };
}

/**
 * Extracts a command's query in a form that every database explains. It returns undefined for a command without a
 * query.
 */
function readOf(command: Document): Document | undefined {
  const { find, aggregate, count, findAndModify, update, delete: remove } = command;
  if (find || aggregate || count) {
    const { lsid, $db, $clusterTime, $readPreference, readConcern, ...inTransaction } = command;
    const { txnNumber, autocommit, startTransaction, ...bare } = inTransaction;
    return bare;
  }
  if (findAndModify) return { find: findAndModify, filter: command.query, limit: 1 };
  if (update) return { find: update, filter: command.updates[0].q };
  if (remove) return { find: remove, filter: command.deletes[0].q };
  return undefined;
}

function nameOf(command: Document): string {
  const [name = "", collection] = Object.entries(command)[0] ?? [];
  return typeof collection === "string" ? `${name} ${collection}` : name;
}

/** Collects stages at any depth, because databases nest their plans differently. */
function stagesOf(explained: unknown): string[] {
  if (typeof explained !== "object" || explained === null) return [];
  return Object.entries(explained).flatMap(([key, value]) =>
    key === "stage" && typeof value === "string" ? [value] : key === "command" ? [] : stagesOf(value),
  );
}

function statsOf(explained: Document): { keys: number; documents: number } {
  const stats = explained.executionStats ?? explained.stages?.[0]?.$cursor?.executionStats;
  return {
    keys: Number(stats?.totalKeysExamined ?? Number.NaN),
    documents: Number(stats?.totalDocsExamined ?? Number.NaN),
  };
}
