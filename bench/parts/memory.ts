import { setTimeout as pause } from "node:timers/promises";
import { drive } from "../measure/drive.js";
import { rounded, slopeOf } from "../measure/figures.js";
import type { Part, Row } from "../part.js";
import { startBuilds } from "../processes/builds.js";
import { memoryOf } from "../processes/proc.js";
import { mixed, startTraffic } from "../scenes/traffic.js";

/** Memory of the server's process under mixed load that it can carry. */
export const memory: Part = {
  about: "memory under minutes of mixed load (--minutes, 5 by default) and how it grows",
  async run({ quick, minutes, beside, progress }) {
    const seconds = quick ? 15 : minutes * 60;
    const everyMs = Math.max(500, (seconds * 1_000) / 200);
    const builds = await startBuilds({ beside });
    const rows: Row[] = [];
    const series: { name: string; points: [number, number][] }[] = [];
    try {
      for (const build of builds.all) {
        // All of them have come once in the first minutes: what is remembered of each caller no longer grows then.
        const traffic = await startTraffic(builds, build, { buyers: 1_500 });
        const points: [number, number][] = [];
        const start = (await memoryOf(build.pid)).now;
        const began = performance.now();
        let running = true;
        const watch = (async () => {
          while (running) {
            points.push([(performance.now() - began) / 60_000, (await memoryOf(build.pid)).now]);
            await pause(everyMs);
          }
        })();
        progress(`${build.name}: ${seconds} s of load`);
        const { outcomes } = await drive({ url: build.url, connections: 8, next: mixed(traffic), seconds });
        running = false;
        await watch;
        // The first half grows to the size that the work needs.
        const later = points.filter(([minute]) => minute > seconds / 120);
        rows.push({
          ...{
            build: build.name,
            requests: outcomes.length,
            "MiB before": start,
            "MiB at the end": points.at(-1)?.[1] ?? 0,
          },
          ...{ "MiB at most": (await memoryOf(build.pid)).most, "MiB a minute, second half": rounded(slopeOf(later)) },
          failed: outcomes.filter(({ status }) => status !== 200).length,
        });
        series.push({ name: build.name, points });
      }
    } finally {
      await builds.end();
    }
    const chart = {
      ...{ file: "memory", title: "Resident memory under mixed load" },
      ...{ x: { name: "minutes" }, y: { name: "MiB" }, series },
    };
    return [
      {
        title: `Memory of the server's process under ${rounded(seconds / 60)} minutes of mixed load, 8 connections`,
        note: "Resident memory from /proc; the slope is of a straight line through the second half.",
        rows,
        charts: [chart],
      },
    ];
  },
};
