import { allServed, drive } from "../measure/drive.js";
import { inTurns, median, percentile, spread } from "../measure/figures.js";
import type { Part, Row } from "../part.js";
import { type Build, startBuilds } from "../processes/builds.js";
import { inShares, startTraffic, type Traffic } from "../scenes/traffic.js";

const connections = 32;

/** The catalog of 500 courses while one of twenty requests is a payment, beside the same without payments. */
export const sales: Part = {
  about: "latency of the catalog while 5 % of requests are sales, against quiet",
  async run({ quick, rounds, beside, progress }) {
    const amount = quick ? 600 : 2_000;
    const builds = await startBuilds({ beside });
    const rows: Row[] = [];
    try {
      const traffics = new Map<Build, Traffic>();
      for (const build of builds.all) traffics.set(build, await startTraffic(builds, build, { courses: 500 }));
      const catalog = { kind: "read", path: "/api/course/all", headers: { "accept-encoding": "br" } };
      const measures: Record<string, () => Promise<number>> = {};
      for (const [build, traffic] of traffics) {
        const next = inShares([
          [95, () => catalog],
          [5, () => traffic.payment() ?? catalog],
        ]);
        const times = async (withSales: boolean): Promise<number> => {
          // Purchases are opened before, out of the time that is taken.
          const opened = withSales ? Math.ceil(amount / 20) : 0;
          if (withSales)
            allServed(await drive({ url: build.url, connections: 4, next: traffic.purchase, amount: opened }));
          const driven = await drive({ url: build.url, connections, next: withSales ? next : () => catalog, amount });
          return median(allServed(driven).flatMap(({ kind, ms }) => (kind === "read" ? [ms] : [])));
        };
        await times(false);
        measures[`${build.name} quiet`] = () => times(false);
        measures[`${build.name} sales`] = () => times(true);
      }
      progress(`${amount} requests in each of ${rounds} rounds`);
      const figures = await inTurns(rounds, measures);
      for (const { name } of builds.all) {
        const [still, sold] = [figures[`${name} quiet`] ?? [], figures[`${name} sales`] ?? []];
        rows.push({
          ...{ build: name, "quiet p50 ms": median(still), "quiet spread": spread(still) },
          ...{ "with sales p50 ms": median(sold), "with sales spread": spread(sold) },
          ...{ ratio: median(sold) / median(still), "slowest round ms": percentile(sold, 100) },
        });
      }
    } finally {
      await builds.end();
    }
    return [
      {
        title: `Catalog of 500 courses, brotli, ${connections} connections: quiet, and while 5 % of requests are payments`,
        note: "Each payment is a webhook that completes a purchase and enrolls the learner.",
        rows,
      },
    ];
  },
};
