import PQueue from "p-queue";
import { Gauge, type Registry } from "prom-client";
import { isTimeLimit } from "../../db/time-limit.js";
import { deadline } from "../../lib/deadline.js";
import { failure } from "../../lib/errors.js";

export const SearchBusy = failure("search_busy", 503, "Search is busy. Please try again.");
/** After how many seconds a refused search may be tried again. */
export const searchRetrySeconds = 2;

/**
 * A search reads all texts, which may take long, and must leave database connections to other requests. `atOnce` run
 * at once, at most `waiting` more wait, each for at most `waitMs`.
 */
const usual = { atOnce: 4, waiting: 64, waitMs: 5_000 };

export interface SearchQueue {
  /**
   * Runs one search when a place is free.
   * @param signal ends the waiting. A search that runs is not cancelled: it keeps its place until the database is done.
   * @throws SearchBusy when too many wait already, when it waited too long, or when the database took too long.
   */
  run<T>(signal: AbortSignal, search: () => Promise<T>): Promise<T>;
  /** Runs a further part of a search that has begun: it goes ahead of those that have not. */
  goOn<T>(signal: AbortSignal, search: () => Promise<T>): Promise<T>;
}

export function createSearchQueue(metrics: Registry, { atOnce, waiting, waitMs } = usual): SearchQueue {
  const searches = new PQueue({ concurrency: atOnce });
  new Gauge({
    name: "lyceum_searches",
    help: "Searches of the community that run, and that wait",
    labelNames: ["state"],
    registers: [metrics],
    collect() {
      this.set({ state: "running" }, searches.pending);
      this.set({ state: "queued" }, searches.size);
    },
  });

  async function queued<T>(signal: AbortSignal, ms: number, priority: number, search: () => Promise<T>): Promise<T> {
    const time = deadline(ms, signal);
    const begin = () => {
      time.clear();
      return search();
    };
    try {
      return await searches.add(begin, { signal: time.signal, priority });
    } catch (error) {
      if (time.late || isTimeLimit(error)) throw SearchBusy(error);
      throw error;
    } finally {
      time.clear();
    }
  }

  return {
    run(signal, search) {
      if (searches.size >= waiting) return Promise.reject(SearchBusy());
      return queued(signal, waitMs, 0, search);
    },
    goOn: (signal, search) => queued(signal, 4 * waitMs, 1, search),
  };
}
