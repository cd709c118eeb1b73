import type { Response } from "express";
import { Gauge, type Registry } from "prom-client";
import { Overloaded, retryAfterSeconds } from "./overload.js";

export interface AdmissionLimits {
  /** Requests that are worked on at once. */
  readonly atOnce: number;
  /** Requests that may wait for one of those to end. */
  readonly waiting: number;
  /** Milliseconds that one may wait. */
  readonly waitMs: number;
  /** The same while the queue has not been empty for longer than `waitMs`: then it is lasting overload and no burst. */
  readonly standingWaitMs: number;
}

export interface Admission {
  /**
   * Waits for a place among the requests that are worked on. It is given back with `leave`.
   * @throws Overloaded when too many wait, or this one has waited too long.
   */
  enter(res: Response): Promise<void>;
}

interface Waiting {
  readonly late: NodeJS.Timeout;
  admit(): void;
}

const places = new WeakMap<Response, () => void>();

/** Gives back the place of a request, if it has one: when it is answered, and when its body begins to stream. */
export function leave(res: Response): void {
  const giveBack = places.get(res);
  places.delete(res);
  giveBack?.();
}

/**
 * Lets so many requests at once be worked on, first come first served; the others wait a bounded time in a bounded queue,
 * and are refused with `Retry-After` then. A burst may wait long, since it passes; under lasting overload each waits
 * shortly, so that what is accepted is answered soon.
 */
export function createAdmission(
  { atOnce, waiting, waitMs, standingWaitMs }: AdmissionLimits,
  metrics: Registry,
  onRefused: () => void,
): Admission {
  const queue = new Set<Waiting>();
  let admitted = 0;
  /** Since when the queue has not been empty. */
  let queuedSince = performance.now();
  new Gauge({
    name: "http_server_admitted_requests",
    help: "Requests that are worked on and count against the limit",
    registers: [metrics],
    collect() {
      this.set(admitted);
    },
  });
  new Gauge({
    name: "http_server_queued_requests",
    help: "Requests that wait to be worked on",
    registers: [metrics],
    collect() {
      this.set(queue.size);
    },
  });

  const admit = (res: Response): void => {
    admitted += 1;
    places.set(res, next);
  };
  const next = (): void => {
    admitted -= 1;
    const [first] = queue;
    if (!first) return;
    queue.delete(first);
    clearTimeout(first.late);
    first.admit();
  };
  const refuse = (res: Response) => {
    onRefused();
    res.setHeader("Retry-After", retryAfterSeconds);
    return Overloaded();
  };

  return {
    async enter(res) {
      if (admitted < atOnce) return admit(res);
      if (queue.size >= waiting) throw refuse(res);
      const now = performance.now();
      if (queue.size === 0) queuedSince = now;
      const patience = now - queuedSince < waitMs ? waitMs : standingWaitMs;
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => {
          queue.delete(entry);
          reject(refuse(res));
        }, patience);
        const entry: Waiting = { late, admit: () => resolve(admit(res)) };
        queue.add(entry);
        // A client that has gone holds up no other.
        res.once("close", () => {
          queue.delete(entry);
          clearTimeout(late);
        });
      });
    },
  };
}
