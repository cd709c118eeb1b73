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

/** The reply to a command is that its connection ends. */
export class ConnectionCut extends Error {}

/** MongoDB's fail point `failCommand`: which commands fail, how, and how often. */
export class FailPoint {
  private data: ReturnType<typeof readData> = {};
  /** How many of the commands that it names still pass, and on how many it works after these. */
  private passing = 0;
  private left = 0;
  private worked = 0;

  /** @returns how often it has worked before. */
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
   * Delays or fails a command before it runs, if that is wanted.
   * @returns what its reply must hold beside its own, after it has run.
   * @throws DatabaseError with the code wanted, ConnectionCut.
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
