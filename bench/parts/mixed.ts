import { setTimeout as pause } from "node:timers/promises";
import { drive } from "../measure/drive.js";
import { median, percentile, rounded, spread } from "../measure/figures.js";
import type { Context, Part, Row } from "../part.js";
import { type Build, startBuilds } from "../processes/builds.js";
import { mixedRequests, startTraffic, type Traffic } from "../scenes/traffic.js";

const limitMs = 100;
/** Connections are more than are ever busy while the limit is kept. */
const connections = 256;

/** Courses of the catalog, whose lists and figures change with each sale. */
const catalogs = [500, 100] as const;

/** Each is a quarter more than the one before, up to 1,500. */
const rates = Array.from({ length: 12 }, (_, n) => Math.round(1_500 / 1.25 ** (11 - n)));
/** A build that is so slow at a rate is not asked at higher ones in that round: the others rest as long all the same. */
const hopelessMs = 3 * limitMs;

/** The highest rate at which mixed requests come in while 99 of 100 are answered within 100 ms. */
export const mixed: Part = {
  about: "highest rate of mixed requests (80 % reads, 15 % study, 5 % sales) with p99 under 100 ms",
  async run(context) {
    const seconds = context.quick ? 2 : 4;
    const rows: Row[] = [];
    const series: { name: string; points: [number, number][] }[] = [];
    for (const courses of catalogs) {
      const curves = await measureCurves(context, courses, seconds);
      const beside = curves.find(({ name }) => name === "beside");
      for (const { name, points, ofRounds } of curves) {
        const bend = highestRate(points);
        rows.push({
          ...{ courses, build: name, "bend, requests a second": bend, spread: spread(ofRounds) },
          "p99 ms at half": timeAt(points, bend / 2),
          ...(beside ? { "times beside": bend / highestRate(beside.points) } : {}),
        });
        const finite = points.filter(([, ms]) => Number.isFinite(ms));
        series.push({ name: `${name}, ${courses} courses`, points: finite });
      }
    }
    const chart = {
      ...{ file: "mixed-load", title: "Mixed requests at a rate: 99 of 100 are answered within", limit: limitMs },
      ...{ x: { name: "requests a second" }, y: { name: "p99, ms", log: true }, series },
    };
    return [
      {
        title: `Highest rate of mixed requests with p99 under ${limitMs} ms`,
        note: `The bend is the rate from which on p99 is over ${limitMs} ms, or ${rates.at(-1)} when the highest rate is below. 80 % reads (catalog, course, own data, own courses, posts), 15 % completed lectures and tracked sessions, 5 % purchases and payments, sent at fixed rates whatever the server does, each rate a quarter more than the one before, ${seconds} s at a time, the builds in turns; a failed request counts as too slow. Of the medians of ${context.rounds} rounds; the spread is of single rounds.`,
        rows,
        charts: [chart],
      },
    ];
  },
};

interface Curve {
  readonly name: string;
  /** Medians of the rounds. */
  readonly points: [rate: number, ms: number][];
  /** Highest rates of single rounds. */
  readonly ofRounds: number[];
}

async function measureCurves(context: Context, courses: number, seconds: number): Promise<Curve[]> {
  const builds = await startBuilds(context);
  const asked = context.quick ? rates.filter((_, n) => n % 3 === 0) : rates;
  const p99s = new Map<string, Map<number, number[]>>();
  try {
    const traffics = new Map<Build, Traffic>();
    for (const build of builds.all) {
      const traffic = await startTraffic(builds, build, { courses });
      traffics.set(build, traffic);
      p99s.set(build.name, new Map(asked.map((rate) => [rate, []])));
      await drive({ url: build.url, connections: 16, next: mixedRequests(traffic), seconds: 2 * seconds });
    }
    for (let round = 0; round < context.rounds; round += 1) {
      const hopeless = new Set<Build>();
      for (const rate of asked) {
        for (const [build, traffic] of traffics) {
          const slow = hopeless.has(build);
          const restMs = hopeless.size < traffics.size ? seconds * 1_000 : 0;
          const p99 = slow ? await pause(restMs, Number.POSITIVE_INFINITY) : await p99At(build, traffic, rate, seconds);
          if (p99 > hopelessMs) hopeless.add(build);
          p99s.get(build.name)?.get(rate)?.push(p99);
          if (!slow) context.progress(`${courses} courses, ${build.name}, ${rate} a second: p99 ${rounded(p99)} ms`);
        }
      }
    }
  } finally {
    await builds.end();
  }
  const curveOf = (times: ReadonlyMap<number, number[]>, pick: (ms: number[]) => number): [number, number][] =>
    [...times].map(([rate, ms]) => [rate, pick(ms)]);
  return [...p99s].map(([name, times]) => ({
    name,
    points: curveOf(times, median),
    ofRounds: Array.from({ length: context.rounds }, (_, n) => highestRate(curveOf(times, (ms) => ms[n] ?? 0))),
  }));
}

async function p99At({ url }: Build, traffic: Traffic, rate: number, seconds: number): Promise<number> {
  const { outcomes } = await drive({ url, connections, next: mixedRequests(traffic), seconds, rate });
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

/** The time at a rate, between those of the two rates that were asked beside it. */
function timeAt(curve: readonly (readonly [rate: number, ms: number])[], rate: number): number {
  const above = curve.findIndex((point) => point[0] >= rate);
  const [to = [0, 0], from = to] = [curve[above], curve[above - 1]];
  return to[0] === from[0] ? to[1] : from[1] + ((rate - from[0]) / (to[0] - from[0])) * (to[1] - from[1]);
}
