import { check, DatabaseError, notSupported } from "../errors.js";
import { type Document, isDocument, MAX_DOCUMENT_BYTES } from "../language/values.js";
import { MAX_MESSAGE_BYTES, MAX_WRITES } from "../wire.js";
import { CATALOG_COMMANDS } from "./catalog-commands.js";
import { type Call, type Command, command } from "./command.js";
import { configureFailPoint } from "./fail-points.js";
import { READ_COMMANDS } from "./read-commands.js";
import { WRITE_COMMANDS } from "./write-commands.js";

const SET = "rs0";
const hello: Command = ({ connection, body: { client } }) => {
  const { number: connectionId, address: me } = connection;
  if (isDocument(client) && isDocument(client.application)) connection.application = client.application.name;
  return {
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    secondary: false,
    readOnly: false,
    setName: SET,
    setVersion: 1,
    hosts: [me],
    primary: me,
    me,
    minWireVersion: 0,
    maxWireVersion: 21,
    connectionId,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: MAX_WRITES,
  };
};
/** Answers a set-up tool as a member of a configured replica set does. */
const replSetInitiate: Command = () => {
  throw new DatabaseError(23, "already initialized");
};
const replSetGetConfig: Command = ({ connection }) => ({
  config: { _id: SET, version: 1, members: [{ _id: 0, host: connection.address }] },
});
const nothing = () => ({});
const buildInfo = command({}, () => ({ version: "7.0.14", versionArray: [7, 0, 14, 0], modules: ["embedded"] }));
const ending = command({ object: "recoveryToken" }, nothing);
const endSessions: Command = ({ server, body, command: name }) => {
  const ids = body[name];
  server.transactions.endSessions(Array.isArray(ids) ? ids : []);
  return {};
};
const noUser = { authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } };

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    hello,
    isMaster: hello,
    ismaster: hello,
    buildInfo,
    buildinfo: buildInfo,
    endSessions,
    killSessions: endSessions,
    refreshSessions: nothing,
    ping: command({}, nothing),
    commitTransaction: ending,
    abortTransaction: ending,
    configureFailPoint,
    replSetInitiate,
    replSetGetConfig,
    replSetReconfig: nothing,
    connectionStatus: command({ bool: "showPrivileges" }, () => noUser),
    ...CATALOG_COMMANDS,
    ...READ_COMMANDS,
    ...WRITE_COMMANDS,
  }),
);

/** Commands of MongoDB that this server refuses with code 115. Code 59 would look like a misspelt name. */
const UNSERVED = new Set(
  `bulkWrite collMod collStats compact currentOp dataSize dbHash dbStats getLog getParameter killOp
   mapReduce renameCollection serverStatus setParameter top validate`.split(/\s+/),
);

/**
 * Runs one command.
 * @throws DatabaseError 59 for an unknown command, 115 for an unsupported command, and each error of the command or of
 * a fail point.
 */
export async function runCommand(call: Call): Promise<Document> {
  const name = call.command;
  if (UNSERVED.has(name)) throw notSupported(`the command ${name}`);
  const run = COMMANDS.get(name);
  check(run !== undefined, 59, `no such command: '${name}'`);
  const more = await call.server.failPoint.meet(call);
  return { ...(await call.server.transactions.run(call, run)), ...more };
}
