import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { pinoHttp } from "pino-http";

const wellFormed = /^[\w.:-]{1,64}$/;

/** Gives every request an id (a well-formed incoming one is kept), answers with it and logs one line per request. */
export function requestLog(log: Logger): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId(req, res) {
      const given = req.headers["x-request-id"];
      const id = typeof given === "string" && wellFormed.test(given) ? given : randomUUID();
      res.setHeader("X-Request-Id", id);
      return id;
    },
    customLogLevel: () => "info", // faults have a line of their own, with their cause (error-handler.ts)
    customErrorObject: (_req, _res, _error, { req, res, responseTime }) => ({ req, res, responseTime }),
    customSuccessMessage: (req, res) =>
      `${req.method} ${pathOf((req as { originalUrl?: string }).originalUrl)} ${res.statusCode}`,
    customErrorMessage: (req, res) =>
      `${req.method} ${pathOf((req as { originalUrl?: string }).originalUrl)} ${res.statusCode}`,
    // Headers, query strings and bodies carry tokens and personal data: only what operations need is written.
    serializers: {
      req: (req: { method: string; url: string }) => ({ method: req.method, path: pathOf(req.url) }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
    },
    quietReqLogger: true,
    customAttributeKeys: { reqId: "requestId" },
  });
}

const pathOf = (url: string | undefined): string => (url ?? "").split("?", 1)[0] ?? "";
