import { measureRoutes, type RouteCost } from "../../tests/assertions/route-costs.js";
import type { Part, Row } from "../part.js";
import { withEmulatedServers } from "../processes/emulated-servers.js";
import { budgetSize } from "../report/budget.js";

/** What every route costs the database beside so many others of everything: the same figures on every machine. */
export const measureAllRoutes = (sizes: readonly number[]): Promise<Record<string, RouteCost>[]> =>
  withEmulatedServers(async (start) => {
    const costs: Record<string, RouteCost>[] = [];
    for (const size of sizes) costs.push(await measureRoutes(await start(), size));
    return costs;
  });

export const routes: Part = {
  about: "commands, keys and documents examined, and bytes of every route at 1×, 10× and 100×",
  async run({ progress }) {
    const sizes = [budgetSize / 100, budgetSize / 10, budgetSize];
    progress(`every route beside ${sizes.join(", ")} others of everything`);
    const [once = {}, ten = {}, hundred = {}] = await measureAllRoutes(sizes);
    const rows: Row[] = Object.keys(hundred).map((route) => {
      const all = [once[route], ten[route], hundred[route]];
      const three = (figure: (cost: RouteCost) => number): string => {
        const figures = all.map((cost) => (cost ? figure(cost) : 0));
        return new Set(figures).size === 1 ? String(figures[0]) : figures.join(" / ");
      };
      return {
        route,
        commands: three(({ commands }) => commands.length),
        keys: three(({ keys }) => keys),
        documents: three(({ documents }) => documents),
        bytes: three(({ bytes }) => bytes),
      };
    });
    return [
      {
        title: `What every route costs the database beside ${sizes.join(" / ")} others of everything`,
        note: "Others are students, purchases, courses, educators, ratings, certificates, posts and votes. One figure: the same at all three sizes. A route that grows answers with everything there is, or with longer numbers. `bench/budget.json` holds the last column of each.",
        rows,
      },
    ];
  },
};
