import PQueue from "p-queue";
import { ProviderFault } from "../../../providers/razorpay.js";

/** The result of one row: `away` when the provider did not answer at all. */
export type RowResult = "done" | "error" | "away";

interface Limits {
  readonly atOnce: number;
  /** Rows begun in a second at most. */
  readonly perSecond?: number;
  readonly signal?: AbortSignal | undefined;
}

/** So many rows in a row without an answer mean that the provider is away: the rest waits for the next run. */
const patience = 3;

/**
 * Works on rows, several at once. A row that throws stops no other row.
 * @returns how many rows were not begun: the lease was lost, or the provider is away.
 */
export async function workThrough<T>(
  rows: readonly T[],
  work: (row: T) => Promise<RowResult>,
  { atOnce, perSecond, signal }: Limits,
): Promise<number> {
  const rate = perSecond !== undefined && { interval: 1_000, intervalCap: perSecond };
  const queue = new PQueue({ concurrency: atOnce, ...rate });
  let unanswered = 0;
  let begun = 0;
  const one = async (row: T): Promise<void> => {
    if (signal?.aborted || unanswered >= patience) return queue.clear();
    begun += 1;
    unanswered = (await work(row)) === "away" ? unanswered + 1 : 0;
  };
  for (const row of rows) void queue.add(() => one(row));
  await queue.onIdle();
  return rows.length - begun;
}

/** Whether the provider did not answer: neither refused, nor with a reply of its own. */
export const isAway = (error: unknown): boolean =>
  error instanceof ProviderFault && !error.refused && !error.unreadable;
