import { startDevelopmentDatabase } from "@lyceum/embedded-mongo/development";
import { developmentPorts, startEmulators } from "@lyceum/provider-emulators";
import { dataFolder, parseConfig, secretsOf } from "../config.js";
import { CommandError, createLog, environment, run } from "../process.js";
import { findDevelopmentServer } from "./development-server.js";

/** The variable of each provider that demo data reaches; an emulator fills it in. */
const filledByEmulator = {
  identity: "CLERK_API_URL",
  payments: "RAZORPAY_API_URL",
  "media storage": "CLOUDINARY_URL",
} as const;

const intoRealProviders = "--into-real-providers";

/**
 * `npm run seed`: loads the demo data into the development platform, the running one if there is one. May be repeated.
 * Refuses production, and real providers without `--into-real-providers`.
 */
async function main(): Promise<void> {
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
    if (!process.argv.includes(intoRealProviders)) requireEmulators(variables);
    // Before what follows is loaded: one of the SDKs reads its variable at that moment.
    Object.assign(env, variables);
    await load(env);
  } finally {
    await emulators?.close();
  }
}

/** @throws CommandError where a provider that demo data reaches is a real one. */
function requireEmulators(variables: Readonly<Record<string, string>>): void {
  const real = Object.entries(filledByEmulator).filter(([, name]) => variables[name] === undefined);
  if (real.length === 0) return;
  const names = real.map(([provider]) => provider).join(", ");
  throw new CommandError(
    `Demo data is for emulators, and these are real: ${names}. To load it all the same: npm run seed -- ${intoRealProviders}`,
  );
}

async function load(env: NodeJS.ProcessEnv): Promise<void> {
  const { compose } = await import("../compose.js");
  const { loadDemo } = await import("../demo/load-demo.js");
  const { prepareDatabase } = await import("../server.js");
  const config = parseConfig(env);
  await prepareDatabase(config.mongodbUri);
  const { deps, close } = await compose(config, createLog("warn", secretsOf(config)));
  await loadDemo(deps);
  const [courses, users] = await Promise.all([deps.db.Course.countDocuments(), deps.db.User.countDocuments()]);
  await close();
  process.stdout.write(`The demo data is loaded: ${courses} courses and ${users} users in all.\n`);
}

run(main);
