import { drive } from "../measure/drive.js";
import { median, percentile, rounded, spread } from "../measure/figures.js";
import type { Part, Row } from "../part.js";
import { type Build, startBuilds } from "../processes/builds.js";
import { mixed, startTraffic, type Traffic } from "../scenes/traffic.js";

const limitMs = 100;
/** Connections are more than are ever busy while the limit is kept. */
const connections = 256;

/** The highest rate at which mixed requests come in while 99 of 100 are answered within 100 ms. */
export const mixedLoad: Part = {
  about: "highest rate of mixed requests (80 % reads, 15 % study, 5 % sales) with p99 under 100 ms",
  async run(context) {
    const builds = await startBuilds(context);
    const seconds = context.quick ? 2 : 5;
    // Each search takes a minute.
    const rounds = Math.min(context.rounds, 3);
    const found = new Map<string, number[]>();
    const curves = new Map<string, Map<number, number[]>>();
    try {
      const traffics = new Map<string, Traffic>();
      for (const build of builds.all) {
        const traffic = await startTraffic(builds, build);
        traffics.set(build.name, traffic);
        await drive({ url: build.url, connections: 16, next: mixed(traffic), seconds });
      }
      for (let round = 0; round < rounds; round += 1) {
        for (const build of builds.all) {
          const traffic = traffics.get(build.name);
          if (!traffic) continue;
          const curve = curves.get(build.name) ?? new Map<number, number[]>();
          curves.set(build.name, curve);
          const best = await highestRate(async (rate) => {
            const p99 = await p99At(build, traffic, rate, seconds);
            curve.set(rate, [...(curve.get(rate) ?? []), p99]);
            context.progress(`${build.name}, ${rate} a second: p99 ${rounded(p99)} ms`);
            return p99;
          });
          found.set(build.name, [...(found.get(build.name) ?? []), best]);
        }
      }
    } finally {
      await builds.end();
    }
    const beside = median(found.get("beside") ?? []);
    const rows: Row[] = [...found].map(([name, rates]) => ({
      ...{ build: name, "requests a second": median(rates), spread: spread(rates) },
      ...(beside > 0 ? { "times beside": median(rates) / beside } : {}),
    }));
    const series = [...curves].map(([name, curve]) => ({
      name,
      points: [...curve]
        .map(([rate, times]): [number, number] => [rate, median(times)])
        .sort(([one], [other]) => one - other),
    }));
    const chart = {
      ...{ file: "mixed-load", title: "Mixed requests at a rate: 99 of 100 are answered within", limit: limitMs },
      ...{ x: { name: "requests a second" }, y: { name: "p99, ms", log: true }, series },
    };
    return [
      {
        title: `Highest rate of mixed requests with p99 under ${limitMs} ms`,
        note: `80 % reads, 15 % completed lectures and tracked sessions, 5 % purchases and payments, sent at a fixed rate whatever the server does, ${seconds} s each; a failed request counts as too slow. Medians of ${rounds} searches.`,
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

/** Raises the rate by steps until the limit is passed, then halves the last step twice. */
async function highestRate(p99: (rate: number) => Promise<number>): Promise<number> {
  let best = 0;
  let rate = 20;
  for (; rate < 10_000 && (await p99(rate)) < limitMs; rate = Math.round(rate * 1.5)) best = rate;
  for (let step = (rate - best) / 2, halvings = 0; best > 0 && halvings < 2; step /= 2, halvings += 1) {
    const between = Math.round(best + step);
    if ((await p99(between)) < limitMs) best = between;
  }
  return best;
}
