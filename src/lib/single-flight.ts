/**
 * Lets concurrent callers share one read. A caller that arrives during a read shares the next one, so no result is older
 * than its call.
 */
export function singleFlight<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;
  return () => {
    next ??= Promise.resolve(current?.catch(() => undefined)).then(() => {
      const started = read();
      current = started;
      next = undefined;
      return started;
    });
    return next;
  };
}
