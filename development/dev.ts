import { rm } from "node:fs/promises";
import { join } from "node:path";
import { developmentPorts } from "@lyceum/provider-emulators";
import type { Logger } from "pino";
import pretty from "pino-pretty";
import { readArguments } from "../src/cli/arguments.js";
import { findDevelopmentServer } from "../src/cli/development-server.js";
import { checkGivenValues, dataFolder, parseConfig, secretsOf } from "../src/config.js";
import type { Deps } from "../src/deps.js";
import { CommandError, closeOnSignals, createLog, environment, run } from "../src/process.js";
import { applicationPanels } from "./application-panels.js";
import { findFreePort } from "./cli/free-port.js";
import { describeStart } from "./cli/start-report.js";
import { type DevelopmentProviders, startProviders } from "./providers.js";
import { announceServer } from "./running-server.js";

const usage = `npm run dev [-- --reset]
  --reset  starts with an empty database and empty emulators, without demo data`;

/**
 * `npm run dev` starts an emulator for every provider without variables, and then the ordinary server.
 * `--reset` removes the data of the embedded database and of the emulators first, and loads no demo data.
 */
async function main(): Promise<void> {
  const { values: flags } = readArguments(usage, { reset: { type: "boolean" } });
  const env = environment();
  checkGivenValues(env);
  const dataDir = dataFolder(env);
  if (flags.reset) await removeData(env, dataDir);
  const emulators = await startProviders(env, dataDir);
  const wantedPort = Number(env.PORT ?? 3000);
  const port = await findFreePort(wantedPort);
  // Set the variables before the server is imported, because the media SDK reads its variable on import.
  Object.assign(env, { BACKEND_URL: env.BACKEND_URL ?? `http://localhost:${port}` }, emulators.env, { PORT: port });
  const { startServer } = await import("../src/server.js");

  const config = parseConfig(env);
  const terminal = pretty({ ignore: "requestId,req,res,responseTime", singleLine: true });
  const log = createLog(config.logLevel, secretsOf(config), {
    write(line) {
      terminal.write(line);
      emulators.console?.record(line);
    },
  });
  await updateMediaAddresses(emulators, dataDir, log);
  const demo = { isLoading: !flags.reset && config.demoData && isAllEmulated(emulators) };
  const server = await startServer(config, log, {
    prepareResponse: (res) => {
      if (demo.isLoading) res.setHeader("X-Demo-Data", "loading");
    },
  });
  emulators.pointAt(server.url);
  const { makeUnrenderedDue } = await import("../src/models/courses/course-queries.js");
  await makeUnrenderedDue(server.deps.db);
  const { giveSlugs } = await import("../src/services/migrations/migrations.js");
  await giveSlugs(server.deps.db);
  const { table, env: variables } = emulators;
  const { frontendOrigin, relaxedRateLimits } = config;
  const withdraw = await announceServer(dataDir, {
    url: server.url,
    frontendOrigin,
    console: emulators.console?.url,
    emulators: [...table],
    variables,
  });
  const ending = new AbortController();
  let loading = Promise.resolve();
  closeOnSignals(log, async () => {
    ending.abort();
    await withdraw();
    await loading;
    await server.close();
    await emulators.close();
  });
  const wantedPorts = { ...developmentPorts, ...(wantedPort === 0 ? {} : { server: wantedPort }) };
  const seconds = performance.now() / 1000;
  const addresses = { url: server.url, console: emulators.console?.url, rows: table, wantedPorts };
  process.stdout.write(describeStart({ ...addresses, seconds, frontendOrigin, relaxedRateLimits }));
  await showInConsole(emulators, server.deps, { url: server.url, dataDir });
  if (!config.demoData || flags.reset) return;
  if (!demo.isLoading) {
    log.info(
      { eventId: "demo_data_skipped" },
      "no demo data is loaded: database, identity, payments and media are not all emulated",
    );
    return;
  }
  loading = loadFirstDemo(server.deps, ending.signal)
    .catch((error: unknown) => {
      const cause = ending.signal.aborted ? "the server was stopped" : String(error);
      log.warn(
        { eventId: "demo_data_incomplete", cause },
        "the demo data is not complete: npm run seed loads the rest",
      );
    })
    .finally(() => {
      demo.isLoading = false;
    });
  await loading;
}

/** Makes the embedded database name the media emulator by its present port. */
async function updateMediaAddresses(
  { database, cloudinary, env }: DevelopmentProviders,
  dataDir: string,
  log: Logger,
): Promise<void> {
  if (database.kind === "real" || !cloudinary || !env.MONGODB_URI) return;
  const { moveMediaAddresses } = await import("./demo/media-address.js");
  const documents = await moveMediaAddresses(env.MONGODB_URI, cloudinary.url, dataDir);
  if (documents === 0) return;
  log.info(
    { eventId: "media_addresses_moved", documents },
    `${documents} documents now name the media emulator at ${cloudinary.url}, because its port changed`,
  );
}

/**
 * Removes the database, and the accounts, payments and files of the emulators, which belong to it.
 * @throws CommandError when the database is not the embedded one or is in use.
 */
async function removeData(env: NodeJS.ProcessEnv, dataDir: string): Promise<void> {
  if (env.MONGODB_URI?.trim()) throw new CommandError("--reset empties the embedded database only: unset MONGODB_URI");
  const running = await findDevelopmentServer(env);
  if (running) throw new CommandError(`A server runs on ${dataDir}: stop it first, or reset it in its console`);
  for (const folder of ["database", "emulators", "media"])
    await rm(join(dataDir, folder), { recursive: true, force: true });
}

/** Demo data is loaded only when the database, identity, payments and media are all emulated. */
const isAllEmulated = ({ database, clerk, razorpay, cloudinary }: DevelopmentProviders): boolean =>
  database.kind === "emulator" && Boolean(clerk && razorpay && cloudinary);

/** Loads the demo data into an empty embedded database. */
async function loadFirstDemo(deps: Deps, signal: AbortSignal): Promise<void> {
  const { loadDemo } = await import("./demo/load-demo.js");
  if ((await deps.db.Course.estimatedDocumentCount()) > 0) return;
  const started = performance.now();
  deps.log.info(
    { eventId: "demo_data_loading" },
    "demo data is loading: until it is complete, replies carry the header X-Demo-Data: loading",
  );
  await loadDemo(deps, signal);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  deps.log.info(
    { eventId: "demo_data_loaded" },
    `demo data is loaded after ${seconds} s (DEMO_DATA=off starts empty; npm run seed loads it again)`,
  );
}

/** Shows the personas in the console, and the database when it is embedded. */
async function showInConsole(
  emulators: DevelopmentProviders,
  deps: Deps,
  { url, dataDir }: { url: string; dataDir: string },
): Promise<void> {
  const { personas } = await import("./demo/users.js");
  const { clerk, database: service } = emulators;
  const panels = clerk ? applicationPanels(clerk, url) : {};
  const shown = { url, reference: `${url}/api/docs`, personas, services: [service], ...panels };
  if (service.kind === "real") return emulators.console?.show(shown);
  const { createDatabaseTools } = await import("./demo/database-tools.js");
  const { prepareDatabase } = await import("../src/server.js");
  const database = createDatabaseTools(deps, join(dataDir, "snapshots"), {
    prepare: () => prepareDatabase(deps.config.mongodbUri),
    load: async () => (await import("./demo/load-demo.js")).loadDemo(deps),
  });
  emulators.console?.show({ ...shown, database });
}

run(main);
