import { startDevelopmentDatabase } from "@lyceum/embedded-mongo/development";
import { developmentPorts, type Emulators, startEmulators } from "@lyceum/provider-emulators";
import pretty from "pino-pretty";
import { announce } from "./cli/development-server.js";
import { checkGivenValues, dataFolder, parseConfig, secretsOf } from "./config.js";
import type { Deps } from "./deps.js";
import { closeOnSignals, createLog, environment, run } from "./process.js";

/**
 * Development entry: a local emulator for every provider whose variables are unset, then the same server as always.
 */
async function main(): Promise<void> {
  const env = environment();
  checkGivenValues(env);
  const dataDir = dataFolder(env);
  const sandbox = await startEmulators(env, { dataDir, ports: developmentPorts, database: startDevelopmentDatabase });
  // Before the server is loaded: one of the SDKs reads its variable at that moment.
  Object.assign(env, sandbox.variables);
  const { startServer } = await import("./server.js");

  const config = parseConfig(env);
  const log = createLog(
    config.logLevel,
    secretsOf(config),
    pretty({ ignore: "requestId,req,res,responseTime", singleLine: true }),
  );
  const server = await startServer(config, log);
  sandbox.pointAt(server.url);
  const { table, variables } = sandbox;
  const withdraw = await announce(dataDir, { url: server.url, sandbox: table, variables });
  const ending = new AbortController();
  let loading = Promise.resolve();
  closeOnSignals(log, async () => {
    ending.abort();
    await withdraw();
    await loading;
    await server.close();
    await sandbox.close();
  });
  process.stdout.write(`\n${startupTable(table)}\n\n${addresses(server.url, sandbox.console?.url)}\n\n`);
  if (env.DEMO_DATA === "off") return;
  if (!isAllEmulated(sandbox)) {
    log.info(
      { eventId: "demo_data_skipped" },
      "no demo data is loaded: database, identity, payments and media are not all emulated",
    );
    return;
  }
  loading = loadFirstDemo(server.deps, sandbox, ending.signal).catch((error: unknown) => {
    const cause = ending.signal.aborted ? "the server was stopped" : String(error);
    log.warn({ eventId: "demo_data_incomplete", cause }, "the demo data is not complete: npm run seed loads the rest");
  });
  await loading;
}

/** Whether demo data would reach nothing but emulators: it has users, orders and pictures. */
function isAllEmulated({ variables, identity, payments, storage }: Emulators): boolean {
  return variables.MONGODB_URI !== undefined && Boolean(identity && payments && storage);
}

/** The first start on an empty embedded database fills it, so that a new developer has something to look at. */
async function loadFirstDemo(deps: Deps, sandbox: Emulators, signal: AbortSignal): Promise<void> {
  const { loadDemo } = await import("./demo/load-demo.js");
  const { registerDemoUsers } = await import("./demo/users.js");
  if (sandbox.identity) await registerDemoUsers(sandbox.identity);
  if ((await deps.db.Course.estimatedDocumentCount()) > 0) return;
  await loadDemo(deps, signal);
  deps.log.info(
    { eventId: "demo_data_loaded" },
    "demo data is loaded (DEMO_DATA=off starts empty; npm run seed loads it again)",
  );
}

function startupTable(rows: readonly { provider: string; kind: string; address: string }[]): string {
  const width = Math.max(...rows.map(({ provider }) => provider.length));
  return rows
    .map(({ provider, kind, address }) => `  ${provider.padEnd(width)}  ${kind.padEnd(8)}  ${address}`)
    .join("\n");
}

function addresses(url: string, console: string | undefined): string {
  return [
    `  Lyceum listens on  ${url}`,
    `  API reference      ${url}/api/docs`,
    ...(console ? [`  Users and tokens   ${console}`] : []),
  ].join("\n");
}

run(main);
