import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";

/** Longest time for which a read delays the next read. */
const maxHoldMs = 100;

/**
 * Lets concurrent callers share one read. A caller that arrives during a read shares the next one, so no result is older
 * than its call.
 */
export function singleFlight<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;
  return () => {
    const running = current?.catch(() => undefined);
    next ??= Promise.race([running, running && pause(maxHoldMs)]).then(() => {
      next = undefined;
      const started = read();
      const ended = started.finally(() => {
        if (current === ended) current = undefined;
      });
      ended.catch(() => undefined);
      current = ended;
      return started;
    });
    return next;
  };
}

/** Lets concurrent callers with the same key share one read, for the `max` keys that were used last. */
export function singleFlights<T>(max: number): (key: string, read: () => Promise<T>) => Promise<T> {
  const flights = new LRUCache<string, () => Promise<T>>({ max });
  return (key, read) => {
    const share = flights.get(key) ?? singleFlight(read);
    flights.set(key, share);
    return share();
  };
}
