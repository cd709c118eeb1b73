import { monitorEventLoopDelay } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { failure } from "../../lib/errors.js";

export const Overloaded = failure("overloaded", 503, "The server is busy. Please try again in a moment.");

export const retryAfterSeconds = 2;

/** Whether a path is that of one of these routes (`/api/purchases/:id/refund`), in any spelling that reaches the route. */
export function pathMatcher(routes: readonly string[]): (path: string) => boolean {
  const patterns = routes.map((path) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`, "i"));
  return (path) => patterns.some((pattern) => pattern.test(path));
}

export interface OverloadOptions {
  /** Whether requests of a path are always served. */
  isSpared(path: string): boolean;
  onRefused?(): void;
  /** Delay of the event loop at half of the measurements of a window, from which the window is late. */
  readonly lateMs?: number;
  readonly windowMs?: number;
}

/**
 * Answers 503 with `Retry-After` while the process is overloaded, which it is when its event loop was late in two windows
 * running. One pause, however long, is no overload. Windows are closed by the requests that arrive, so an idle server
 * does nothing.
 */
export function shedOverload(options: OverloadOptions): RequestHandler {
  const { isSpared, onRefused, lateMs = 1_000, windowMs = 1_000 } = options;
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let windowFrom = performance.now();
  let lateWindows = 0;

  return (req, res, next) => {
    const now = performance.now();
    if (now - windowFrom >= windowMs) {
      lateWindows = delay.percentile(50) / 1e6 >= lateMs ? lateWindows + 1 : 0;
      delay.reset();
      windowFrom = now;
    }
    if (lateWindows < 2 || isSpared(req.baseUrl + req.path)) return next();
    onRefused?.();
    res.setHeader("Retry-After", retryAfterSeconds);
    throw Overloaded();
  };
}
