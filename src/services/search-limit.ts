import { Gauge, type Registry } from "prom-client";
import { failure } from "../lib/errors.js";
import { createTurns, type RunInTurn } from "../lib/turns.js";

export const SearchBusy = failure("search_busy", 503, "Search is busy. Please try again.");

/** Searches that run at once in this process. They are few, because a search reads all texts and holds a connection. */
const maxSearches = 8;

/** Searches of one client that wait. */
const maxWaiting = 50;

/** @throws SearchBusy when too many of the client's searches wait */
export type RunSearch = RunInTurn;

export function createSearchLimit(metrics: Registry): RunSearch {
  const runInTurn = createTurns({ atOnce: maxSearches, waiting: { most: maxWaiting, refusal: SearchBusy } });
  const running = new Gauge({
    name: "lyceum_searches",
    help: "Searches of the community, of learners, of courses and of paths that run",
    registers: [metrics],
  });
  return (client, search, signal) =>
    runInTurn(
      client,
      () => {
        running.inc();
        return search().finally(() => running.dec());
      },
      signal,
    );
}
