import { readArguments } from "../../src/cli/arguments.js";
import { findDevelopmentServer } from "../../src/cli/development-server.js";
import { dataFolder, isProduction, parseConfig, secretsOf } from "../../src/config.js";
import type { Deps } from "../../src/deps.js";
import { CommandError, createLog, environment, run } from "../../src/process.js";
import type { LargeSize } from "../demo/load-large.js";
import { startProviders } from "../providers.js";

const usage = `npm run seed [-- empty|demo|large] [options]
  --courses <count>         courses of the seed large (default: 1000)
  --learners <count>        learners of the seed large (default: 20000)
  --into-real-providers     allows demo data at providers that are not emulated`;

const seeds = ["empty", "demo", "large"] as const;
type Seed = (typeof seeds)[number];

/** The providers that demo data is written to. An emulator sets the variable of its provider. */
const providerVariables = {
  identity: "CLERK_API_URL",
  payments: "RAZORPAY_API_URL",
  "media storage": "CLOUDINARY_URL",
} as const;

/**
 * `npm run seed [-- empty|demo|large]` fills the running development server, or the data folder when none runs.
 * `demo`, the default, loads the demo data. `large` adds 1,000 courses and 20,000 learners, or as many as `--courses`
 * and `--learners` say. `empty` removes everything. The command can be repeated. It refuses production, and it refuses
 * real providers without `--into-real-providers`.
 */
async function main(): Promise<void> {
  const options = {
    courses: { type: "string" },
    learners: { type: "string" },
    "into-real-providers": { type: "boolean" },
  } as const;
  const { values: flags, positionals } = readArguments(usage, options, 1);
  const seed = parseSeed(positionals[0] ?? "demo");
  const size = { courses: readCount(flags, "courses", 1_000), learners: readCount(flags, "learners", 20_000) };
  const env = environment();
  if (isProduction(env)) throw new CommandError("The demo data is not for production");
  const running = await findDevelopmentServer(env);
  const emulators = running ? undefined : await startProviders(env, dataFolder(env));
  try {
    const variables = running?.variables ?? emulators?.env ?? {};
    if (seed === "empty") requireEmbeddedDatabase(variables);
    else if (!flags["into-real-providers"]) requireEmulators(variables);
    if (emulators?.cloudinary && variables.MONGODB_URI) {
      const { moveMediaAddresses } = await import("../demo/media-address.js");
      await moveMediaAddresses(variables.MONGODB_URI, emulators.cloudinary.url, dataFolder(env));
    }
    // Set the variables before the server is imported, because the media SDK reads its variable on import.
    Object.assign(env, variables);
    await fill({ seed, size }, env);
  } finally {
    await emulators?.close();
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws CommandError when the database is not the embedded database. */
function requireEmbeddedDatabase({ MONGODB_URI }: Variables): void {
  if (MONGODB_URI === undefined) throw new CommandError("Only the embedded database is emptied: unset MONGODB_URI");
}

/** @throws CommandError when the demo data would reach a real provider. */
function requireEmulators(variables: Variables): void {
  const real = Object.entries(providerVariables).filter(([, name]) => variables[name] === undefined);
  if (real.length === 0) return;
  const names = real.map(([provider]) => provider).join(", ");
  throw new CommandError(
    `Demo data is for emulators, and these are real: ${names}. To load it there: npm run seed -- --into-real-providers`,
  );
}

async function fill({ seed, size }: { seed: Seed; size: LargeSize }, env: NodeJS.ProcessEnv): Promise<void> {
  const { compose } = await import("../../src/compose.js");
  const { prepareDatabase } = await import("../../src/server.js");

  const config = parseConfig(env);
  const prepare = () => prepareDatabase(config.mongodbUri);
  await prepare();
  const { deps, close } = await compose(config, createLog("warn", secretsOf(config)));
  const started = performance.now();
  await loadSeed({ seed, size }, deps, prepare);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const [courses, users] = await Promise.all([deps.db.Course.countDocuments(), deps.db.User.countDocuments()]);
  await close();
  process.stdout.write(`Seed ${seed}: ${courses} courses and ${users} users in the database, after ${seconds} s.\n`);
}

/** @throws CommandError unless the flag is a whole number of at least 1. */
function readCount(flags: Partial<Record<string, string | boolean>>, name: string, defaultCount: number): number {
  const value = flags[name];
  if (value === undefined) return defaultCount;
  if (!/^[1-9]\d{0,6}$/.test(String(value))) throw new CommandError(`--${name} must be a number from 1 to 9999999`);
  return Number(value);
}

function parseSeed(name: string): Seed {
  const seed = seeds.find((known) => known === name);
  if (seed) return seed;
  throw new CommandError(`There is no seed ${name}: choose one of ${seeds.join(", ")}`);
}

async function loadSeed(
  { seed, size }: { seed: Seed; size: LargeSize },
  deps: Deps,
  prepare: () => Promise<void>,
): Promise<void> {
  const { loadDemo } = await import("../demo/load-demo.js");
  if (seed === "empty") {
    const { createDatabaseTools } = await import("../demo/database-tools.js");
    return createDatabaseTools(deps, "", { prepare, load: () => loadDemo(deps) }).reset("empty");
  }
  await loadDemo(deps);
  if (seed === "demo") return;
  const { loadLarge } = await import("../demo/load-large.js");
  await loadLarge(deps, showProgress, size);
}

const barCharacters = 30;

/** Draws a progress bar when the output is a terminal. */
function showProgress(share: number, what: string): void {
  if (!process.stderr.isTTY) return;
  const filled = Math.round(share * barCharacters);
  const bar = "█".repeat(filled).padEnd(barCharacters, "░");
  process.stderr.write(
    `\r${bar} ${String(Math.round(share * 100)).padStart(3)} % ${what.padEnd(14)}${share === 1 ? "\n" : ""}`,
  );
}

run(main);
