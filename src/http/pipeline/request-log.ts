import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "pino";

declare global {
  namespace Express {
    interface Request {
      /** Kept from the client when it is well-formed, else made. */
      id: string;
    }
  }
}

const wellFormed = /^[\w.:-]{1,64}$/;

/**
 * Gives every request an id, answers with it and logs one line per request when the response is over, complete or not.
 * Headers, query strings and bodies carry tokens and personal data: only what operations need is written. Errors have a
 * line of their own, with their cause (error-handler.ts).
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
      const path = pathOf(req.originalUrl);
      const status = res.headersSent ? res.statusCode : null;
      const responseTime = Date.now() - startedAt;
      log.info(
        { eventId: "request", requestId, req: { method, path }, res: { status }, responseTime },
        `${method} ${path} ${res.statusCode}`,
      );
    });
    // Writing to a client that has gone is no error, and an `error` event without a listener would end the process.
    res.on("error", () => undefined);
    next();
  };
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}
