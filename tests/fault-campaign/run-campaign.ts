import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { begin } from "./inject.js";
import { type Fault, scheduleOf } from "./schedule.js";
import { isEveryKept, type Settled, settle } from "./settle.js";
import { startSystem } from "./system/system.js";
import type { Tally } from "./workload/client.js";
import { Journal } from "./workload/journal.js";
import { livesOf } from "./workload/life.js";
import { prepareScene, type Scene } from "./workload/scene.js";
import { liveLives } from "./workload/workload.js";

export interface CampaignOptions {
  readonly seed: number;
  readonly minutes: number;
  /** The usual pause between two faults. */
  readonly everyMs: number;
  /** The longest that a fault lasts. */
  readonly longestMs: number;
  /** Learners at once. */
  readonly learners: number;
  /** Logs of the servers, and the embedded database. */
  readonly folder: string;
  readonly compile: (program: string) => Promise<string>;
  /** With the name of a database of its own. */
  readonly databaseUri?: string | undefined;
  /** The longest that everything may take to come right after the last fault. */
  readonly settleMs: number;
  /** Told every five seconds how far it is. */
  readonly progress?: (line: string) => void;
  /** Whether the embedded database gets a disk of its own, which can be full; true unless given. */
  readonly ownDisk?: boolean;
}

export interface Outcome extends Settled {
  /** How many faults of each kind there were. */
  readonly faults: Readonly<Record<string, number>>;
  readonly skipped: number;
  readonly tally: Tally;
  readonly learners: number;
  /** What went wrong in the campaign itself. */
  readonly defects: readonly string[];
}

/** Lets learners live on two servers while faults strike, lets everything settle, and checks every promise. */
export async function runCampaign(options: CampaignOptions): Promise<Outcome> {
  const { seed, minutes, everyMs, longestMs, progress = () => undefined } = options;
  const journal = new Journal();
  const tally: Tally = { answered: 0, refused: 0, failed: 0, unanswered: 0 };
  const { folder, compile, databaseUri, ownDisk = true } = options;
  const system = await startSystem({
    ...{ folder, compile, databaseUri, ownDisk },
    seen({ path, body, status }) {
      if (path === "/razorpay" && status === 200) journal.webhooks.add(createHash("sha256").update(body).digest("hex"));
    },
  });
  let isKept = false;
  try {
    const scene = await prepareScene(
      system,
      journal,
      tally,
      system.servers.map(({ url }) => url),
    );
    const ms = minutes * 60_000;
    const struck = await strike(scene, scheduleOf({ seed, ms, everyMs, longestMs }), options, progress);
    progress("settling");
    const settled = await settle(system, journal, options.settleMs);
    isKept = isEveryKept(settled.promises);
    return { ...settled, ...struck, tally, defects: scene.defects };
  } finally {
    await system.close({ drop: isKept });
  }
}

/** Learners and faults at once. */
async function strike(
  scene: Scene,
  schedule: readonly Fault[],
  { seed, minutes, learners: atOnce }: CampaignOptions,
  progress: (line: string) => void,
): Promise<Pick<Outcome, "faults" | "skipped" | "learners">> {
  const { system, tally } = scene;
  const stop = new AbortController();
  const lives = livesOf(seed, 500);
  const living = liveLives(scene, lives, { atOnce, stop: stop.signal });
  const startedAt = performance.now();
  const faults: Record<string, number> = {};
  const endings = new Set<Promise<void>>();
  let [done, skipped] = [0, 0];
  const telling = setInterval(() => {
    const { answered, refused, failed, unanswered } = tally;
    const at = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4);
    const requests = `${answered} answered, ${refused} refused, ${failed} failed, ${unanswered} without answer`;
    progress(`${at} s  ${done} of ${schedule.length} faults (${endings.size} in force); requests: ${requests}`);
  }, 5_000);
  try {
    for (const fault of schedule) {
      await pause(Math.max(0, fault.atMs - (performance.now() - startedAt)));
      const end = await begin(system, fault).catch((error: unknown) => {
        scene.defects.push(`${fault.kind}: ${error}`);
        return undefined;
      });
      done += 1;
      if (!end) {
        skipped += 1;
        continue;
      }
      faults[fault.kind] = (faults[fault.kind] ?? 0) + 1;
      const ending = pause(fault.forMs)
        .then(end)
        .finally(() => endings.delete(ending));
      endings.add(ending);
    }
    await pause(Math.max(0, minutes * 60_000 - (performance.now() - startedAt)));
  } finally {
    clearInterval(telling);
    await Promise.all(endings);
    stop.abort();
  }
  return { faults, skipped, learners: await living };
}
