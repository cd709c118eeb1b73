/** A signal that aborts with the caller's or when the time is up, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when it was the time that ran out. */
  readonly late: boolean;
  clear(): void;
}

export function deadline(ms: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = !controller.signal.aborted;
    controller.abort();
  }, ms);
  const follow = () => controller.abort();
  if (caller?.aborted) follow();
  caller?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    get late() {
      return late;
    },
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener("abort", follow);
    },
  };
}
