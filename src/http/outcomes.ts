import type { RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";
import type { ApiError } from "../lib/errors.js";

declare global {
  namespace Express {
    interface Response {
      /** The outcome of an operation, and what its log line says beside it. */
      outcome?: { readonly name: string; readonly about: object };
    }
  }
}

/**
 * Names the outcome of a request, in a word of a small set: it becomes the label of a metric.
 * @param about what the log line says beside it.
 */
export function nameOutcome(res: Response, outcome: string, about: object = {}): void {
  res.outcome = { name: outcome, about };
}

/** Names the outcome of a failed request by the failure's id, unless the outcome has a name already. */
export function nameFailure(res: Response, { id, status }: ApiError): void {
  if (!res.outcome) nameOutcome(res, status >= 500 ? "error" : id);
}

/**
 * Makes middleware that counts and logs the outcome of each request of an operation: `ok` unless it was named, and
 * whatever refused it, limits, guards and parsing included. To be mounted ahead of those.
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
