/** A signal that aborts with the caller's signal or when the time is over. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when the time ended before the caller left. */
  readonly late: boolean;
  /** Stops the timer. Call it when the work is over. */
  clear(): void;
}

/**
 * Creates a deadline. `AbortSignal.timeout` is no replacement, because Node 20 collects it while only
 * `AbortSignal.any` refers to it, and then never fires it.
 */
export function deadline(ms: number, caller: AbortSignal | undefined): Deadline {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), ms);
  let late = false;
  timeout.signal.addEventListener("abort", () => {
    late = !caller?.aborted;
  });
  return {
    signal: caller ? AbortSignal.any([caller, timeout.signal]) : timeout.signal,
    get late() {
      return late;
    },
    clear: () => clearTimeout(timer),
  };
}
