import { setMaxListeners } from "node:events";

/** The error of work that took too long. */
export class OutOfTime extends Error {
  constructor(ms: number) {
    super(`took over ${ms} ms`);
    this.name = "OutOfTime";
  }
}

interface Limits<L> {
  /** Time limit in milliseconds. */
  readonly ms?: number;
  /** Ends the wait earlier. */
  readonly signal?: AbortSignal | undefined;
  /** Gives the result when time is up, or throws; `OutOfTime` by default. */
  readonly late?: () => L;
}

/**
 * Does work within limits: the one way to bound time. At a limit the signal of the work aborts, and the wait ends, whether
 * or not the work does. `AbortSignal.timeout` is no replacement: Node 20 collects it as garbage while only
 * `AbortSignal.any` refers to it, and it keeps its timer.
 * @throws OutOfTime; the reason of `signal`; what the work throws.
 */
export async function within<T, L = never>(
  { ms, signal: caller, late }: Limits<L>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | L> {
  caller?.throwIfAborted();
  const own = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let timeIsUp: OutOfTime | undefined;
  let leave = (): void => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (reason: unknown): void => {
      own.abort(reason);
      reject(reason);
    };
    leave = () => end(caller?.reason);
    if (caller) {
      // Many may wait on one signal. Each removes its listener in the end.
      setMaxListeners(0, caller);
      caller.addEventListener("abort", leave);
    }
    if (ms !== undefined) {
      timer = setTimeout(() => {
        timeIsUp = new OutOfTime(ms);
        end(timeIsUp);
      }, ms);
    }
  });
  try {
    return await Promise.race([work(own.signal), ended]);
  } catch (error) {
    if (late && error === timeIsUp) return late();
    throw error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", leave);
  }
}
