import { type NextFunction, type Response, Router } from "express";
import { type ZodType, z } from "zod";

/** The scope of a fault. */
const FaultScope = z.object({
  /** The operation that fails (for AI: a text in the prompt). Without it the next call of any kind fails. */
  on: z.string().optional(),
  /** Number of calls that fail. Without it calls fail until the fault is cleared. */
  times: z.number().int().positive().optional(),
});
export type FaultScope = z.infer<typeof FaultScope>;

/** Faults of an emulator that answers requests. */
const TransportFault = z.discriminatedUnion("kind", [
  /** Does nothing and answers this status (500 by default) in the provider's error shape. */
  z.object({ kind: z.literal("error"), status: z.number().int().min(400).max(599).optional() }),
  /** Serves the call after a delay. */
  z.object({ kind: z.literal("slow"), ms: z.number().int().positive() }),
  /** Does nothing and cuts the connection. */
  z.object({ kind: z.literal("cut") }),
  /** Does nothing and answers an empty success: `{}`. */
  z.object({ kind: z.literal("garbled") }),
  /** Does nothing and never replies. */
  z.object({ kind: z.literal("hang") }),
  /** Does the work and cuts the connection before the reply. */
  z.object({ kind: z.literal("lost-reply") }),
  /** Does the work and never replies. */
  z.object({ kind: z.literal("timeout") }),
]);
export type TransportFault = z.infer<typeof TransportFault>;

/** Keeps scripted faults in the order of their addition. */
export class Faults<Fault> {
  #active: (Fault & FaultScope)[] = [];
  readonly schema: ZodType<Fault & FaultScope>;

  constructor(schema: ZodType<Fault>) {
    this.schema = schema.and(FaultScope);
  }

  /** Adds a fault. @returns a function that removes it. */
  add(fault: Fault & FaultScope): () => void {
    const added = { ...fault };
    this.#active.push(added);
    return () => {
      this.#active = this.#active.filter((other) => other !== added);
    };
  }

  clear(): void {
    this.#active = [];
  }

  list(): readonly (Fault & FaultScope)[] {
    return this.#active;
  }

  /** Returns the fault for this call and counts it as used. */
  take(matches: (on: string) => boolean): Fault | undefined {
    const fault = this.#active.find(({ on }) => on === undefined || matches(on));
    if (fault?.times !== undefined) {
      fault.times -= 1;
      if (fault.times === 0) this.#active = this.#active.filter((other) => other !== fault);
    }
    return fault;
  }
}

export function transportFaults(): Faults<TransportFault> {
  return new Faults(TransportFault);
}

/**
 * `POST /dev/faults` adds a fault, `GET` lists the faults, `DELETE` clears them. The routes expect parsed JSON bodies.
 */
export function faultRoutes<Fault>(faults: Faults<Fault>): Router {
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
