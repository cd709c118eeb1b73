import AsyncLock from "async-lock";
import PQueue from "p-queue";

/** Runs a client's task when its turn has come. */
export type RunInTurn = <T>(client: string, task: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue that takes clients in turn: the tasks of one client run one after another, and few tasks run at once.
 * So a client with many tasks delays each task of the others by one task of its own at most.
 */
export function createTurns({ atOnce }: { atOnce: number }): RunInTurn {
  const own = new AsyncLock({ maxPending: Number.POSITIVE_INFINITY });
  const all = new PQueue({ concurrency: atOnce });
  return (client, task) => own.acquire(client, () => all.add(task));
}
