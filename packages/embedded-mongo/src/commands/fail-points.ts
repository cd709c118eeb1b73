import { setTimeout as delay } from "node:timers/promises";
import { check, DatabaseError, notSupported } from "../errors.js";
import { toInteger } from "../language/numbers.js";
import { type Document, isDocument } from "../language/values.js";
import { errorLabels } from "../store/transactions.js";
import { type Call, command, fieldReader } from "./command.js";

const readMode = fieldReader({ count: "times skip" });
const readData = fieldReader({
  array: "failCommands errorLabels",
  object: "writeConcernError",
  bool: "closeConnection blockConnection failInternalCommands",
  count: "errorCode blockTimeMS",
  text: "appName",
});

/** Thrown to cut the connection instead of a reply. */
export class ConnectionCut extends Error {}

/** MongoDB's fail point `failCommand`. It selects commands, the failure and the number of failures. */
export class FailPoint {
  private data: ReturnType<typeof readData> = {};
  /** Matching commands that still succeed, and matching commands that fail after them. */
  private passing = 0;
  private left = 0;
  private worked = 0;

  /** Sets the fail point. @returns the number of failures so far. */
  configure(mode: unknown, data: Document = {}): number {
    check(
      isDocument(mode) || mode === "off" || mode === "alwaysOn",
      2,
      "a fail point's mode is off, alwaysOn or an object",
    );
    const { times, skip = 0 } = readMode(isDocument(mode) ? mode : {}, "mode");
    this.data = readData(data, "data");
    this.passing = skip;
    this.left = mode === "off" ? 0 : (times ?? Number.POSITIVE_INFINITY);
    return this.worked;
  }

  /**
   * Delays or fails a command before it runs.
   * @returns fields to add to the reply of the command.
   * @throws DatabaseError with the configured code, ConnectionCut.
   */
  async meet(call: Call): Promise<Document> {
    const { failCommands = [], appName, blockConnection, blockTimeMS = 0, closeConnection, errorCode } = this.data;
    const ours = appName === undefined || appName === call.connection.application;
    if (!ours || !failCommands.includes(call.command) || this.left === 0) return {};
    if (this.passing > 0) {
      this.passing -= 1;
      return {};
    }
    this.left -= 1;
    this.worked += 1;
    const { writeConcernError, errorLabels: wanted } = this.data;
    if (blockConnection) await delay(blockTimeMS);
    if (closeConnection) throw new ConnectionCut();
    const labels = wanted && { errorLabels: wanted };
    if (errorCode) throw new DatabaseError(errorCode, "Failing command via 'failCommand' failpoint", labels);
    if (writeConcernError === undefined) return {};
    const code = toInteger(writeConcernError.code) ?? 0;
    return { ...(labels ?? errorLabels(call.body, code, true)), writeConcernError };
  }
}

export const configureFailPoint = command({ any: "mode", object: "data" }, (call, { mode, data }) => {
  check(call.database === "admin", 13, "configureFailPoint may only be run against the admin database.");
  if (call.body.configureFailPoint !== "failCommand") throw notSupported("a fail point other than failCommand");
  return { count: call.server.failPoint.configure(mode, data) };
});
