import { randomUUID } from "node:crypto";
import type { Request, RequestHandler } from "express";
import type { Logger } from "pino";
import { keyOf } from "../context.js";

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

/** Longest path in a log line. */
const maxLength = 2_048;

/**
 * Writes the path of an address for a log line: cut, without the query, and without the secret of an address to
 * unsubscribe.
 */
export function loggedPath(address: string): string {
  const [path = ""] = address.slice(0, maxLength + 1).split("?", 1);
  const masked = path.replace(/^(\/unsubscribe\/).+/i, "$1[secret]");
  return masked.length > maxLength ? `${masked.slice(0, maxLength - 1)}…` : masked;
}

/** Maximum number of logged origins, because callers choose the header. */
const maxOrigins = 100;
const maxOriginLength = 200;

/** Logs each browser origin that CORS refuses, once. @param isOpen whether pages of every origin may read a path. */
export function logRefusedOrigins(log: Logger, allowed: string, isOpen: (path: string) => boolean): RequestHandler {
  const logged = new Set<string>();
  return (req, _res, next) => {
    const origin = req.get("origin")?.slice(0, maxOriginLength);
    const isRefused = origin !== undefined && origin !== allowed && !isSameOrigin(req, origin) && !isOpen(req.path);
    if (isRefused && logged.size < maxOrigins && !logged.has(origin)) {
      logged.add(origin);
      log.warn(
        { eventId: "origin_refused", origin },
        `browsers refuse the replies to pages of ${origin}: FRONTEND_URL allows ${allowed} alone`,
      );
    }
    next();
  };
}

/** Pages of this server send their origin too, and need no permission. */
const isSameOrigin = (req: Request, origin: string): boolean => origin.replace(/^https?:\/\//, "") === req.get("host");
