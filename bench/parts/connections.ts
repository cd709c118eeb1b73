import { type Call, type Driven, drive } from "../measure/drive.js";
import { median, percentile, rounded } from "../measure/figures.js";
import type { Chart, Context, Part, Row, Section } from "../part.js";
import { type Build, startBuilds } from "../processes/builds.js";
import { startTraffic, type Traffic } from "../scenes/traffic.js";

const usual = [16, 32, 64, 128];
const most = 512;

/** Reads over more and more connections, while money comes in on two more of its own. */
export const connections: Part = {
  about: "throughput and latency from 1 to 512 connections; what is refused, and that money never is",
  async run(context) {
    const builds = await startBuilds(context);
    const seconds = context.quick ? 2 : 4;
    const rounds = roundsOf(context);
    const steps = context.quick ? [16, 128, most] : [1, 4, ...usual, 256, most];
    const runs = new Map<string, Step[]>();
    try {
      const traffics = new Map<string, Traffic>();
      for (const build of builds.all) traffics.set(build.name, await startTraffic(builds, build));
      for (const build of builds.all) await oneStep(build, traffics.get(build.name), 16, seconds);
      for (let round = 0; round < rounds; round += 1) {
        for (const step of steps) {
          for (const build of builds.all) {
            const measured = await oneStep(build, traffics.get(build.name), step, seconds);
            runs.set(build.name, [...(runs.get(build.name) ?? []), measured]);
            context.progress(`${build.name}, ${step} connections: ${rounded(measured.rate)} a second`);
          }
        }
      }
    } finally {
      await builds.end();
    }
    return sectionsOf(runs, steps, context);
  },
};

/** Each takes a minute. */
const roundsOf = ({ rounds }: Context): number => Math.min(rounds, 3);

interface Step {
  readonly connections: number;
  /** Requests that were served, a second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly refused: number;
  readonly otherwise: number;
  readonly retryAfter: string;
  readonly money: number;
  readonly moneyRefused: number;
  readonly moneyP99: number;
}

async function oneStep(
  { url }: Build,
  traffic: Traffic | undefined,
  connections: number,
  seconds: number,
): Promise<Step> {
  if (!traffic) throw new Error("no traffic");
  const at = (next: () => Call, count: number): Promise<Driven> => drive({ url, connections: count, next, seconds });
  const [load, money] = await Promise.all([at(traffic.read, connections), at(traffic.sale, 2)]);
  const served = load.outcomes.filter(({ status }) => status === 200);
  const refused = load.outcomes.filter(({ status }) => status === 503);
  const times = served.map(({ ms }) => ms);
  const waits = [...new Set(refused.map(({ retryAfter }) => retryAfter ?? "none"))];
  return {
    connections,
    ...{ rate: served.length / load.seconds, p50: median(times), p99: percentile(times, 99) },
    ...{ refused: refused.length, otherwise: load.outcomes.length - served.length - refused.length },
    retryAfter: waits.join(", ") || "–",
    money: money.outcomes.length,
    moneyRefused: money.outcomes.filter(({ status }) => status !== 200).length,
    moneyP99: percentile(
      money.outcomes.map(({ ms }) => ms),
      99,
    ),
  };
}

function sectionsOf(runs: ReadonlyMap<string, readonly Step[]>, steps: readonly number[], context: Context): Section[] {
  const rows: Row[] = [];
  const charts: { name: string; points: [number, number][] }[] = [];
  for (const [name, all] of runs) {
    const middle = steps.map((step) => middleOf(all.filter(({ connections }) => connections === step)));
    const best = Math.max(...middle.filter((one) => usual.includes(one.connections)).map(({ rate }) => rate));
    for (const one of middle) {
      rows.push({
        ...{ build: name, connections: one.connections, "served a second": one.rate, "of the best": one.rate / best },
        ...{ "p50 ms": one.p50, "p99 ms": one.p99, "refused (503)": one.refused, "Retry-After": one.retryAfter },
        ...{ "other failures": one.otherwise, "of money": one.money, "of these refused": one.moneyRefused },
        "p99 ms of money": one.moneyP99,
      });
    }
    charts.push({ name: `${name}, p99`, points: middle.map(({ rate, p99 }) => [rate, p99]) });
    charts.push({ name: `${name}, p50`, points: middle.map(({ rate, p50 }) => [rate, p50]) });
  }
  const chart: Chart = {
    file: "throughput-latency",
    title: `Throughput and latency, ${steps.join(", ")} connections`,
    x: { name: "requests served a second" },
    y: { name: "latency, ms", log: true },
    series: charts,
    limit: 1_000,
  };
  return [
    {
      title: "Reads over many connections, while purchases and payments come in on two more",
      note:
        "Catalog, course, own courses, own data and posts in turn. Latency is of what was served. Medians of " +
        `${roundsOf(context)} rounds of ${context.quick ? 2 : 4} s; refusals and money are sums. The load comes from the same machine.`,
      rows,
      charts: [chart],
    },
  ];
}

function middleOf(all: readonly Step[]): Step {
  const [first] = all;
  if (!first) throw new Error("nothing was measured");
  const middle = (value: (one: Step) => number) => median(all.map(value));
  const sum = (value: (one: Step) => number) => all.reduce((total, one) => total + value(one), 0);
  return {
    connections: first.connections,
    ...{ rate: middle(({ rate }) => rate), p50: middle(({ p50 }) => p50), p99: middle(({ p99 }) => p99) },
    ...{ refused: sum(({ refused }) => refused), otherwise: sum(({ otherwise }) => otherwise) },
    retryAfter: [...new Set(all.map(({ retryAfter }) => retryAfter))].filter((wait) => wait !== "–").join(", ") || "–",
    ...{ money: sum(({ money }) => money), moneyRefused: sum(({ moneyRefused }) => moneyRefused) },
    moneyP99: middle(({ moneyP99 }) => moneyP99),
  };
}
