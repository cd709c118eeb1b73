import type { ClientSession, Connection, mongo } from "mongoose";
import { mongo as driver } from "mongoose";
import { Gauge, Histogram, type Registry } from "prom-client";
import type { Models } from "../models/index.js";
import { replaceMethods } from "./command-methods.js";
import { isDuplicateKey } from "./duplicate-key.js";
import { isTimeLimit } from "./time-limit.js";

/** Passes on what a command gives, and takes its time. */
export type CommandMeasure = <T>(command: string, called: Promise<T>) => Promise<T>;

/**
 * Measures commands as their callers see them: the wait for a connection, the database's work and the way there and
 * back. Not by the driver's command events, which read every reply a second time: that costs lists a quarter more.
 */
export function createCommandMeasure(metrics: Registry): CommandMeasure {
  const seconds = new Histogram({
    name: "db_client_operation_duration_seconds",
    help: "Time that a command to the database took, the wait for a connection included",
    labelNames: ["command", "outcome"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [metrics],
  });
  return (command, called) => {
    const startedAt = performance.now();
    const ended = (outcome: string) => seconds.observe({ command, outcome }, (performance.now() - startedAt) / 1_000);
    called.then(
      () => ended("ok"),
      (error: unknown) => ended(outcomeOf(error)),
    );
    return called;
  };
}

function outcomeOf(error: unknown): string {
  if (isDuplicateKey(error)) return "duplicate_key";
  if (isTimeLimit(error)) return "time_limit";
  if (error instanceof driver.MongoServerError) return error.code === 112 ? "write_conflict" : "error";
  return "unreachable";
}

/** Measures every command of these models. */
export function measureCommands(models: Models, measure: CommandMeasure): void {
  for (const { collection } of Object.values(models)) {
    replaceMethods(collection, (method, { command }) => (...given) => {
      const called = method(...given);
      if (called instanceof Promise) return measure(command, called);
      if (called instanceof driver.AbstractCursor) measureCursor(called, command, measure);
      return called;
    });
  }
}

/*
 * A measured cursor or session has its measure as a value, and functions that all of them share. With functions made for
 * each one, V8 keeps what they point to, every row that was read among it, until the next full collection.
 */
const ofCursor = Symbol("measure");
const ofSession = Symbol("measure");

interface MeasuredCursor extends mongo.AbstractCursor {
  [ofCursor]: { readonly measure: CommandMeasure; command: string };
}

interface MeasuredSession extends ClientSession {
  [ofSession]: CommandMeasure;
}

/** A cursor sends its command when it is first read, and `getMore` whenever what has come is used up. */
function measureCursor(cursor: mongo.AbstractCursor, command: string, measure: CommandMeasure): void {
  Object.assign(cursor, { [ofCursor]: { measure, command }, next: nextMeasured });
}

function nextMeasured(this: MeasuredCursor): Promise<unknown> {
  const next = () => driver.AbstractCursor.prototype.next.call(this);
  if (this.bufferedCount() > 0 || this.id?.isZero()) return next();
  const { measure, command } = this[ofCursor];
  this[ofCursor].command = "getMore";
  return measure(command, next());
}

/** Measures the ends of the transactions of a session. */
export function measureSession(session: ClientSession, measure: CommandMeasure): void {
  Object.assign(session, { [ofSession]: measure, commitTransaction: commitMeasured, abortTransaction: abortMeasured });
}

function commitMeasured(this: MeasuredSession, ...given: Parameters<ClientSession["commitTransaction"]>) {
  const committed = driver.ClientSession.prototype.commitTransaction.apply(this, given);
  return this[ofSession]("commitTransaction", committed);
}

function abortMeasured(this: MeasuredSession, ...given: Parameters<ClientSession["abortTransaction"]>) {
  const aborted = driver.ClientSession.prototype.abortTransaction.apply(this, given);
  return this[ofSession]("abortTransaction", aborted);
}

/** Tells how many connections of the pool are used, and how many commands wait for one. */
export function watchConnections(connection: Connection, metrics: Registry): void {
  let used = 0;
  let waiting = 0;
  const client = connection.getClient();
  client.on("connectionCheckOutStarted", () => {
    waiting += 1;
  });
  client.on("connectionCheckOutFailed", () => {
    waiting -= 1;
  });
  client.on("connectionCheckedOut", () => {
    waiting -= 1;
    used += 1;
  });
  client.on("connectionCheckedIn", () => {
    used -= 1;
  });
  new Gauge({
    name: "db_client_connections_used",
    help: "Connections to the database that a command uses",
    registers: [metrics],
    collect() {
      this.set(used);
    },
  });
  new Gauge({
    name: "db_client_connections_pending_requests",
    help: "Commands that wait for a connection to the database",
    registers: [metrics],
    collect() {
      this.set(waiting);
    },
  });
}
