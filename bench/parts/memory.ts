import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { drive } from "../measure/drive.js";
import { rounded, slopeOf } from "../measure/figures.js";
import type { Part, Row } from "../part.js";
import { startBuilds } from "../processes/builds.js";
import { memoryOf } from "../processes/proc.js";
import { mixedRequests, startTraffic } from "../scenes/traffic.js";

/** The first part of the time, in which memory grows to the size that the work needs. */
const growing = 0.2;

/** Memory of the server's process under mixed load that it can carry. */
export const memory: Part = {
  about: "memory under minutes of mixed load (--minutes, 5 by default) and how it grows",
  async run({ quick, minutes, beside, progress }) {
    const seconds = quick ? 15 : minutes * 60;
    const everyMs = Math.max(500, (seconds * 1_000) / 200);
    const heapDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
    const preload = `--import ${new URL("../processes/live-heap.mjs", import.meta.url)}`;
    const builds = await startBuilds({ beside, env: { NODE_OPTIONS: preload, LIVE_HEAP_DIR: heapDir } });
    const rows: Row[] = [];
    const series: { name: string; points: Points }[] = [];
    try {
      for (const build of builds.all) {
        // All of them have come once in the first minutes: what is remembered of each caller no longer grows then.
        const traffic = await startTraffic(builds, build, { buyers: 1_500 });
        const resident: [number, number][] = [];
        const start = (await memoryOf(build.pid)).now;
        const began = Date.now();
        let running = true;
        const watch = (async () => {
          while (running) {
            resident.push([(Date.now() - began) / 60_000, (await memoryOf(build.pid)).now]);
            await pause(everyMs);
          }
        })();
        progress(`${build.name}: ${seconds} s of load`);
        const { outcomes } = await drive({ url: build.url, connections: 8, next: mixedRequests(traffic), seconds });
        running = false;
        await watch;
        const live = await liveHeap(join(heapDir, String(build.pid)), began);
        rows.push({
          ...{
            build: build.name,
            requests: outcomes.length,
            failed: outcomes.filter((one) => one.status !== 200).length,
          },
          ...{ "MiB before": start, "MiB at the end": resident.at(-1)?.[1] ?? 0 },
          ...{ "MiB at most": (await memoryOf(build.pid)).most, "MiB a minute": growth(resident, seconds / 60) },
          ...{ "live MiB at the end": live.at(-1)?.[1] ?? 0, "live MiB a minute": growth(live, seconds / 60) },
        });
        series.push({ name: build.name, points: resident }, { name: `${build.name}, live`, points: live });
      }
    } finally {
      await builds.end();
      await rm(heapDir, { recursive: true, force: true });
    }
    const chart = {
      ...{ file: "memory", title: "Resident memory under mixed load" },
      ...{ x: { name: "minutes" }, y: { name: "MiB" }, series },
    };
    return [
      {
        title: `Memory of the server's process under ${rounded(seconds / 60)} minutes of mixed load, 8 connections`,
        note: "Resident memory from /proc; live is what V8 keeps outside the young generation after a collection of the whole heap. The slopes are of straight lines through the means of twentieths of the time, the first four left out, with twice their standard error.",
        rows,
        charts: [chart],
      },
    ];
  },
};

type Points = readonly (readonly [minute: number, mebibytes: number])[];

/** Slope with twice its standard error. Neighbours are alike, so that only the mean of each twentieth counts. */
function growth(points: Points, minutes: number): string {
  const later = points.filter(([minute]) => minute > growing * minutes);
  const twentieths = Array.from({ length: 20 }, (_, n) =>
    later.filter(([minute]) => Math.floor((20 * minute) / minutes) === n),
  );
  const mean = (part: Points, at: 0 | 1) => part.reduce((sum, point) => sum + point[at], 0) / part.length;
  const means = twentieths.filter((part) => part.length > 0).map((part) => [mean(part, 0), mean(part, 1)] as const);
  if (means.length < 3) return "–";
  const { slope, error } = slopeOf(means);
  return `${rounded(slope)} ± ${rounded(2 * error)}`;
}

/** What `live-heap.mjs` noted since `began`. */
async function liveHeap(file: string, began: number): Promise<[number, number][]> {
  const lines = (await readFile(file, "utf8").catch(() => "")).trim().split("\n");
  const noted = lines.filter(Boolean).map((line) => line.split(" ").map(Number));
  return noted
    .map(([at = 0, bytes = 0]): [number, number] => [(at - began) / 60_000, bytes / 1_048_576])
    .filter(([minute]) => minute >= 0);
}
