import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import pretty from "pino-pretty";
import { checkGivenValues, parseConfig } from "./config.js";
import type { Deps } from "./deps.js";
import { closeOnSignals, createLog, loadDotEnv } from "./process.js";
import { developmentPorts, type Sandbox, startSandbox } from "./sandbox/index.js";

/** Development entry: a local stand-in for every collaborator whose variables are unset, then the same server as always. */
async function main(): Promise<void> {
  loadDotEnv();
  checkGivenValues(process.env);
  const dataDir = resolve(process.env.DATA_DIR || "./.data");
  const sandbox = await startSandbox(process.env, { dataDir, ports: developmentPorts });
  // Before the server is loaded: one of the SDKs reads its variable at that moment.
  Object.assign(process.env, sandbox.variables);
  const { startServer } = await import("./server.js");

  const config = parseConfig(process.env);
  const log = createLog(config.logLevel, pretty({ ignore: "requestId,req,res,responseTime", singleLine: true }));
  const server = await startServer(config, log);
  sandbox.pointAt(server.url);
  closeOnSignals(log, async () => {
    await server.close();
    await sandbox.close();
  });
  const running = { url: server.url, sandbox: sandbox.table, variables: sandbox.variables };
  await writeFile(join(dataDir, "running.json"), JSON.stringify(running, null, 2), { mode: 0o600 });
  process.stdout.write(`\n${startupTable(sandbox.table)}\n\n${addresses(server.url, sandbox.console?.url)}\n\n`);
  if (sandbox.variables.MONGODB_URI && process.env.DEMO_DATA !== "off") await loadFirstDemo(server.deps, sandbox);
}

/** The first start on an empty stand-in database fills it, so that a newcomer has something to look at. */
async function loadFirstDemo(deps: Deps, sandbox: Sandbox): Promise<void> {
  const { loadDemo } = await import("./demo/load-demo.js");
  const { registerPeople } = await import("./demo/people.js");
  if (sandbox.identity) await registerPeople(sandbox.identity);
  if ((await deps.models.Course.estimatedDocumentCount()) > 0) return;
  await loadDemo(deps);
  deps.log.info("demo data is loaded (DEMO_DATA=off starts empty; npm run seed loads it again)");
}

function startupTable(rows: { collaborator: string; kind: string; address: string }[]): string {
  const width = Math.max(...rows.map(({ collaborator }) => collaborator.length));
  return rows
    .map(({ collaborator, kind, address }) => `  ${collaborator.padEnd(width)}  ${kind.padEnd(8)}  ${address}`)
    .join("\n");
}

function addresses(url: string, console: string | undefined): string {
  return [
    `  Lyceum listens on  ${url}`,
    `  API reference      ${url}/api/docs`,
    ...(console ? [`  People and tokens  ${console}`] : []),
  ].join("\n");
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error && error.name !== "ConfigError" ? error.stack : String(error)}\n`);
  process.exit(1);
});
