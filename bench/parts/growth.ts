import { perRequest, warmUp } from "../measure/cpu.js";
import { inTurns, median, rounded, spread } from "../measure/figures.js";
import type { Chart, Context, Part, Row } from "../part.js";
import { type Build, type Builds, startBuilds } from "../processes/builds.js";
import { fillWorld, type HotRequest, hotRequests, once, type World } from "../scenes/world.js";

const scales = [1, 10, 100] as const;
const nameOf = (scale: number): string => `${scale}×`;

/** CPU of hot requests with one, ten and a hundred times of everything; every-route.test.ts counts what the database does. */
export const growth: Part = {
  about: "hot requests with 1×, 10× and 100× of students, sessions, replies, purchases, courses and posts",
  async run(context) {
    const taken = await cpuOf(context);
    const rows: Row[] = hotRequests.map(({ name, whole }) => {
      const figures = taken.get(name) ?? {};
      const [least = 0, ten = 0, most = 0] = scales.map((scale) => median(figures[nameOf(scale)]?.server ?? []));
      const [first = 0, last = 0] = [1, 100].map((scale) => median(figures[nameOf(scale)]?.database ?? []));
      return {
        request: name,
        "whole list": whole ? "yes" : "",
        ...{ "CPU µs 1×": least, "10×": ten, "100×": most, "spread 100×": spread(figures["100×"]?.server ?? []) },
        "100× : 1×": most / least,
        ...(first > 0 ? { "database CPU 100× : 1×": last / first } : {}),
      };
    });
    const lines = hotRequests
      .filter(({ charted }) => charted)
      .map(({ name }) => {
        const middle = scales.map((scale) => median(taken.get(name)?.[nameOf(scale)]?.server ?? []));
        const points = scales.map((scale, i): [number, number] => [scale, (middle[i] ?? 0) / (middle[0] || 1)]);
        return { name, points };
      });
    const chart: Chart = {
      ...{ file: "growth", title: "CPU of a request as everything grows, in times of its CPU at 1×" },
      ...{ x: { name: "times as much of everything", log: true }, y: { name: "times the CPU at 1×", log: true } },
      series: lines,
    };
    const counted = Object.entries(once).map(([what, count]) => `${count} ${what}`);
    return [
      {
        title: "Hot requests as everything grows",
        note: `1× is ${counted.join(", ")}; sessions and purchases are of the learner who asks. A whole list holds everything of its kind, so it grows by definition. CPU is of the server's process, and of the database's in the last column.`,
        rows,
        charts: [chart],
      },
    ];
  },
};

type ByScale = Record<string, { server: number[]; database: number[] }>;

async function cpuOf(context: Context): Promise<Map<string, ByScale>> {
  const builds = await startBuilds({ roots: Object.fromEntries(scales.map((scale) => [nameOf(scale), "."])) });
  const taken = new Map<string, ByScale>();
  try {
    const worlds = new Map<Build, World>();
    for (const [i, build] of builds.all.entries()) {
      context.progress(`fills ${build.name}`);
      worlds.set(build, await fillWorld(build, scales[i] ?? 1));
    }
    for (const hot of hotRequests) {
      const figures = await measureHot(builds, worlds, hot, context);
      const servers = scales.map((scale) => rounded(median(figures[nameOf(scale)]?.server ?? [])));
      context.progress(`${hot.name}: ${servers.join(", ")} µs`);
      taken.set(hot.name, figures);
    }
  } finally {
    await builds.end();
  }
  return taken;
}

async function measureHot(
  builds: Builds,
  worlds: ReadonlyMap<Build, World>,
  { path, method = "GET", bodies, as, amount, whole, connections = whole ? 1 : 4 }: HotRequest,
  { rounds, quick }: Context,
): Promise<ByScale> {
  const measures: Record<string, () => Promise<{ server: number; database: number }>> = {};
  for (const [build, world] of worlds) {
    const users: Record<string, string>[] = as?.map((userId) => builds.signedAs(userId)) ?? [{}];
    const bodiesSent = bodies?.(world).map((body) => JSON.stringify(body)) ?? [undefined];
    const json: Record<string, string> = bodies ? { "content-type": "application/json" } : {};
    const inTurn = users.flatMap((user) =>
      bodiesSent.map((body) => ({ headers: { "accept-encoding": "br", ...json, ...user }, ...(body ? { body } : {}) })),
    );
    // An answer of everything there is takes so much longer that fewer of them say as much.
    const sent = quick ? 16 : whole ? Math.ceil(amount / Math.sqrt(world.scale)) : amount;
    const load = { path: path(world), method, amount: sent, connections, inTurn };
    measures[build.name] = async () => {
      const before = await build.databaseCpu();
      const { cpu } = await perRequest(build, load);
      return { server: cpu, database: ((await build.databaseCpu()) - before) / (load.amount + warmUp(load)) };
    };
  }
  const all = await inTurns(rounds, measures);
  return Object.fromEntries(
    Object.entries(all).map(([name, figures]) => [
      name,
      { server: figures.map(({ server }) => server), database: figures.map(({ database }) => database) },
    ]),
  );
}
