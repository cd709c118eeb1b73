import { allServed, type Call, drive } from "../measure/drive.js";
import { inTurns, median, spread } from "../measure/figures.js";
import type { Part, Row } from "../part.js";
import { type Build, startBuilds } from "../processes/builds.js";
import { operations as all, type Operation } from "../scenes/operations.js";

/** What writes cost. */
export const operations: Part = {
  about: "operations that write: commands to the database, and CPU of the server's process",
  async run({ quick, rounds, beside, progress }) {
    const rows = new Map<string, Row>(Object.keys(all).map((operation) => [operation, { operation }]));
    const add = (operation: string, more: Row): unknown => Object.assign(rows.get(operation) ?? {}, more);

    progress("commands");
    const counting = await startBuilds({ beside, countCommands: true });
    try {
      for (const [name, operation] of Object.entries(all)) {
        for (const build of counting.all) {
          const calls = await operation(counting, build, 20);
          const before = sum(build.commands);
          await send(build, calls, 1);
          add(name, { [`commands ${build.name}`]: (sum(build.commands) - before) / calls.length });
        }
      }
    } finally {
      await counting.end();
    }

    progress("CPU");
    const builds = await startBuilds({ beside });
    const amount = quick ? 10 : 40;
    const measure = async (build: Build, operation: Operation): Promise<number> => {
      const calls = await operation(builds, build, amount);
      const before = await build.cpu();
      await send(build, calls, 8);
      return ((await build.cpu()) - before) / calls.length / 1_000;
    };
    try {
      for (const [name, operation] of Object.entries(all)) {
        const measures = Object.fromEntries(builds.all.map((build) => [build.name, () => measure(build, operation)]));
        await inTurns(1, measures);
        const figures: Record<string, number[]> = await inTurns(rounds, measures);
        for (const [build, taken] of Object.entries(figures)) {
          add(name, { [`CPU ms ${build}`]: median(taken), [`spread ${build}`]: spread(taken) });
        }
        if (figures.beside) add(name, { "CPU this : beside": median(figures.this ?? []) / median(figures.beside) });
        progress(name);
      }
    } finally {
      await builds.end();
    }
    return [
      {
        title: "Operations that write",
        note: "Commands are counted on the way to the database, one request after another; the server looks for the catalog's changes now and then as well, so they may be a fraction more. CPU: eight requests at once.",
        rows: [...rows.values()],
      },
    ];
  },
};

const sum = (commands: ReadonlyMap<string, number>): number => [...commands.values()].reduce((a, b) => a + b, 0);

/** Sends each request once. */
async function send({ url }: Build, calls: readonly Call[], connections: number): Promise<void> {
  const left = [...calls];
  const next = (): Call => left.shift() ?? { kind: "none", path: "/" };
  allServed(await drive({ url, connections, next, amount: calls.length }));
}
