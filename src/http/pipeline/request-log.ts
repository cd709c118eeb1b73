import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { keyOf } from "../context.js";
import { loggedPath } from "./logged-path.js";

/** Routes that machines ask every few seconds. */
const probes = new Set(["/", "/healthz", "/livez", "/readyz", "/metrics"]);

const wellFormed = /^[\w.:-]{1,64}$/;

/**
 * Gives every request an id, and logs one line when its response has closed. The line of a
 * successful probe has the level debug. Headers, query strings and bodies are not
 * logged, because they have tokens and personal data. error-handler.ts logs errors.
 */
export function requestLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = Date.now();
    const given = req.headers["x-request-id"];
    const requestId = typeof given === "string" && wellFormed.test(given) ? given : randomUUID();
    req.id = requestId;
    res.setHeader("X-Request-Id", requestId);
    res.once("close", () => {
      const { method } = req;
      const path = loggedPath(req.originalUrl);
      const status = res.headersSent ? res.statusCode : null;
      const responseTime = Date.now() - startedAt;
      // A key is logged by its id, never by its value.
      const apiKeyId = keyOf(req)?.id;
      const level = res.statusCode < 400 && probes.has(req.routePattern ?? "") ? "debug" : "info";
      log[level](
        { eventId: "request", requestId, req: { method, path }, res: { status }, responseTime, apiKeyId },
        `${method} ${path} ${res.statusCode}`,
      );
    });
    // Writing to a client that has left is no error. Without a listener, the `error` event would end the process.
    res.on("error", () => undefined);
    next();
  };
}
