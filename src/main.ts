import { ConfigError, parseConfig } from "./config.js";
import { closeOnSignals, createLog, loadDotEnv } from "./process.js";
import { startServer } from "./server.js";

/** Production entry: real collaborators only. Exit code 1 when the configuration or the database is not there. */
async function main(): Promise<void> {
  loadDotEnv();
  const config = parseConfig(process.env);
  const log = createLog(config.logLevel);
  const server = await startServer(config, log);
  closeOnSignals(log, () => server.close());
  log.info(`listening on ${server.url}`);
}

main().catch((error: unknown) => {
  const text = error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
