import { setTimeout as pause } from "node:timers/promises";
import type { Part, Row } from "../part.js";
import { startBuilds } from "../processes/builds.js";
import { fillCatalog } from "../scenes/plain-catalog.js";

/** What a server sends to the database without requests. */
export const atRest: Part = {
  about: "commands a second of a server at rest, and its CPU",
  async run({ quick, beside, progress }) {
    const seconds = quick ? 15 : 60;
    const builds = await startBuilds({ beside, countCommands: true });
    const rows: Row[] = [];
    try {
      for (const { connection } of builds.all) await fillCatalog(connection, 20);
      progress("waits for the servers to settle");
      await pause(quick ? 5_000 : 20_000);
      const before = await Promise.all(builds.all.map(async (one) => ({ ...sent(one), cpu: await one.cpu() })));
      progress(`watches for ${seconds} s`);
      await pause(seconds * 1_000);
      for (const [i, build] of builds.all.entries()) {
        const [then, now] = [before[i], sent(build)];
        if (!then) continue;
        const names = Object.entries(now.byName).map(
          ([name, count]) => [name, count - (then.byName[name] ?? 0)] as const,
        );
        rows.push({
          ...{ build: build.name, "commands a second": (now.total - then.total) / seconds },
          "CPU ms a second": ((await build.cpu()) - then.cpu) / 1_000 / seconds,
          commands: names
            .filter(([, count]) => count > 0)
            .map(([name, count]) => `${count} ${name}`)
            .join(", "),
        });
      }
    } finally {
      await builds.end();
    }
    return [
      {
        title: `A server at rest for ${seconds} s`,
        note: "Counted on the way to the database; the driver's own watch over its connections is left out.",
        rows,
      },
    ];
  },
};

function sent({ commands }: { commands: ReadonlyMap<string, number> }) {
  const byName: Record<string, number> = Object.fromEntries(commands);
  return { byName, total: [...commands.values()].reduce((sum, count) => sum + count, 0) };
}
