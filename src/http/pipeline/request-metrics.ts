import type { RequestHandler, Response } from "express";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { failedByServer, malformed } from "../outcomes.js";

/** Known methods. A client may send any other word, which must not become a label. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Says whose fault a failure is, because some failures of the client have a status of 500. */
function responseOutcome({ headersSent, statusCode, outcome }: Response): string {
  if (!headersSent) return "aborted";
  if (statusCode < 400) return "ok";
  if (outcome?.name === malformed) return malformed;
  return statusCode >= 500 && (outcome?.name ?? failedByServer) === failedByServer ? "error" : "refused";
}

export function requestMetrics(registry: Registry) {
  const duration = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "Requests from their head to the end of their response, by the route's pattern",
    labelNames: ["method", "route", "status", "outcome"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  });
  const active = new Gauge({
    name: "http_server_active_requests",
    help: "Requests whose response is not over, streams included",
    registers: [registry],
  });
  const refusals = new Counter({
    name: "http_server_refused_requests_total",
    help: "Requests answered 503 for overload, by what was overloaded",
    labelNames: ["reason"],
    registers: [registry],
  });
  /** Measures every request. Must be mounted first. */
  const measure: RequestHandler = (req, res, next) => {
    const startedAt = performance.now();
    active.inc();
    res.once("close", () => {
      active.dec();
      const method = methods.has(req.method) ? req.method : "OTHER";
      const status = res.headersSent ? res.statusCode : "aborted";
      const labels = { method, route: req.routePattern ?? "none", status, outcome: responseOutcome(res) };
      duration.observe(labels, (performance.now() - startedAt) / 1_000);
    });
    next();
  };
  return {
    measure,
    /** Counts a request that was refused for overload. */
    refused: (reason: "event_loop" | "user" | "uploads") => refusals.inc({ reason }),
  };
}

/** Sets the route label of the metrics for each request that reaches this middleware. */
export const setRouteLabel =
  (routePattern: string): RequestHandler =>
  (req, _res, next) => {
    req.routePattern = routePattern;
    next();
  };
