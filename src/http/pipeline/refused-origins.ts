import type { Request, RequestHandler } from "express";
import type { Logger } from "pino";

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
