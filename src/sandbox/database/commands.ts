import { CATALOG_COMMANDS } from "./catalog-commands.js";
import { type Call, type Command, command } from "./command.js";
import { check, notSupported } from "./errors.js";
import { READ_COMMANDS } from "./read-commands.js";
import { type Document, MAX_DOCUMENT_BYTES } from "./values.js";
import { MAX_MESSAGE_BYTES, MOST_WRITES } from "./wire.js";
import { WRITE_COMMANDS } from "./write-commands.js";

const hello: Command = ({ connection: connectionId }) => ({
  ...{ helloOk: true, isWritablePrimary: true, ismaster: true, readOnly: false },
  ...{ minWireVersion: 0, maxWireVersion: 21, connectionId, localTime: new Date(), logicalSessionTimeoutMinutes: 30 },
  ...{ maxBsonObjectSize: MAX_DOCUMENT_BYTES, maxMessageSizeBytes: MAX_MESSAGE_BYTES, maxWriteBatchSize: MOST_WRITES },
});
const nothing = () => ({});
const buildInfo = command({}, () => ({ version: "7.0.14", versionArray: [7, 0, 14, 0], modules: ["embedded"] }));
const nobody = { authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } };

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    ...{ hello, isMaster: hello, ismaster: hello, buildInfo, buildinfo: buildInfo },
    ...{ endSessions: nothing, refreshSessions: nothing, ping: command({}, nothing) },
    connectionStatus: command({ bool: "showPrivileges" }, () => nobody),
    ...CATALOG_COMMANDS,
    ...READ_COMMANDS,
    ...WRITE_COMMANDS,
  }),
);

/** Commands of MongoDB that are refused as such (115), so that a client does not take them for misspelt ones (59). */
const UNSERVED = new Set(
  `bulkWrite collMod collStats compact currentOp dataSize dbHash dbStats getLog getParameter killOp
   mapReduce renameCollection serverStatus setParameter top validate`.split(/\s+/),
);

/**
 * Runs one command.
 * @throws DatabaseError 59 for an unknown command, 115 for one not served, 20 for anything of a transaction.
 */
export async function runCommand(call: Call): Promise<Document> {
  const name = call.command;
  const transaction = ["txnNumber", "autocommit", "startTransaction"].some((field) => Object.hasOwn(call.body, field));
  check(
    !transaction && !/^(commit|abort)Transaction$/.test(name),
    20,
    "Transaction numbers are only allowed on a replica set member or mongos",
  );
  if (UNSERVED.has(name)) throw notSupported(`the command ${name}`);
  const run = COMMANDS.get(name);
  check(run !== undefined, 59, `no such command: '${name}'`);
  return await run(call);
}
