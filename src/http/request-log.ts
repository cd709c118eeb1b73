import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "pino";

declare module "node:http" {
  interface IncomingMessage {
    /** Given by `requestLog`; also in the response's `X-Request-Id`. */
    id: string;
  }
}

const wellFormed = /^[\w.:-]{1,64}$/;

/**
 * Gives every request an id (a well-formed incoming one is kept), answers with it and logs one line per request, with
 * milliseconds as `responseTime`. Headers, query strings and bodies carry tokens and personal data: only what operations
 * need is written. Faults have a line of their own, with their cause (error-handler.ts).
 */
export function requestLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const given = req.headers["x-request-id"];
    const requestId = typeof given === "string" && wellFormed.test(given) ? given : randomUUID();
    req.id = requestId;
    res.setHeader("X-Request-Id", requestId);
    const { method } = req;
    const path = req.originalUrl.split("?", 1)[0] ?? "";
    const arrived = Date.now();
    let written = false;
    const write = (): void => {
      if (written) return;
      written = true;
      const status = res.statusCode;
      const responseTime = Date.now() - arrived;
      log.info({ requestId, req: { method, path }, res: { status }, responseTime }, `${method} ${path} ${status}`);
    };
    // Whichever comes first: a response that its client did not wait for is closed without having finished.
    res.on("finish", write).on("close", write).on("error", write);
    next();
  };
}
