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
  /** Usual pause between two faults. */
  readonly everyMs: number;
  /** Longest duration of a fault. */
  readonly longestMs: number;
  /** Number of concurrent learners. */
  readonly learners: number;
  /** Folder of the servers' logs and of the embedded database. */
  readonly folder: string;
  readonly compile: (program: string) => Promise<string>;
  /** Name of the database on the server of `MONGODB_URI`. Without that the campaign starts an embedded database. */
  readonly databaseName: string;
  /** Time limit of the recovery after the last fault. */
  readonly settleMs: number;
  /** Receives the progress every five seconds. */
  readonly progress?: (line: string) => void;
}

export interface Outcome extends Settled {
  /** Number of faults of each kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly skipped: number;
  readonly tally: Tally;
  readonly learners: number;
  /** Errors of the campaign itself. */
  readonly defects: readonly string[];
}

/** Runs learners on two servers under faults, waits for recovery, and checks every promise. */
export async function runCampaign(options: CampaignOptions): Promise<Outcome> {
  const { seed, minutes, everyMs, longestMs, folder, compile, databaseName, progress = () => undefined } = options;
  const journal = new Journal();
  const tally: Tally = { answered: 0, refused: 0, failed: 0, unanswered: 0 };
  const given = process.env.MONGODB_URI;
  const databaseUri = given ? new URL(`/${databaseName}${new URL(given).search}`, given).href : undefined;
  const system = await startSystem({
    ...{ folder, compile, databaseUri },
    seen({ path, body, status }) {
      if (path === "/razorpay" && status === 200) journal.webhooks.add(createHash("sha256").update(body).digest("hex"));
    },
  });
  let isKept = false;
  try {
    const urls = system.servers.map(({ url }) => url);
    const scene = await prepareScene(system, journal, tally, urls);
    const schedule = scheduleOf({ seed, ms: minutes * 60_000, everyMs, longestMs });
    const struck = await strike(scene, schedule, options, progress);
    progress("settling");
    const settled = await settle(system, journal, options.settleMs);
    isKept = isEveryKept(settled.promises);
    return { ...settled, ...struck, tally, defects: scene.defects };
  } finally {
    await system.close({ drop: isKept });
  }
}

/** Runs learners and faults at the same time. */
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
