import AsyncLock from "async-lock";
import type { ClientSession, Connection } from "mongoose";
import { mongo } from "mongoose";
import { Counter, type Registry } from "prom-client";
import { within } from "../lib/within.js";
import { commandLimitMs } from "../models/command-limit.js";
import { isDuplicateKey, isTimeLimit } from "./database-errors.js";

/** Every key of the mutex, named after the document that all transactions with the key write. */
export type MutexKey =
  | `account:${string}`
  | `attempt:${string}:${string}` // user and assessment
  | "catalog"
  | `checkout:${string}:${string}` // unfinished purchase of a course by a learner
  | `coupon:${string}`
  | `course:${string}` // figures, sales, ratings and resources
  | "event-numbers"
  | `group:${string}` // numbers of members and posts
  | `groups-of:${string}` // groups that a user creates
  | "invoice-numbers"
  | `lectures:${string}:${string}` // course and user
  | `path:${string}` // figures and sales
  | `post:${string}` // numbers of votes and replies
  | `quiz:${string}:${string}` // course and chapter
  | `review:${string}` // number of users who find a review helpful
  | `time:${string}` // tracked time of a user
  | "status-list" // entries of credentials
  | "ungrouped-posts";

export interface TransactionOptions {
  /**
   * Transactions of this process with the same key run one after another, so that they do not make each other start
   * again. Correctness does not depend on it: transactions of other processes do not wait for the mutex.
   */
  readonly mutex?: MutexKey;
  /** Limit of all attempts together, without the wait for the mutex; 2.8 s by default. A duplicate key starts it again. */
  readonly deadlineMs?: number;
}

/**
 * Runs one business operation as one MongoDB transaction: all of its writes, or none of them. A majority of the replica
 * set has them when it returns.
 *
 * `work` runs again after a write conflict, and once more after a duplicate key. So it calls no provider and changes no
 * variable outside. Its operations take the session and run one after another. An error of `work` aborts everything and
 * is rethrown.
 * @throws TransactionTimeout when it did not commit in time. No attempt begins after that, but a commit that has begun
 *   may still happen, because the driver repeats it until its result is known.
 */
export type Transaction = <T>(work: (session: ClientSession) => Promise<T>, options?: TransactionOptions) => Promise<T>;

export class TransactionTimeout extends mongo.MongoError {
  constructor(cause?: unknown) {
    super("the transaction did not commit in time", cause instanceof Error ? { cause } : {});
  }

  override get name(): string {
    return "TransactionTimeout";
  }
}

/** Limit of a transaction with all its retries. After a duplicate key it starts again once. */
const usualDeadlineMs = 2_800;
const maxMutexWaitMs = 10_000;

/** Made once for each connection. The only place that opens sessions. */
export function createTransactions(connection: Connection, metrics: Registry) {
  const mutexes = new AsyncLock({ timeout: maxMutexWaitMs, maxPending: Number.POSITIVE_INFINITY });
  const running = new Set<Promise<unknown>>();
  const retries = new Counter({
    name: "lyceum_transaction_retries_total",
    help: "Transactions that ran again, by reason",
    labelNames: ["reason"],
    registers: [metrics],
  });

  async function attempt<T>(work: (session: ClientSession) => Promise<T>, deadlineMs: number): Promise<T> {
    const session = await connection.startSession();
    let isLate = false;
    let lastError: unknown;
    let attempts = 0;
    const stopWhenLate = (): void => {
      if (isLate) throw new TransactionTimeout(lastError);
    };
    const body = async (): Promise<T> => {
      stopWhenLate();
      if (attempts++ > 0) retries.inc({ reason: reasonOf(lastError) });
      try {
        const result = await work(session);
        stopWhenLate();
        return result;
      } catch (error) {
        lastError = error;
        throw error;
      }
    };
    // End the session only after `work` has stopped using it: a command that races with the abort could still be applied.
    const ending = session
      .withTransaction(body, { writeConcern: { w: "majority" }, maxCommitTimeMS: commandLimitMs })
      .finally(() => session.endSession().catch(() => undefined));
    track(ending);
    const late = () => {
      isLate = true;
      throw new TransactionTimeout(lastError);
    };
    return within({ ms: deadlineMs, late }, () => ending);
  }

  function track(ending: Promise<unknown>): void {
    running.add(ending);
    const forget = () => running.delete(ending);
    ending.then(forget, forget);
  }

  async function once<T>(work: (session: ClientSession) => Promise<T>, deadlineMs: number): Promise<T> {
    try {
      return await attempt(work, deadlineMs);
    } catch (error) {
      if (isTimeLimit(error)) throw new TransactionTimeout(error);
      if (!isDuplicateKey(error)) throw error;
      retries.inc({ reason: "duplicate_key" });
      return attempt(work, deadlineMs);
    }
  }

  const transaction: Transaction = (work, { mutex, deadlineMs = usualDeadlineMs } = {}) =>
    mutex === undefined ? once(work, deadlineMs) : mutexes.acquire(mutex, () => once(work, deadlineMs));
  return {
    transaction,
    /** Waits until no transaction runs, not even one that timed out. */
    async ended(): Promise<void> {
      await Promise.allSettled(running);
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof mongo.MongoError)) return "unknown_commit_result";
  return error.code === 112 ? "write_conflict" : "other";
}
