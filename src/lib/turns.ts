import PQueue from "p-queue";
import type { Failure } from "./errors.js";

/**
 * Runs a client's task when its turn has come.
 * @param signal aborts when nobody waits for the result any more. The task then does not begin. @throws its reason.
 */
export type RunInTurn = <T>(client: string, task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

interface Limits {
  /** Tasks that run at once; any number by default. */
  readonly atOnce?: number;
  /** Tasks of one client that run at once; 1 by default. */
  readonly ofClient?: number;
  /** Tasks of one client that wait behind one another, and the failure of a further one. */
  readonly waiting?: { readonly most: number; readonly refusal: Failure };
}

/**
 * Creates a queue that takes clients in turn: few tasks of one client run at once, and few of all. So a client with many
 * tasks delays each task of the others by one task of its own at most.
 */
export function createTurns({ atOnce = Number.POSITIVE_INFINITY, ofClient = 1, waiting }: Limits = {}): RunInTurn {
  const all = new PQueue({ concurrency: atOnce });
  const queues = new Map<string, PQueue>();
  const queueOf = (client: string): PQueue => {
    const known = queues.get(client);
    if (known) return known;
    const queue = new PQueue({ concurrency: ofClient }).on("idle", () => queues.delete(client));
    queues.set(client, queue);
    return queue;
  };
  return async <T>(client: string, task: () => Promise<T>, signal?: AbortSignal) => {
    const own = queueOf(client);
    if (waiting && own.size >= waiting.most) throw waiting.refusal();
    // A task that has begun keeps its place to its end, also when nobody waits for it any more.
    const place = new AbortController();
    const leave = (): void => place.abort(signal?.reason);
    if (signal?.aborted) leave();
    signal?.addEventListener("abort", leave, { once: true });
    const begin = (): Promise<T> => {
      signal?.removeEventListener("abort", leave);
      return all.add(async () => {
        signal?.throwIfAborted();
        return task();
      });
    };
    return own.add(begin, { signal: place.signal });
  };
}
