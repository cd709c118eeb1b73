import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startDevelopmentDatabase } from "@lyceum/embedded-mongo/development";
import { developmentPorts, type Emulators, startEmulators } from "@lyceum/provider-emulators";
import pretty from "pino-pretty";
import { announce, findDevelopmentServer } from "./cli/development-server.js";
import { freePort } from "./cli/free-port.js";
import { startReport } from "./cli/start-report.js";
import { checkGivenValues, dataFolder, parseConfig, secretsOf } from "./config.js";
import type { Deps } from "./deps.js";
import { CommandError, closeOnSignals, createLog, environment, run } from "./process.js";

/**
 * Development entry: a local emulator for every provider whose variables are unset, then the same server as always.
 * `--reset` starts on an empty database, which gets the demo data again.
 */
async function main(): Promise<void> {
  const { values: flags } = parseArgs({ options: { reset: { type: "boolean" } } });
  const env = environment();
  checkGivenValues(env);
  const dataDir = dataFolder(env);
  if (flags.reset) await removeDatabase(env, dataDir);
  const emulators = await startEmulators(env, { dataDir, ports: developmentPorts, database: startDevelopmentDatabase });
  const wantedPort = Number(env.PORT?.trim() || 3000);
  const port = await freePort(wantedPort);
  // Before the server is loaded: one of the SDKs reads its variable at that moment.
  Object.assign(env, { BACKEND_URL: env.BACKEND_URL ?? `http://localhost:${port}` }, emulators.variables, {
    PORT: port,
  });
  const { startServer } = await import("./server.js");

  const config = parseConfig(env);
  const terminal = pretty({ ignore: "requestId,req,res,responseTime", singleLine: true });
  const log = createLog(config.logLevel, secretsOf(config), {
    write(line) {
      terminal.write(line);
      emulators.console?.record(line);
    },
  });
  const demo = { isLoading: willLoadDemo(env, emulators) };
  const server = await startServer(config, log, {
    prepareResponse: (res) => {
      if (demo.isLoading) res.setHeader("X-Demo-Data", "loading");
    },
  });
  emulators.pointAt(server.url);
  const { table, variables } = emulators;
  const withdraw = await announce(dataDir, { url: server.url, emulators: table, variables });
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
  process.stdout.write(
    startReport({ url: server.url, console: emulators.console?.url, rows: table, wantedPorts, seconds }),
  );
  await showInConsole(emulators, server.deps, { url: server.url, dataDir });
  if (env.DEMO_DATA === "off") return;
  if (!demo.isLoading) {
    log.info(
      { eventId: "demo_data_skipped" },
      "no demo data is loaded: database, identity, payments and media are not all emulated",
    );
    return;
  }
  loading = loadFirstDemo(server.deps, emulators, ending.signal)
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

/** @throws CommandError where it is not the folder's own database, or in use. */
async function removeDatabase(env: NodeJS.ProcessEnv, dataDir: string): Promise<void> {
  if (env.MONGODB_URI?.trim()) throw new CommandError("--reset empties the embedded database only: unset MONGODB_URI");
  const running = await findDevelopmentServer(env);
  if (running) throw new CommandError(`A server runs on ${dataDir}: stop it first, or reset it in its console`);
  await rm(join(dataDir, "database"), { recursive: true, force: true });
}

/** Unless told otherwise, where demo data would reach nothing but emulators: it has users, orders and pictures. */
function willLoadDemo(env: NodeJS.ProcessEnv, { variables, identity, payments, storage }: Emulators): boolean {
  return env.DEMO_DATA !== "off" && variables.MONGODB_URI !== undefined && Boolean(identity && payments && storage);
}

/** The first start on an empty embedded database fills it, so that a new developer has something to look at. */
async function loadFirstDemo(deps: Deps, emulators: Emulators, signal: AbortSignal): Promise<void> {
  const { loadDemo } = await import("./demo/load-demo.js");
  const { registerDemoUsers } = await import("./demo/users.js");
  if (emulators.identity) await registerDemoUsers(emulators.identity);
  if ((await deps.db.Course.estimatedDocumentCount()) > 0) return;
  const started = performance.now();
  deps.log.info(
    { eventId: "demo_data_loading" },
    "demo data is loading: until it is there, answers carry the header X-Demo-Data: loading",
  );
  await loadDemo(deps, signal);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  deps.log.info(
    { eventId: "demo_data_loaded" },
    `demo data is loaded after ${seconds} s (DEMO_DATA=off starts empty; npm run seed loads it again)`,
  );
}

/** Personas and, where it is the embedded one, the database. */
async function showInConsole(
  emulators: Emulators,
  deps: Deps,
  { url, dataDir }: { url: string; dataDir: string },
): Promise<void> {
  const { personas } = await import("./demo/personas.js");
  const shown = { url, reference: `${url}/api/docs`, personas, sales: true };
  if (emulators.variables.MONGODB_URI === undefined) return emulators.console?.show(shown);
  const { databaseTools } = await import("./demo/database-tools.js");
  const { prepareDatabase } = await import("./server.js");
  const database = databaseTools(deps, join(dataDir, "snapshots"), {
    begin: () => prepareDatabase(deps.config.mongodbUri),
    load: async () => (await import("./demo/load-demo.js")).loadDemo(deps),
  });
  emulators.console?.show({ ...shown, database });
}

run(main);
