import { Gauge, type Registry } from "prom-client";
import { failure } from "../lib/errors.js";
import { createTurns } from "../lib/turns.js";

export const SearchBusy = failure("search_busy", 503, "Search is busy. Please try again.");

/** Searches that run at once in this process. They are few, because a search reads all texts and holds a connection. */
const maxSearches = 8;

/** Searches of one client that wait. */
const maxWaiting = 50;

/**
 * Runs a search when the client's turn has come.
 * @param signal aborts when nobody waits for the result any more. The search then does not begin.
 * @throws SearchBusy when too many of the client's searches wait; the reason of `signal`.
 */
export type RunSearch = <T>(client: string, search: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function createSearchLimit(metrics: Registry): RunSearch {
  const waiting = new Map<string, number>();
  const runInTurn = createTurns({ atOnce: maxSearches });
  const running = new Gauge({
    name: "lyceum_searches",
    help: "Searches of the community, of learners and of courses that run",
    registers: [metrics],
  });
  return async (client, search, signal) => {
    const before = waiting.get(client) ?? 0;
    if (before >= maxWaiting) throw SearchBusy();
    waiting.set(client, before + 1);
    let isWaiting = true;
    const stopWaiting = (): void => {
      if (!isWaiting) return;
      isWaiting = false;
      const left = (waiting.get(client) ?? 1) - 1;
      if (left > 0) waiting.set(client, left);
      else waiting.delete(client);
    };
    signal?.addEventListener("abort", stopWaiting, { once: true });
    return runInTurn(client, async () => {
      stopWaiting();
      signal?.removeEventListener("abort", stopWaiting);
      signal?.throwIfAborted();
      running.inc();
      return search().finally(() => running.dec());
    });
  };
}
