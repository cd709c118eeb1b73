import { type NextFunction, type Request, type Response, Router } from "express";

/**
 * Guards the routes below `path`, which ask for no credentials: they are for programs on this machine and for the
 * browser application's own origin. A page of another origin, or one that reaches loopback through a foreign host name,
 * is refused.
 */
export function developerAccess(frontend: string, path = "/dev"): Router {
  const router = Router();
  router.use(path, (req: Request, res: Response, next: NextFunction) => {
    const { origin, host = "" } = req.headers;
    if (origin === frontend) {
      res.set({ "Access-Control-Allow-Origin": frontend, Vary: "Origin" });
      if (req.method === "OPTIONS") {
        res.set({ "Access-Control-Allow-Methods": "GET,POST,DELETE", "Access-Control-Allow-Headers": "content-type" });
        res.sendStatus(204);
        return;
      }
    }
    const foreignPage = origin !== undefined && origin !== frontend && origin !== `http://${host}`;
    if (foreignPage || !/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host)) {
      res.status(403).json({ error: "Only for this machine" });
      return;
    }
    next();
  });
  return router;
}
