import { type NextFunction, type Request, type RequestHandler, type Response, Router } from "express";

const loopbackHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
const loopbackOrigin = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** True when a page of this origin may use the emulators: the browser application's, or one on this machine. */
export function isAllowedOrigin(origin: string, frontend: string): boolean {
  return origin === frontend || loopbackOrigin.test(origin);
}

/**
 * Refuses a request whose `Host` is not this machine, so that DNS rebinding fails. It also refuses an `Origin` that is
 * neither on this machine nor the browser application. A redirect from another origin sends `null`, which may only read.
 * Every emulator runs it first.
 */
export function loopbackOnly(frontend: string): RequestHandler {
  return (req, res, next) => {
    const { origin, host = "" } = req.headers;
    const isRedirected = origin === "null" && req.method === "GET";
    const isKnown = origin === undefined || isRedirected || isAllowedOrigin(origin, frontend);
    if (isKnown && loopbackHost.test(host)) next();
    else res.status(403).json({ error: "Only for this machine" });
  };
}

/**
 * Protects the routes below `path`, which need no credentials. Programs on this machine and the browser application may
 * use them; foreign origins and host names may not.
 */
export function developerAccess(pages: string | ReadonlySet<string>, path = "/dev"): Router {
  const isPage = (origin: string): boolean => (typeof pages === "string" ? pages === origin : pages.has(origin));
  const router = Router();
  router.use(path, (req: Request, res: Response, next: NextFunction) => {
    const { origin, host = "" } = req.headers;
    if (origin !== undefined && isPage(origin)) {
      res.set({ "Access-Control-Allow-Origin": origin, Vary: "Origin" });
      if (req.method === "OPTIONS") {
        res.set({ "Access-Control-Allow-Methods": "GET,POST,DELETE", "Access-Control-Allow-Headers": "content-type" });
        res.sendStatus(204);
        return;
      }
    }
    const foreignPage = origin !== undefined && !isPage(origin) && origin !== `http://${host}`;
    if (foreignPage || !loopbackHost.test(host)) {
      res.status(403).json({ error: "Only for this machine" });
      return;
    }
    next();
  });
  return router;
}
