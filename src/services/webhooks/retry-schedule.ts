const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses after the first failed attempt, the second, and so on. The next failure is final. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** Spreads the retries of deliveries that failed at the same time. */
const jitter = 0.1;

/** The longest `Retry-After` that is kept. */
const maxRetryAfterMs = hour;

/**
 * Returns the pause after a failed attempt; undefined when no attempt follows.
 * @param failures number of failed attempts before this one.
 * @param retryAfter header of the answer: the pause is not shorter.
 */
export function nextPauseMs(failures: number, retryAfter?: string): number | undefined {
  const pauseMs = pausesMs[failures];
  if (pauseMs === undefined) return undefined;
  const withJitter = pauseMs * (1 - jitter + 2 * jitter * Math.random());
  return Math.max(withJitter, Math.min(retryAfterMs(retryAfter), maxRetryAfterMs));
}

/** Reads `Retry-After`: seconds, or a date. Anything else is 0. */
function retryAfterMs(header = ""): number {
  const value = header.trim();
  if (/^\d+$/.test(value)) return Number(value) * second;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
