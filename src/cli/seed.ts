import { startDevelopmentDatabase } from "@lyceum/embedded-mongo/development";
import { developmentPorts, startEmulators } from "@lyceum/provider-emulators";
import { dataFolder, parseConfig, secretsOf } from "../config.js";
import type { Deps } from "../deps.js";
import { CommandError, createLog, environment, run } from "../process.js";
import { findDevelopmentServer } from "./development-server.js";

const seeds = ["empty", "demo", "large"] as const;
type Seed = (typeof seeds)[number];

/**
 * `npm run seed [-- empty|demo|large]`: fills the development platform, the running one if there is one. `demo`, the
 * default, loads the demo data; `large` loads 1,000 courses and 20,000 learners beside it; `empty` removes everything.
 * May be repeated; refuses production.
 */
async function main(): Promise<void> {
  const seed = seedNamed(process.argv[2] ?? "demo");
  const env = environment();
  if (env.NODE_ENV === "production") throw new CommandError("The demo data is not for production");
  const running = await findDevelopmentServer(env);
  const sandbox = running
    ? undefined
    : await startEmulators(env, {
        dataDir: dataFolder(env),
        ports: developmentPorts,
        database: startDevelopmentDatabase,
      });
  const variables = (running ?? sandbox)?.variables ?? {};
  if (seed === "empty" && variables.MONGODB_URI === undefined) {
    throw new CommandError("Only the embedded database is emptied: unset MONGODB_URI");
  }
  // Before what follows is loaded: one of the SDKs reads its variable at that moment.
  Object.assign(env, variables);
  const { compose } = await import("../compose.js");
  const { prepareDatabase } = await import("../server.js");

  const config = parseConfig(env);
  const begin = () => prepareDatabase(config.mongodbUri);
  await begin();
  const { deps, close } = await compose(config, createLog("warn", secretsOf(config)));
  const started = performance.now();
  await plant(seed, deps, begin);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const [courses, users] = await Promise.all([deps.db.Course.countDocuments(), deps.db.User.countDocuments()]);
  await close();
  await sandbox?.close();
  process.stdout.write(`Seed ${seed}: ${courses} courses and ${users} people in all, after ${seconds} s.\n`);
}

function seedNamed(name: string): Seed {
  const seed = seeds.find((known) => known === name);
  if (seed) return seed;
  throw new CommandError(`There is no seed ${name}: choose one of ${seeds.join(", ")}`);
}

async function plant(seed: Seed, deps: Deps, begin: () => Promise<void>): Promise<void> {
  const { loadDemo } = await import("../demo/load-demo.js");
  if (seed === "empty") {
    const { databaseTools } = await import("../demo/database-tools.js");
    return databaseTools(deps, "", { begin, load: () => loadDemo(deps) }).reset("empty");
  }
  await loadDemo(deps);
  if (seed === "demo") return;
  const { loadLarge } = await import("../demo/load-large.js");
  await loadLarge(deps, showProgress);
}

const barWidth = 30;

/** One line that grows, where somebody watches. */
function showProgress(share: number, what: string): void {
  if (!process.stderr.isTTY) return;
  const filled = Math.round(share * barWidth);
  const bar = "█".repeat(filled).padEnd(barWidth, "░");
  process.stderr.write(
    `\r${bar} ${String(Math.round(share * 100)).padStart(3)} % ${what.padEnd(14)}${share === 1 ? "\n" : ""}`,
  );
}

run(main);
