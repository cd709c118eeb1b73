import { Gauge, type Registry } from "prom-client";
import { failure } from "../lib/errors.js";

export const SearchBusy = failure("search_busy", 503, "Search is busy. Please try again.");
/** Seconds after which a refused search may be tried again. */
export const searchRetrySeconds = 2;

/**
 * A search reads all texts, which may take long. So few run at once in this process that database connections are left
 * for other requests.
 */
const maxSearches = 8;

/** Runs a search. @throws SearchBusy when too many run. */
export type RunSearch = <T>(search: () => Promise<T>) => Promise<T>;

export function createSearchLimit(metrics: Registry): RunSearch {
  let running = 0;
  new Gauge({
    name: "lyceum_searches",
    help: "Searches of the community and of learners that run",
    registers: [metrics],
    collect() {
      this.set(running);
    },
  });
  return async (search) => {
    if (running >= maxSearches) throw SearchBusy();
    running += 1;
    try {
      return await search();
    } finally {
      running -= 1;
    }
  };
}
