import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import pretty from "pino-pretty";
import { closeOnSignals, createLog, loadDotEnv } from "./process.js";
import { developmentPorts, startSandbox } from "./sandbox/index.js";

/** Development entry: a local stand-in for every collaborator whose variables are unset, then the same server as always. */
async function main(): Promise<void> {
  loadDotEnv();
  const dataDir = resolve(process.env.DATA_DIR || "./.data");
  const sandbox = await startSandbox(process.env, { dataDir, ports: developmentPorts });
  // Before the server is loaded: one of the SDKs reads its variable at that moment.
  Object.assign(process.env, sandbox.variables);
  const { parseConfig } = await import("./config.js");
  const { startServer } = await import("./server.js");

  const config = parseConfig(process.env);
  const log = createLog(config.logLevel, pretty({ ignore: "requestId,req,res,responseTime", singleLine: true }));
  const server = await startServer(config, log);
  sandbox.pointAt(server.url);
  closeOnSignals(log, async () => {
    await server.close();
    await sandbox.close();
  });
  await writeFile(
    join(dataDir, "running.json"),
    JSON.stringify({ url: server.url, mongodbUri: config.mongodbUri, sandbox: sandbox.table }, null, 2),
  );
  process.stdout.write(
    `${startupTable(sandbox.table)}\n\n  Lyceum listens on ${server.url}   (API reference: ${server.url}/api/docs)\n\n`,
  );
}

function startupTable(rows: { collaborator: string; kind: string; address: string }[]): string {
  const width = Math.max(...rows.map(({ collaborator }) => collaborator.length));
  const lines = rows.map(
    ({ collaborator, kind, address }) => `  ${collaborator.padEnd(width)}  ${kind.padEnd(8)}  ${address}`,
  );
  return `\n${lines.join("\n")}`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error && error.name !== "ConfigError" ? error.stack : String(error)}\n`);
  process.exit(1);
});
