import { type NextFunction, type Response, Router } from "express";
import { type ZodType, z } from "zod";

/** What every fault says besides its kind. */
const FaultScope = z.object({
  /** The operation it concerns (for AI: a text the prompt contains); without it the next call of any kind. */
  on: z.string().optional(),
  /** How many calls it concerns; without it every call until cleared. */
  times: z.number().int().positive().optional(),
});
export type FaultScope = z.infer<typeof FaultScope>;

/** Faults of a request-and-reply emulator. */
const TransportFault = z.discriminatedUnion("kind", [
  /** Nothing is done; the reply is this status (500 by default) in the provider's error shape. */
  z.object({ kind: z.literal("error"), status: z.number().int().min(400).max(599).optional() }),
  /** Served as usual, this much later. */
  z.object({ kind: z.literal("slow"), ms: z.number().int().positive() }),
  /** Nothing is done; the connection is cut. */
  z.object({ kind: z.literal("cut") }),
  /** Nothing is done; the reply is a success that says nothing: `{}`. */
  z.object({ kind: z.literal("garbled") }),
  /** Nothing is done; no reply ever comes. */
  z.object({ kind: z.literal("hang") }),
  /** The work is done, then the connection is cut instead of a reply. */
  z.object({ kind: z.literal("lost-reply") }),
  /** The work is done, but no reply ever comes. */
  z.object({ kind: z.literal("timeout") }),
]);
export type TransportFault = z.infer<typeof TransportFault>;

/** Scripted faults, injected in the order they were added. */
export class Faults<Fault> {
  #active: (Fault & FaultScope)[] = [];
  readonly schema: ZodType<Fault & FaultScope>;

  constructor(schema: ZodType<Fault>) {
    this.schema = schema.and(FaultScope);
  }

  /** @returns what removes this fault again, and no other. */
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

  /** The fault to inject into this call, if any; uses up one of its times. */
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

/** `POST /dev/faults` switches a fault on, `GET` lists them, `DELETE` clears them all. Expects parsed JSON bodies. */
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
 * Makes Express middleware that injects a scripted fault into one operation.
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
