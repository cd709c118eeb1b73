import { Gauge, type Registry } from "prom-client";
import { failure } from "../lib/errors.js";
import { createTurns, type RunInTurn } from "../lib/turns.js";

export const SearchBusy = failure("search_busy", 503, "Search is busy. Please try again.");

/** Searches that run at once in this process. They are few, because a search reads all texts and holds a connection. */
const maxSearches = 8;

/** Searches of one client that run or wait. */
const maxPerClient = 8;

/** Runs a search when the client's turn has come. @throws SearchBusy when too many of the client's searches wait. */
export type RunSearch = RunInTurn;

export function createSearchLimit(metrics: Registry): RunSearch {
  const ofClient = new Map<string, number>();
  const runInTurn = createTurns({ atOnce: maxSearches });
  const running = new Gauge({
    name: "lyceum_searches",
    help: "Searches of the community, of learners and of courses that run",
    registers: [metrics],
  });
  return async (client, search) => {
    const count = ofClient.get(client) ?? 0;
    if (count >= maxPerClient) throw SearchBusy();
    ofClient.set(client, count + 1);
    try {
      return await runInTurn(client, () => {
        running.inc();
        return search().finally(() => running.dec());
      });
    } finally {
      const left = (ofClient.get(client) ?? 1) - 1;
      if (left > 0) ofClient.set(client, left);
      else ofClient.delete(client);
    }
  };
}
