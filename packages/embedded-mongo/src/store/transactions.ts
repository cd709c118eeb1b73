import { Binary, Long } from "bson";
import type { Call, Command } from "../commands/command.js";
import type { Cursors } from "../commands/cursors.js";
import { check } from "../errors.js";
import { type Document, isDocument } from "../language/values.js";
import type { Catalog } from "./catalog.js";
import type { View } from "./view.js";

/** What a transaction's statement may be, but for its end. */
const STATEMENTS = /^(create|find|getMore|killCursors|aggregate|distinct|insert|update|delete|find[aA]ndModify)$/;
const END = /^(commit|abort)Transaction$/;
/** How long the outcome of a transaction is remembered, as long as MongoDB keeps sessions. */
const SESSION_MILLISECONDS = 30 * 60_000;
/** What a lost connection leaves its client to come back by another, before its transaction is aborted. */
const RETURN_MILLISECONDS = 1500;

/** The newest transaction of a client's session. */
interface Session {
  number: bigint;
  /** While it is open. */
  view: View | undefined;
  /** Resolves when its commit is on disk; without view and commit it was aborted. */
  commit?: Promise<void>;
  /** Of the last statement. */
  connection: number;
  /** Aborts it at the end of its lifetime. */
  lifetime: NodeJS.Timeout;
  lastUsed: number;
}

/** The transactions of all sessions. None waits for another; each ends within its lifetime. */
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
   * Runs a command, as a statement of a transaction when it says so. A refusal aborts its transaction.
   * @throws DatabaseError 20, 72 and 263 for what MongoDB takes in no transaction, 225, 251 and 256 for one not open.
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

  /** Once, however often it is asked for; all who ask wait until it is on disk. */
  private async commit(session: Session): Promise<Document> {
    const view = this.close(session);
    if (view) session.commit = this.catalog.commit(view);
    await session.commit;
    return {};
  }

  /** Discards all its writes and unlocks what it has locked. Does nothing after the transaction has ended. */
  private abort(session: Session): Document {
    const view = this.close(session);
    if (view) this.catalog.storage.abandon(view);
    return {};
  }

  /** @returns the view of a transaction that was open until now. */
  private close(session: Session): View | undefined {
    const { view } = session;
    session.view = undefined;
    clearTimeout(session.lifetime);
    if (view) this.cursors.killOf(view);
    return view;
  }

  /** Ends sessions: their open transactions are aborted, and the outcomes of the others are forgotten. */
  endSessions(ids: readonly unknown[]): void {
    for (const key of ids.map(sessionKey)) {
      const session = this.sessions.get(key);
      if (session) this.abort(session);
      this.sessions.delete(key);
    }
  }

  /** A connection is gone: what it used last is aborted, unless it is used by another connection soon. */
  disconnected(connection: number): void {
    const left = [...this.sessions.values()].filter(({ view, connection: last }) => view && last === connection);
    const abort = () => {
      for (const session of left) if (session.connection === connection) this.abort(session);
    };
    if (left.length > 0) setTimeout(abort, RETURN_MILLISECONDS).unref();
  }

  /** Forgets the sessions that were not used for long before `now`. */
  private forget(now: number): void {
    for (const [key, { view, lastUsed }] of this.sessions) {
      if (view === undefined && now - lastUsed > SESSION_MILLISECONDS) this.sessions.delete(key);
    }
  }

  /** Aborts what is open, so that no write waits for it. */
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
 * The number of the transaction that a command belongs to; undefined outside.
 * @throws DatabaseError 20 for a retryable write, 72 for a malformed statement, 263 for what no transaction takes.
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
    check(writeConcern === undefined, 72, "writeConcern is not allowed within a multi-statement transaction");
    check(starts || readConcern === undefined, 72, "Only the first command in a transaction may specify a readConcern");
  }
  return txnNumber.toBigInt();
}

/** Codes after which MongoDB's drivers repeat a whole transaction, or one command on whichever server is there then. */
const TRANSIENT = [24, 112, 239, 246, 251, 267];
const RETRYABLE = [6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];

/** The labels that MongoDB adds to the refusal of a command, or to the lack of a write concern that follows a success. */
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
