import { hostname } from "node:os";
import { Int32, Long } from "bson";
import type { Command, Handler } from "./commands.js";
import { DatabaseError } from "./errors.js";
import { MAX_DOCUMENT_BYTES } from "./values.js";
import { MAX_MESSAGE_BYTES } from "./wire.js";

/** The version it presents, with the wire version that belongs to it. */
const VERSION = "7.0.14";
const WIRE_VERSION = 21;

const hello =
  (primaryField: string): Handler =>
  ({ connection }) => ({
    helloOk: true,
    [primaryField]: true,
    maxBsonObjectSize: new Int32(MAX_DOCUMENT_BYTES),
    maxMessageSizeBytes: new Int32(MAX_MESSAGE_BYTES),
    maxWriteBatchSize: new Int32(100_000),
    localTime: new Date(),
    logicalSessionTimeoutMinutes: new Int32(30),
    connectionId: new Int32(connection),
    minWireVersion: new Int32(0),
    maxWireVersion: new Int32(WIRE_VERSION),
    readOnly: false,
  });

const nothing: Handler = () => ({});

const buildInfo: Handler = () => ({
  version: VERSION,
  gitVersion: "unknown",
  versionArray: VERSION.split(".")
    .concat("0")
    .map((part) => new Int32(Number(part))),
  bits: new Int32(64),
  debug: false,
  maxBsonObjectSize: new Int32(MAX_DOCUMENT_BYTES),
  modules: ["embedded"],
  storageEngines: ["lmdb"],
});

const connectionStatus: Handler = () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } });

const serverStatus: Handler = ({ cursors }) => ({
  host: hostname(),
  version: VERSION,
  process: "embedded",
  pid: Long.fromNumber(process.pid),
  uptime: process.uptime(),
  localTime: new Date(),
  mem: { bits: new Int32(64), resident: new Int32(Math.round(process.memoryUsage.rss() / 1_048_576)) },
  metrics: { cursor: { open: { total: Long.fromNumber(cursors.size) } } },
});

const refuseTransaction: Handler = () => {
  throw new DatabaseError(20, "Transaction numbers are only allowed on a replica set member or mongos");
};

/** Handshake and housekeeping. */
export const ADMIN_COMMANDS: readonly [string, Command][] = [
  ["hello", { run: hello("isWritablePrimary") }],
  ["isMaster", { run: hello("ismaster") }],
  ["ismaster", { run: hello("ismaster") }],
  ["ping", { run: nothing, fields: [] }],
  ["buildInfo", { run: buildInfo, fields: [] }],
  ["buildinfo", { run: buildInfo, fields: [] }],
  ["connectionStatus", { run: connectionStatus, fields: ["showPrivileges"] }],
  ["serverStatus", { run: serverStatus }],
  ["commitTransaction", { run: refuseTransaction }],
  ["abortTransaction", { run: refuseTransaction }],
  ["endSessions", { run: nothing }],
  ["refreshSessions", { run: nothing }],
];
