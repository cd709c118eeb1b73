/** Spares a provider that keeps failing, and callers the wait for it. */
export interface Breaker {
  readonly open: boolean;
  succeeded(): void;
  failed(): void;
}

/**
 * Opens after `threshold` failures in a row and refuses for `openMs`. Then calls pass again; the first failure opens it
 * again, the first success forgets the past. It never refuses for longer than `openMs` at a time.
 */
export function createBreaker(threshold: number, openMs: number, now: () => number = Date.now): Breaker {
  let failures = 0;
  let openUntil = 0;
  return {
    get open() {
      return now() < openUntil;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
      // Calls that were under way when it opened do not prolong the pause.
      if (failures >= threshold && now() >= openUntil) openUntil = now() + openMs;
    },
  };
}
