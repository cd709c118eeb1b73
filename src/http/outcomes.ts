import type { RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";

/** The outcome of a request with a malformed id, whose status is 500 by specification. */
export const malformed = "malformed";
/** The outcome of a request that the server failed. */
export const failedByServer = "error";

/**
 * Names the outcome of a request by a word of a small set, because it becomes the label of a metric.
 * @param about further fields of the log line.
 */
export function nameOutcome(res: Response, outcome: string, about: object = {}): void {
  res.outcome = { name: outcome, about };
}

/**
 * Creates middleware that counts and logs the outcome of each request of an operation: `ok` unless another one was
 * named. It must be mounted before limits, guards and parsing, so that it records their refusals.
 */
export function watchOutcomes(metrics: Registry, log: Logger): (operation: string) => RequestHandler {
  const counter = new Counter({
    name: "lyceum_outcomes_total",
    help: "Requests that are about money or identity, by operation and outcome",
    labelNames: ["operation", "outcome"],
    registers: [metrics],
  });
  return (operation) => (req, res, next) => {
    res.once("close", () => {
      const { name: outcome, about } = res.outcome ?? { name: res.writableFinished ? "ok" : "aborted", about: {} };
      counter.inc({ operation, outcome });
      log.info(
        {
          eventId: "operation_outcome",
          requestId: req.id,
          operation,
          outcome,
          ...about,
          status: res.statusCode,
        },
        `${operation}: ${outcome}`,
      );
    });
    next();
  };
}
