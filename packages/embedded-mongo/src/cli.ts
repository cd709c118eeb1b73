import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { startEmbeddedDatabase } from "./index.js";

const USAGE = `Usage: embedded-mongo [--port <port>] [--data <folder>]

Starts a database that speaks MongoDB's wire protocol on 127.0.0.1 and runs until it is stopped.

  --port  the port (environment: PORT; default: a free one)
  --data  the folder with the data (environment: DATA_DIR; default: .data/database)
`;

/** Prints the address once for people and once as `MONGODB_URI=…` for an environment file. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: "string" }, data: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const given = values.port ?? process.env.PORT ?? "0";
  const port = Number(given);
  if (given.trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`The port must be a number from 0 to 65535, not ${given}`);
  }
  const dataDir = resolve(values.data ?? process.env.DATA_DIR ?? ".data/database");
  const database = await startEmbeddedDatabase({ dataDir, port });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => database.close().then(() => process.exit(0), fail));
  }
  process.stdout.write(
    `# The embedded database listens on 127.0.0.1:${database.port}; its data is in ${dataDir}\nMONGODB_URI=${database.uri}\n`,
  );
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

main().catch(fail);
