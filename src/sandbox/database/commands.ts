import { CATALOG_COMMANDS } from "./catalog-commands.js";
import { anything, type Call, type Command, command } from "./command-fields.js";
import { check, notSupported } from "./errors.js";
import { explain } from "./explain.js";
import { toInteger } from "./numbers.js";
import { Effort } from "./query.js";
import { READ_COMMANDS } from "./read-commands.js";
import { type Document, MAX_DOCUMENT_BYTES } from "./values.js";
import { MAX_MESSAGE_BYTES, MOST_WRITES } from "./wire.js";
import { WRITE_COMMANDS } from "./write-commands.js";

const hello =
  (primaryField: string): Command =>
  ({ connection: connectionId }) => ({
    helloOk: true,
    [primaryField]: true,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: MOST_WRITES,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
  });

const nothing = () => ({});
const buildInfo = command({}, () => ({ version: "7.0.14", versionArray: [7, 0, 14, 0], modules: ["embedded"] }));
const nobody = { authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } };

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    ...{ hello: hello("isWritablePrimary"), isMaster: hello("ismaster"), ismaster: hello("ismaster") },
    ...{ endSessions: nothing, refreshSessions: nothing, ping: command({}, nothing), buildInfo, buildinfo: buildInfo },
    ...{ connectionStatus: command({ showPrivileges: anything }, () => nobody), explain },
    ...CATALOG_COMMANDS,
    ...READ_COMMANDS,
    ...WRITE_COMMANDS,
  }),
);

/** Commands of MongoDB that are refused as such (115), so that a client does not take them for misspelt ones (59). */
const UNSERVED = new Set(
  `bulkWrite collMod collStats compact currentOp dataSize dbHash dbStats getLog getParameter killOp mapReduce
   renameCollection serverStatus setParameter top validate`.split(/\s+/),
);

/**
 * Runs one command.
 * @throws DatabaseError 59 for an unknown command, 115 for one not served, 20 for anything of a transaction.
 */
export async function runCommand(call: Omit<Call, "database" | "effort">): Promise<Document | Buffer> {
  const { $db: database, txnNumber, autocommit, startTransaction, maxTimeMS = null } = call.body;
  const [name = ""] = Object.keys(call.body);
  const transaction = [txnNumber, autocommit, startTransaction].some((field) => field !== undefined);
  const transactional = transaction || name === "commitTransaction" || name === "abortTransaction";
  check(!transactional, 20, "Transaction numbers are only allowed on a replica set member or mongos");
  if (UNSERVED.has(name)) throw notSupported(`the command ${name}`);
  const run = COMMANDS.get(name);
  check(run !== undefined, 59, `no such command: '${name}'`);
  check(typeof database === "string", 40414, "BSON field 'OP_MSG.$db' is missing but a required field");
  const limit = maxTimeMS === null ? 0 : toInteger(maxTimeMS);
  check(limit !== undefined && limit >= 0, 2, `${String(maxTimeMS)} value for maxTimeMS is out of range`);
  call.catalog.refresh();
  return await run({ ...call, database, effort: new Effort(limit || Number.POSITIVE_INFINITY) });
}
