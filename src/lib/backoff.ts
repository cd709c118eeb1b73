/** Pauses of an exponential back-off: the first one, doubled each time, and the longest one. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Milliseconds to wait before retry number `attempt` (0 for the first), with jitter of ±25 % so that callers that failed
 * together do not retry together.
 */
export function backoffMs(attempt: number, { firstMs, maxMs }: BackoffOptions): number {
  return Math.min(firstMs * 2 ** attempt, maxMs) * (0.75 + Math.random() / 2);
}

/** Repeated failures are logged the first, tenth, hundredth … time. */
export const isLoggedFailure = (failures: number): boolean => /^10*$/.test(String(failures));
