import { Binary, Long } from "bson";
import type { Call, Command } from "../commands/command.js";
import type { Cursors } from "../commands/cursors.js";
import { check } from "../errors.js";
import { type Document, isDocument } from "../language/values.js";
import type { Catalog } from "./catalog.js";
import type { View } from "./view.js";

/** The commands that a transaction may run. */
const STATEMENTS =
  /^(create|createIndexes|find|getMore|killCursors|aggregate|distinct|insert|update|delete|find[aA]ndModify)$/;
const END = /^(commit|abort)Transaction$/;
/** Outcomes are kept as long as MongoDB keeps sessions. */
const SESSION_MS = 30 * 60_000;
/** After a lost connection, a client has this long to continue its transaction on another connection. */
const RECONNECT_MS = 1500;

/** The newest transaction of a client's session. */
interface Session {
  number: bigint;
  /** Present while the transaction is open. */
  view: View | undefined;
  /** Resolves when the commit is on disk. Without view and commit the transaction was aborted. */
  commit?: Promise<void>;
  /** Connection of the last statement. */
  connection: number;
  /** Aborts the transaction at its time limit. */
  lifetime: NodeJS.Timeout;
  lastUsed: number;
}

/** Manages the transactions of all sessions. None waits for another, and each ends within its time limit. */
export class Transactions {
  private readonly sessions = new Map<string, Session>();
  private readonly timer = setInterval(() => this.forget(Date.now()), 60_000).unref();

  /** @param lifetime the milliseconds that a transaction may stay open. */
  constructor(
    private readonly catalog: Catalog,
    private readonly cursors: Cursors,
    private readonly lifetime: number,
  ) {}

  /**
   * Runs a command, inside a transaction when the command names one. An error aborts the transaction.
   * @throws DatabaseError 20, 72 and 263 for a command that no transaction allows, 225, 251 and 256 for a transaction
   * that is not open.
   */
  async run(call: Call, run: Command): Promise<Document> {
    const { command: name, body, connection } = call;
    const number = numberOf(call);
    if (number === undefined) return await run(call);
    const key = sessionKey(body.lsid);
    const session = body.startTransaction ? this.begin(key, number) : this.sessions.get(key);
    check(session !== undefined && number <= session.number, 251, noSuch(number));
    check(number === session.number, 225, `A transaction newer than ${number} has already started on this session.`);
    check(session.view !== undefined || session.commit !== undefined, 251, `Transaction ${number} has been aborted.`);
    Object.assign(session, { connection: connection.number, lastUsed: Date.now() });
    if (name === "commitTransaction") return await this.commit(session);
    check(session.view !== undefined, 256, `Transaction ${number} has been committed.`);
    if (name === "abortTransaction") return this.abort(session);
    return await this.statement(session, session.view, call, run);
  }

  private begin(key: string, number: bigint): Session {
    const known = this.sessions.get(key);
    check(
      known === undefined || number >= known.number,
      225,
      `A transaction newer than ${number} has already started.`,
    );
    check(number !== known?.number, 117, `Transaction ${number} has already been started on this session.`);
    if (known) this.abort(known);
    const lifetime = setTimeout(() => this.abort(session), this.lifetime).unref();
    const view = this.catalog.storage.begin();
    const session: Session = { number, view, connection: 0, lifetime, lastUsed: Date.now() };
    this.sessions.set(key, session);
    return session;
  }

  private async statement(session: Session, view: View, call: Call, run: Command): Promise<Document> {
    call.view = view;
    try {
      const reply = await this.catalog.storage.within(view, () => run(call));
      if (reply.writeErrors) this.abort(session);
      return reply;
    } catch (error) {
      this.abort(session);
      throw error;
    }
  }

  /** Commits once. Repeated calls wait for the same commit. */
  private async commit(session: Session): Promise<Document> {
    const view = this.close(session);
    if (view) session.commit = this.catalog.commit(view);
    await session.commit;
    return {};
  }

  /** Discards the writes and releases the locks of a transaction. It does nothing after the end. */
  private abort(session: Session): Document {
    const view = this.close(session);
    if (view) this.catalog.storage.abandon(view);
    return {};
  }

  /** Closes a transaction. @returns its view when it was open. */
  private close(session: Session): View | undefined {
    const { view } = session;
    session.view = undefined;
    clearTimeout(session.lifetime);
    if (view) this.cursors.killOf(view);
    return view;
  }

