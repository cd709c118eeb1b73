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
            context.progress(`${build.name}, ${step} connections: ${rounded(measured.figures[served] ?? 0)} a second`);
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

/** One number of connections, as measured or as the middle of all rounds. */
interface Step {
  readonly connections: number;
  readonly figures: Readonly<Record<string, number>>;
  /** What `Retry-After` said. */
  readonly waits: readonly string[];
}

const [served, p50, p99] = ["served a second", "p50 ms", "p99 ms"] as const;
/** Of these figures the sum of all rounds counts, of others the median. */
const summed = new Set(["refused (503)", "other failures", "of money", "of these refused"]);

async function oneStep(
  { url }: Build,
  traffic: Traffic | undefined,
  connections: number,
  seconds: number,
): Promise<Step> {
  if (!traffic) throw new Error("no traffic");
  const at = (next: () => Call, count: number): Promise<Driven> => drive({ url, connections: count, next, seconds });
  const [load, money] = await Promise.all([at(traffic.read, connections), at(traffic.sale, 2)]);
  const with200 = load.outcomes.filter(({ status }) => status === 200);
  const refused = load.outcomes.filter(({ status }) => status === 503);
  const times = with200.map(({ ms }) => ms);
  const timesOfMoney = money.outcomes.map(({ ms }) => ms);
  const figures = {
    ...{ [served]: with200.length / load.seconds, [p50]: median(times), [p99]: percentile(times, 99) },
    "refused (503)": refused.length,
    "other failures": load.outcomes.length - with200.length - refused.length,
    "of money": money.outcomes.length,
    "of these refused": money.outcomes.filter(({ status }) => status !== 200).length,
    "p99 ms of money": percentile(timesOfMoney, 99),
  };
  return { connections, figures, waits: refused.map(({ retryAfter }) => retryAfter ?? "none") };
}

function middleOf(all: readonly Step[]): Step {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const { connections = 0, figures: first = {} } = all[0] ?? {};
  const figures = Object.keys(first).map((name) => {
    const values = all.map((step) => step.figures[name] ?? 0);
    return [name, summed.has(name) ? sum(values) : median(values)];
  });
  return { connections, figures: Object.fromEntries(figures), waits: [...new Set(all.flatMap(({ waits }) => waits))] };
}

function sectionsOf(runs: ReadonlyMap<string, readonly Step[]>, steps: readonly number[], context: Context): Section[] {
  const rows: Row[] = [];
  const series: { name: string; points: [number, number][] }[] = [];
  for (const [build, all] of runs) {
    const middle = steps.map((step) => middleOf(all.filter((one) => one.connections === step)));
    const rateOf = ({ figures }: Step) => figures[served] ?? 0;
    const best = Math.max(...middle.filter((step) => usual.includes(step.connections)).map(rateOf));
    for (const step of middle) {
      const { figures, waits } = step;
      const further = { "of the best": rateOf(step) / best, "Retry-After": waits.join(", ") || "–" };
      rows.push({ build, connections: step.connections, ...figures, ...further });
    }
    const points = (ms: string): [number, number][] => middle.map((step) => [rateOf(step), step.figures[ms] ?? 0]);
    series.push({ name: `${build}, p99`, points: points(p99) }, { name: `${build}, p50`, points: points(p50) });
  }
  const chart: Chart = {
    file: "throughput-latency",
    title: `Throughput and latency, ${steps.join(", ")} connections`,
    x: { name: "requests served a second" },
    y: { name: "latency, ms", log: true },
    ...{ series, limit: 1_000 },
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
