import type { Connection } from "mongoose";
import { mongo } from "mongoose";
import { Gauge, Histogram, type Registry } from "prom-client";

/** Codes of the database that have an outcome of their own. */
const outcomes = new Map([
  [50, "time_limit"],
  [112, "write_conflict"],
  [11000, "duplicate_key"],
]);

/** Writes that the database refused although it answered `ok`. */
interface Refusals {
  readonly writeErrors?: readonly { readonly code: number }[];
  readonly writeConcernError?: { readonly code: number };
}

/** The outcome of a failed command by its error code. A command without an answer has no code. */
const commandOutcome = (code: unknown): string =>
  typeof code === "number" ? (outcomes.get(code) ?? "error") : "unreachable";

/**
 * Measures each command to the database and the pool of connections, by the driver's own events. A command that reached
 * no server, or got no connection, counts as unreachable.
 */
export function measureDatabase(connection: Connection, metrics: Registry): void {
  const seconds = new Histogram({
    name: "db_client_operation_duration_seconds",
    help: "Time that a command to the database took, without the wait for a connection",
    labelNames: ["command", "outcome"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [metrics],
  });
  const used = new Gauge({
    name: "db_client_connections_used",
    help: "Connections to the database that a command uses",
    registers: [metrics],
  });
  const waiting = new Gauge({
    name: "db_client_connections_pending_requests",
    help: "Commands that wait for a connection to the database",
    registers: [metrics],
  });
  const client = connection.getClient();
  client.on("commandSucceeded", ({ commandName: command, duration, reply }) => {
    const { writeErrors, writeConcernError }: Refusals = reply ?? {};
    const refused = writeErrors?.[0] ?? writeConcernError;
    seconds.observe({ command, outcome: refused ? commandOutcome(refused.code) : "ok" }, duration / 1_000);
  });
  client.on("commandFailed", ({ commandName: command, duration, failure }) => {
    const code = failure instanceof mongo.MongoServerError ? failure.code : undefined;
    seconds.observe({ command, outcome: commandOutcome(code) }, duration / 1_000);
  });
  client.on("serverSelectionFailed", ({ operation: command }) => {
    seconds.observe({ command, outcome: commandOutcome(undefined) }, 0);
  });
  client.on("connectionCheckOutFailed", ({ durationMS }) => {
    waiting.dec();
    seconds.observe({ command: "checkOut", outcome: commandOutcome(undefined) }, durationMS / 1_000);
  });
  client.on("connectionCheckOutStarted", () => waiting.inc());
  client.on("connectionCheckedOut", () => {
    waiting.dec();
    used.inc();
  });
  client.on("connectionCheckedIn", () => used.dec());
}