  /** Ends sessions. It aborts their open transactions and forgets the outcomes of the others. */
  endSessions(ids: readonly unknown[]): void {
    for (const key of ids.map(sessionKey)) {
      const session = this.sessions.get(key);
      if (session) this.abort(session);
      this.sessions.delete(key);
    }
  }

  /**
   * Handles a lost connection. It aborts the connection's transactions unless another connection continues them in
   * time.
   */
  disconnected(connection: number): void {
    const left = [...this.sessions.values()].filter(({ view, connection: last }) => view && last === connection);
    const abort = () => {
      for (const session of left) if (session.connection === connection) this.abort(session);
    };
    if (left.length > 0) setTimeout(abort, RECONNECT_MS).unref();
  }

  /** Forgets the sessions that were idle for long before `now`. */
  private forget(now: number): void {
    for (const [key, { view, lastUsed }] of this.sessions) {
      if (view === undefined && now - lastUsed > SESSION_MS) this.sessions.delete(key);
    }
  }

  /** Aborts all open transactions, so that no write waits for them. */
  stop(): void {
    clearInterval(this.timer);
    for (const session of this.sessions.values()) this.abort(session);
  }
}

const noSuch = (number: bigint) =>
  `Given transaction number ${number} does not match any in-progress transactions of this session.`;

function sessionKey(lsid: unknown): string {
  const id = isDocument(lsid) ? lsid.id : undefined;
  check(id instanceof Binary, 72, "Transaction number requires a session ID to also be specified");
  return id.toString("hex");
}

/**
 * Reads the transaction number of a command. It returns undefined outside transactions.
 * @throws DatabaseError 20 for a retryable write, 72 for a malformed statement, 263 for a command that no transaction
 * allows.
 */
function numberOf({ command: name, body, database }: Call): bigint | undefined {
  const { txnNumber, autocommit, startTransaction, readConcern, writeConcern } = body;
  const [numbered, manual, starts] = [txnNumber, autocommit, startTransaction].map((field) => field !== undefined);
  check(!manual || numbered === true, 72, "'autocommit' field requires a transaction number to also be specified");
  check(!starts || manual === true, 72, "'startTransaction' field requires 'autocommit' field to also be specified");
  if (!manual) {
    check(
      !numbered,
      20,
      "Transaction numbers are only allowed on a replica set member or mongos, in transactions here",
    );
    check(!END.test(name), 125, `${name} must be run within a transaction`);
    return undefined;
  }
  check(autocommit === false, 72, "Specifying autocommit=true is not allowed.");
  check(!starts || startTransaction === true, 72, "Specifying startTransaction=false is not allowed.");
  check(txnNumber instanceof Long, 14, "'txnNumber' is the wrong type, expected type 'long'");
  check(!txnNumber.isNegative(), 72, "Transaction number cannot be negative");
  if (END.test(name)) {
    check(database === "admin", 13, `${name} may only be run against the admin database.`);
    check(!starts, 263, `Cannot run '${name}' as the first operation of a transaction.`);
  } else {
    const taken = STATEMENTS.test(name) && !/^(admin|config|local)$/.test(database);
    check(taken, 263, `Cannot run '${name}' in a multi-document transaction, or not in this database.`);
    check(!(starts && name === "killCursors"), 263, "Cannot run killCursors as the first operation of a transaction.");
    const { level = "local" } = isDocument(readConcern) ? readConcern : {};
    check(level === "local" || !name.startsWith("create"), 72, `${name} takes no readConcern ${level}`);
    check(writeConcern === undefined, 72, "writeConcern is not allowed within a multi-statement transaction");
    check(starts || readConcern === undefined, 72, "Only the first command in a transaction may specify a readConcern");
  }
  return txnNumber.toBigInt();
}

/** Codes after which MongoDB's drivers retry a transaction, or a command on another server. */
const TRANSIENT = [24, 112, 239, 246, 251, 267];
const RETRYABLE = [6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];

/** Returns the labels that MongoDB adds to an error or to a write concern error. */
export function errorLabels(body: Document, code: number, ofWriteConcern = false): { errorLabels?: string[] } {
  if (body.autocommit !== false) return {};
  const ends = END.test(Object.keys(body)[0] ?? "");
  const retryable = RETRYABLE.includes(code);
  const transient = !ofWriteConcern && (TRANSIENT.includes(code) || (!ends && retryable));
  const labels = [
    ...(transient ? ["TransientTransactionError"] : []),
    ...(ends && retryable ? ["RetryableWriteError"] : []),
  ];
  return labels.length > 0 ? { errorLabels: labels } : {};
}
