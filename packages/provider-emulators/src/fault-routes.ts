import { type NextFunction, type Response, Router } from "express";
import { z } from "zod";
import type { Faults, TransportFault } from "./faults.js";

/**
 * `POST /dev/faults` adds a fault, `GET` lists the faults, `DELETE` clears them. The routes expect parsed JSON bodies.
 */
export function faultRoutes<Fault extends { kind: string }>(faults: Faults<Fault>): Router {
  const router = Router();
  router.post("/dev/faults", (req, res) => {
    const fault = faults.schema.safeParse(req.body);
    if (!fault.success) {
      res.status(400).json({ error: z.prettifyError(fault.error) });
      return;
    }
    faults.add(fault.data);
    res.json({ faults: faults.list() });
  });
  router.get("/dev/faults", (_req, res) => {
    res.json({ faults: faults.list() });
  });
  router.delete("/dev/faults", (_req, res) => {
    faults.clear();
    res.json({ faults: [] });
  });
  return router;
}

/**
 * Creates Express middleware that injects a fault into one operation.
 * @param fail writes the provider's error reply for a status.
 */
export function faultInjector(
  faults: Faults<TransportFault>,
  fail: (res: Response, status: number) => void,
): (operation: string) => (req: unknown, res: Response, next: NextFunction) => void {
  return (operation) => (_req, res, next) => {
    const fault = faults.take((on) => on === operation);
    switch (fault?.kind) {
      case undefined:
        return next();
      case "error":
        return fail(res, fault.status ?? 500);
      case "slow":
        setTimeout(next, fault.ms);
        return;
      case "cut":
        res.destroy();
        return;
      case "garbled":
        res.json({});
        return;
      case "hang":
        return;
      case "lost-reply":
        res.end = () => res.destroy();
        return next();
      case "timeout":
        res.end = () => res;
        return next();
    }
  };
}
