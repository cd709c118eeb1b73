import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { surroundings } from "./measure/surroundings.js";
import type { Context, Part } from "./part.js";
import { atRest } from "./parts/at-rest.js";
import { catalogSales } from "./parts/catalog-sales.js";
import { connections } from "./parts/connections.js";
import { dashboard } from "./parts/dashboard.js";
import { documents } from "./parts/documents.js";
import { growth } from "./parts/growth.js";
import { memory } from "./parts/memory.js";
import { mixedLoad } from "./parts/mixed-load.js";
import { operations } from "./parts/operations.js";
import { requests } from "./parts/requests.js";
import { measureAllRoutes, routes } from "./parts/routes.js";
import { startUp } from "./parts/start-up.js";
import { token } from "./parts/token.js";
import { tutor } from "./parts/tutor.js";
import { webhook } from "./parts/webhook.js";
import { writers } from "./parts/writers.js";
import { beyondBudget, budgetSize, storeBudget, storedBudget } from "./report/budget.js";
import { storeResult } from "./report/results.js";
import { printSection } from "./report/tables.js";

const usage = `npm run bench -- [part …] [options]

  --quick        rough figures within minutes, to see that everything works; nothing is stored
  --beside DIR   another built checkout, measured in turns with this one
  --rounds N     measurements of each figure (9)
  --minutes N    of load in the part "memory" (5)
  --built        does not build this checkout first
  --check        only compares commands, keys, documents and bytes of every route with bench/budget.json
  --accept       stores these figures as the new budget

MONGODB_URI names another database server than the embedded one.

Parts:
`;

const parts: Readonly<Record<string, Part>> = {
  requests,
  growth,
  routes,
  operations,
  webhook,
  connections,
  mixed: mixedLoad,
  sales: catalogSales,
  dashboard,
  writers,
  documents,
  token,
  startup: startUp,
  tutor,
  memory,
  rest: atRest,
};

const { values: given, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    beside: { type: "string" },
    rounds: { type: "string" },
    minutes: { type: "string", default: "5" },
    built: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    accept: { type: "boolean", default: false },
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
if (given.check || given.accept) await compareWithBudget();
else await runParts();

async function runParts(): Promise<void> {
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
  if (wanted.length === 0) await compareWithBudget();
  context.progress("done");
}

/** Fails the command when a figure is worse than its budget. */
async function compareWithBudget(): Promise<void> {
  const [costs = {}] = await measureAllRoutes([budgetSize]);
  if (given.accept) return storeBudget(costs);
  const worse = beyondBudget(costs, await storedBudget());
  process.stdout.write(`${Object.keys(costs).length} routes compared with bench/budget.json\n`);
  for (const line of worse) process.stderr.write(`${line}\n`);
  if (worse.length > 0) process.exitCode = 1;
}
