import { parseArgs } from "node:util";
import { startDevelopmentDatabase } from "@lyceum/embedded-mongo/development";
import { developmentPorts, startEmulators } from "@lyceum/provider-emulators";
import { dataFolder, parseConfig, secretsOf } from "../config.js";
import type { LargeSize } from "../demo/large-data.js";
import type { Deps } from "../deps.js";
import { CommandError, createLog, environment, run } from "../process.js";
import { findDevelopmentServer } from "./development-server.js";

const seeds = ["empty", "demo", "large"] as const;
type Seed = (typeof seeds)[number];

/** The variable of each provider that demo data reaches; an emulator fills it in. */
const filledByEmulator = {
  identity: "CLERK_API_URL",
  payments: "RAZORPAY_API_URL",
  "media storage": "CLOUDINARY_URL",
} as const;

const intoRealProviders = "--into-real-providers";

/**
 * `npm run seed [-- empty|demo|large]`: fills the development platform, the running one if there is one. `demo`, the
 * default, loads the demo data; `large` loads 1,000 courses and 20,000 learners beside it, or as many as `--courses` and
 * `--learners` say; `empty` removes everything.
 * May be repeated. Refuses production, and real providers without `--into-real-providers`.
 */
async function main(): Promise<void> {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      courses: { type: "string" },
      learners: { type: "string" },
      "into-real-providers": { type: "boolean" },
    },
  });
  const seed = seedNamed(positionals[0] ?? "demo");
  const size = { courses: numberIn(flags, "courses", 1_000), learners: numberIn(flags, "learners", 20_000) };
  const env = environment();
  if (env.NODE_ENV === "production") throw new CommandError("The demo data is not for production");
  const running = await findDevelopmentServer(env);
  const emulators = running
    ? undefined
    : await startEmulators(env, {
        dataDir: dataFolder(env),
        ports: developmentPorts,
        database: startDevelopmentDatabase,
      });
  try {
    const variables = (running ?? emulators)?.variables ?? {};
    if (seed === "empty") requireEmbeddedDatabase(variables);
    else if (!flags["into-real-providers"]) requireEmulators(variables);
    // Before what follows is loaded: one of the SDKs reads its variable at that moment.
    Object.assign(env, variables);
    await fill({ seed, size }, env);
  } finally {
    await emulators?.close();
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws CommandError where the database is not the embedded one. */
function requireEmbeddedDatabase({ MONGODB_URI }: Variables): void {
  if (MONGODB_URI === undefined) throw new CommandError("Only the embedded database is emptied: unset MONGODB_URI");
}

/** @throws CommandError where a provider that demo data reaches is a real one. */
function requireEmulators(variables: Variables): void {
  const real = Object.entries(filledByEmulator).filter(([, name]) => variables[name] === undefined);
  if (real.length === 0) return;
  const names = real.map(([provider]) => provider).join(", ");
  throw new CommandError(
    `Demo data is for emulators, and these are real: ${names}. To load it all the same: npm run seed -- ${intoRealProviders}`,
  );
}

async function fill({ seed, size }: { seed: Seed; size: LargeSize }, env: NodeJS.ProcessEnv): Promise<void> {
  const { compose } = await import("../compose.js");
  const { prepareDatabase } = await import("../server.js");

  const config = parseConfig(env);
  const begin = () => prepareDatabase(config.mongodbUri);
  await begin();
  const { deps, close } = await compose(config, createLog("warn", secretsOf(config)));
  const started = performance.now();
  await loadSeed({ seed, size }, deps, begin);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const [courses, users] = await Promise.all([deps.db.Course.countDocuments(), deps.db.User.countDocuments()]);
  await close();
  process.stdout.write(`Seed ${seed}: ${courses} courses and ${users} users in all, after ${seconds} s.\n`);
}

/** @throws CommandError for anything but a whole number of at least 1. */
function numberIn(flags: Partial<Record<string, string | boolean>>, name: string, usual: number): number {
  const given = flags[name];
  if (given === undefined) return usual;
  if (!/^[1-9]\d{0,6}$/.test(String(given))) throw new CommandError(`--${name} must be a number from 1 to 9999999`);
  return Number(given);
}

function seedNamed(name: string): Seed {
  const seed = seeds.find((known) => known === name);
  if (seed) return seed;
  throw new CommandError(`There is no seed ${name}: choose one of ${seeds.join(", ")}`);
}

async function loadSeed(
  { seed, size }: { seed: Seed; size: LargeSize },
  deps: Deps,
  begin: () => Promise<void>,
): Promise<void> {
  const { loadDemo } = await import("../demo/load-demo.js");
  if (seed === "empty") {
    const { databaseTools } = await import("../demo/database-tools.js");
    return databaseTools(deps, "", { begin, load: () => loadDemo(deps) }).reset("empty");
  }
  await loadDemo(deps);
  if (seed === "demo") return;
  const { loadLarge } = await import("../demo/load-large.js");
  await loadLarge(deps, showProgress, size);
}

const barWidth = 30;

/** One line that grows, on a terminal. */
function showProgress(share: number, what: string): void {
  if (!process.stderr.isTTY) return;
  const filled = Math.round(share * barWidth);
  const bar = "█".repeat(filled).padEnd(barWidth, "░");
  process.stderr.write(
    `\r${bar} ${String(Math.round(share * 100)).padStart(3)} % ${what.padEnd(14)}${share === 1 ? "\n" : ""}`,
  );
}

run(main);
