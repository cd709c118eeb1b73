import { setTimeout as sleep } from "node:timers/promises";
import { memoryOf } from "../processes/proc.js";
import type { Target } from "./target.js";

/** The longest that the server's event loop was blocked while `work` ran, as the process itself measured it, in ms. */
export async function longestBlock(target: Target, work: () => Promise<unknown>): Promise<number> {
  await lag(target);
  await work();
  return lag(target);
}

/** The time resolution of what the process measures is taken off. */
const resolutionMs = 10;

/** Asking sets it back to nothing. */
async function lag({ call, env }: Target): Promise<number> {
  const { body } = await call("GET", "/metrics", { token: env.METRICS_TOKEN ?? "" });
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(body)?.[1];
  return Math.max(0, Number(seconds) * 1_000 - resolutionMs);
}

/** A counter of `/metrics`, all labels together. */
export async function metric({ call, env }: Target, name: string): Promise<number> {
  const { body } = await call("GET", "/metrics", { token: env.METRICS_TOKEN ?? "" });
  return [...(body as string).matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, "gm"))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );
}

/** By how many MiB the server grew at most while `work` ran. */
export async function growth({ pid }: Target, work: () => Promise<unknown>): Promise<number> {
  const { now: before } = await memoryOf(pid);
  let [most, running] = [before, true];
  const watch = (async () => {
    while (running) {
      most = Math.max(most, (await memoryOf(pid)).now);
      await sleep(50);
    }
  })();
  try {
    await work();
  } finally {
    running = false;
  }
  await watch;
  return most - before;
}

/** How long `work` takes, in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
