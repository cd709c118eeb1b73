import { drive } from "../measure/drive.js";
import { median, percentile, rounded, spread } from "../measure/figures.js";
import type { Part, Row } from "../part.js";
import { type Build, startBuilds } from "../processes/builds.js";
import { mixed, startTraffic, type Traffic } from "../scenes/traffic.js";

const limitMs = 100;
/** Connections are more than are ever busy while the limit is kept. */
const connections = 256;

/** Each is a fifth more than the one before. */
const rates = Array.from({ length: 14 }, (_, n) => Math.round(100 * 1.2 ** n));
/** A build that is so slow at a rate is not asked at higher ones in that round. */
const hopelessMs = 3 * limitMs;

/** The highest rate at which mixed requests come in while 99 of 100 are answered within 100 ms. */
export const mixedLoad: Part = {
  about: "highest rate of mixed requests (80 % reads, 15 % study, 5 % sales) with p99 under 100 ms",
  async run(context) {
    const builds = await startBuilds(context);
    const seconds = context.quick ? 2 : 4;
    const asked = context.quick ? rates.filter((_, n) => n % 3 === 0) : rates;
    const p99s = new Map<string, Map<number, number[]>>();
    try {
      const traffics = new Map<string, Traffic>();
      for (const build of builds.all) {
        const traffic = await startTraffic(builds, build);
        traffics.set(build.name, traffic);
        p99s.set(build.name, new Map(asked.map((rate) => [rate, []])));
        await drive({ url: build.url, connections: 16, next: mixed(traffic), seconds: 2 * seconds });
      }
      for (let round = 0; round < context.rounds; round += 1) {
        const hopeless = new Set<string>();
        for (const rate of asked) {
          for (const build of builds.all) {
            const traffic = traffics.get(build.name);
            if (!traffic) continue;
            const slow = hopeless.has(build.name);
            const p99 = slow ? Number.POSITIVE_INFINITY : await p99At(build, traffic, rate, seconds);
            if (p99 > hopelessMs) hopeless.add(build.name);
            p99s.get(build.name)?.get(rate)?.push(p99);
            if (!slow) context.progress(`${build.name}, ${rate} a second: p99 ${rounded(p99)} ms`);
          }
        }
      }
    } finally {
      await builds.end();
    }
    const curves = [...p99s].map(([name, curve]) => ({
      name,
      points: [...curve].map(([rate, times]): [number, number] => [rate, median(times)]),
      ofRounds: Array.from({ length: context.rounds }, (_, round) =>
        highestRate([...curve].map(([rate, times]): [number, number] => [rate, times[round] ?? 0])),
      ),
    }));
    const beside = curves.find(({ name }) => name === "beside");
    const rows: Row[] = curves.map(({ name, points, ofRounds }) => ({
      ...{ build: name, "requests a second": highestRate(points), spread: spread(ofRounds) },
      ...(beside ? { "times beside": highestRate(points) / highestRate(beside.points) } : {}),
    }));
    const series = curves.map(({ name, points }) => ({
      ...{ name, points: points.filter(([, ms]) => Number.isFinite(ms)) },
    }));
    const chart = {
      ...{ file: "mixed-load", title: "Mixed requests at a rate: 99 of 100 are answered within", limit: limitMs },
      ...{ x: { name: "requests a second" }, y: { name: "p99, ms", log: true }, series },
    };
    return [
      {
        title: `Highest rate of mixed requests with p99 under ${limitMs} ms`,
        note: `80 % reads, 15 % completed lectures and tracked sessions, 5 % purchases and payments, sent at fixed rates whatever the server does, each rate a fifth more than the one before, ${seconds} s at a time, the builds in turns; a failed request counts as too slow. Of the medians of ${context.rounds} rounds; the spread is of single rounds.`,
        rows,
        charts: [chart],
      },
    ];
  },
};

async function p99At({ url }: Build, traffic: Traffic, rate: number, seconds: number): Promise<number> {
  const { outcomes } = await drive({ url, connections, next: mixed(traffic), seconds, rate });
  const times = outcomes.map(({ status, ms }) => (status === 200 ? ms : Math.max(ms, 10_000)));
  return percentile(times, 99);
}

/** Where a curve of p99 over rates passes the limit for good: between two rates in the proportion of their times. */
function highestRate(curve: readonly (readonly [rate: number, ms: number])[]): number {
  const at = curve.findLastIndex(([, ms]) => ms < limitMs);
  const [[rate, ms] = [0, 0], next] = [curve[at], curve[at + 1]];
  if (!next || !Number.isFinite(next[1])) return rate;
  return rate + ((limitMs - ms) / (next[1] - ms)) * (next[0] - rate);
}
