import { ADMIN_COMMANDS } from "./admin-commands.js";
import type { Catalog } from "./catalog.js";
import { CATALOG_COMMANDS } from "./catalog-commands.js";
import type { Cursors } from "./cursors.js";
import { DatabaseError, notSupported } from "./errors.js";
import { toInteger } from "./numbers.js";
import { Effort } from "./query.js";
import { READ_COMMANDS } from "./read-commands.js";
import { type Document, isDocument } from "./values.js";
import { WRITE_COMMANDS } from "./write-commands.js";

/** One command on its way through its handler. */
export interface Call {
  catalog: Catalog;
  cursors: Cursors;
  database: string;
  body: Document;
  connection: number;
  effort: Effort;
}

/** The reply: a document without `ok`, or the whole reply already encoded. */
export type Handler = (call: Call) => Promise<Document | Buffer> | Document | Buffer;

export interface Command {
  run: Handler;
  /** The fields it takes beside its own name and those every command takes; undefined: any. */
  fields?: readonly string[];
}

const EVERYWHERE = new Set([
  "$db",
  "$readPreference",
  "$clusterTime",
  "lsid",
  "txnNumber",
  "autocommit",
  "startTransaction",
  "comment",
  "maxTimeMS",
  "readConcern",
  "writeConcern",
  "apiVersion",
  "apiStrict",
  "apiDeprecationErrors",
  "$audit",
  "$client",
  "$configServerState",
  "mayBypassWriteBlocking",
  "$queryOptions",
]);

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ...ADMIN_COMMANDS,
  ...CATALOG_COMMANDS,
  ...READ_COMMANDS,
  ...WRITE_COMMANDS,
]);

/**
 * Runs one command.
 * @throws DatabaseError 59 for an unknown command, 20 for anything of a transaction, 40415 for an unknown field.
 */
export async function runCommand(call: Omit<Call, "database" | "effort">): Promise<Document | Buffer> {
  const { body } = call;
  const [name = ""] = Object.keys(body);
  const command = COMMANDS.get(name);
  if (command === undefined) {
    throw new DatabaseError(59, `no such command: '${name}'`);
  }
  const { $db, txnNumber, autocommit, startTransaction } = body;
  if (typeof $db !== "string") {
    throw new DatabaseError(40414, "BSON field 'OP_MSG.$db' is missing but a required field");
  }
  if (txnNumber !== undefined || autocommit !== undefined || startTransaction !== undefined) {
    throw new DatabaseError(20, "Transaction numbers are only allowed on a replica set member or mongos");
  }
  const stray =
    command.fields &&
    Object.keys(body).find((field) => field !== name && !EVERYWHERE.has(field) && !command.fields?.includes(field));
  if (stray !== undefined) {
    throw new DatabaseError(40415, `BSON field '${name}.${stray}' is an unknown field.`);
  }
  refuseCollation(body.collation);
  return await command.run({ ...call, database: $db, effort: new Effort(timeLimit(body.maxTimeMS)) });
}

/** @throws DatabaseError 115 for any collation but the simple one, which is what there is without one. */
export function refuseCollation(collation: unknown): void {
  if (
    collation !== undefined &&
    !(isDocument(collation) && (collation.locale === "simple" || Object.keys(collation).length === 0))
  ) {
    throw notSupported("collation");
  }
}

function timeLimit(value: unknown): number {
  const limit = value === undefined ? 0 : toInteger(value);
  if (limit === undefined || limit < 0 || limit > 0x7fffffff) {
    throw new DatabaseError(2, `${String(value)} value for maxTimeMS is out of range`);
  }
  return limit === 0 ? Number.POSITIVE_INFINITY : limit;
}
