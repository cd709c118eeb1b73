import { monitorEventLoopDelay } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { failure } from "../../lib/errors.js";

export const Overloaded = failure("overloaded", 503, "The server is busy. Please try again in a moment.");

/** Creates a test whether a path reaches one of some routes, such as `/api/purchases/:id/refund`. */
export function pathMatcher(routes: readonly string[]): (path: string) => boolean {
  const patterns = routes.map(
    (path) => new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}/?$`, "i"),
  );
  return (path) => patterns.some((pattern) => pattern.test(path));
}

export interface OverloadOptions {
  /** Whether requests to a path are always served. */
  isSpared(path: string): boolean;
  onRefused?(): void;
  /** A window is late when the median event-loop delay reaches this. */
  readonly lateMs?: number;
  readonly windowMs?: number;
}

/**
 * Answers 503 with `Retry-After` while the event loop was late in the last two windows. A single pause, however long, is
 * no overload. Arriving requests close the windows, so that an idle server does nothing.
 */
export function shedOverload(options: OverloadOptions): RequestHandler {
  const { isSpared, onRefused, lateMs = 1_000, windowMs = 1_000 } = options;
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let windowFrom = performance.now();
  let lateWindows = 0;

  return (req, _res, next) => {
    const now = performance.now();
    if (now - windowFrom >= windowMs) {
      lateWindows = delay.percentile(50) / 1e6 >= lateMs ? lateWindows + 1 : 0;
      delay.reset();
      windowFrom = now;
    }
    if (lateWindows < 2 || isSpared(req.baseUrl + req.path)) return next();
    onRefused?.();
    throw Overloaded();
  };
}
