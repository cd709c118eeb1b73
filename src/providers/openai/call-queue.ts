import PQueue from "p-queue";
import { deadline } from "../../http/deadline.js";
import { AiFault } from "./fault.js";
import type { Question } from "./question.js";
import type { RecordRequest } from "./record-request.js";

/** Lets `places` calls run at a time; as many again wait, each for up to `queueMs`. */
export function createCallQueue({ places, queueMs }: { places: number; queueMs: number }, record: RecordRequest) {
  const calls = new PQueue({ concurrency: places });
  return {
    /** Number of calls that run. */
    running: () => calls.pending,

    /** Runs `work` when a place is free. @throws AiFault when none is in time, or too many wait already. */
    async run<T>(
      { purpose, signal: caller, withinMs = queueMs }: Question<unknown>,
      work: () => Promise<T>,
    ): Promise<T> {
      const startedAt = performance.now();
      const time = deadline(Math.min(queueMs, withinMs), caller);
      let begun = false;
      const begin = () => {
        begun = true;
        time.clear();
        return work();
      };
      const full = calls.size >= places;
      try {
        if (full) throw new Error("too many calls");
        return await calls.add(begin, { signal: time.signal });
      } catch (error) {
        if (begun) throw error;
        if (caller?.aborted) throw new AiFault("cancelled", "caller went away");
        const reason = full ? "too many calls" : "no free place";
        record({ purpose, outcome: "refused", startedAt, reason });
        throw new AiFault("unavailable", reason, undefined, { cause: error });
      } finally {
        time.clear();
      }
    },
  };
}
