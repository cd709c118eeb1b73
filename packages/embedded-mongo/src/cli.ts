import { startEmbeddedDatabase } from "./index.js";

/** Runs the embedded database alone: `PORT` (0: a free one) and `DATA_DIR`; only its URI goes to standard output. */
async function main(): Promise<void> {
  const port = Number(process.env.PORT ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`PORT must be a port number, not ${process.env.PORT}`);
  }
  const database = await startEmbeddedDatabase({ dataDir: process.env.DATA_DIR ?? ".data/database", port });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => database.close().then(() => process.exit(0), fail));
  }
  process.stdout.write(`${database.uri}\n`);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

main().catch(fail);
