import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { surroundings } from "./measure/surroundings.js";
import type { Context, Part } from "./part.js";
import { connections } from "./parts/connections.js";
import { growth } from "./parts/growth.js";
import { memory } from "./parts/memory.js";
import { mixed } from "./parts/mixed.js";
import { requests } from "./parts/requests.js";
import { sales } from "./parts/sales.js";
import { writes } from "./parts/writes.js";
import { storeResult } from "./report/results.js";
import { printSection } from "./report/tables.js";

const usage = `npm run bench -- [part …] [options]

  --quick        rough figures within minutes, to see that everything works; nothing is stored
  --beside DIR   another built checkout, measured in turns with this one
  --rounds N     measurements of each figure (9)
  --minutes N    of load in the part "memory" (5)
  --built        does not build this checkout first

MONGODB_URI names another database server than the embedded one.

Parts:
`;

const parts: Readonly<Record<string, Part>> = { requests, writes, growth, mixed, connections, sales, memory };

const { values: given, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    beside: { type: "string" },
    rounds: { type: "string" },
    minutes: { type: "string", default: "5" },
    built: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const unknown = wanted.filter((name) => !parts[name]);
if (given.help || unknown.length > 0) {
  const list = Object.entries(parts).map(([name, { about }]) => `  ${name.padEnd(13)}${about}`);
  process.stdout.write(`${unknown.map((name) => `There is no part ${name}.\n`).join("")}${usage}${list.join("\n")}\n`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const began = performance.now();
const context: Context = {
  quick: given.quick,
  rounds: Number(given.rounds ?? (given.quick ? 1 : 9)),
  minutes: Number(given.minutes),
  beside: given.beside,
  progress(line) {
    process.stderr.write(`${String(Math.round((performance.now() - began) / 1_000)).padStart(5)} s  ${line}\n`);
  },
};

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
if (!given.built) {
  context.progress("builds");
  execFileSync("npm", ["run", "--silent", "build"], { stdio: ["ignore", "ignore", "inherit"] });
}
for (const [name, part] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  context.progress(`${name}: ${part.about}`);
  const around = await surroundings(context);
  try {
    const sections = await part.run(context);
    for (const section of sections) printSection(section);
    if (!context.quick) await storeResult(name, { about: part.about, around, sections }, Object.keys(parts));
  } catch (error) {
    // The other parts are worth their results.
    console.error(error);
    process.exitCode = 1;
  }
}
context.progress("done");
