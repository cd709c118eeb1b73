import { parseConfig, secretsOf } from "./config.js";
import { closeOnSignals, createLog, environment, run } from "./process.js";
import { startServer } from "./server.js";

/** Production entry: real collaborators only. Exit code 1 when the configuration or the database is not there. */
run(async () => {
  const config = parseConfig(environment());
  const log = createLog(config.logLevel, secretsOf(config));
  const server = await startServer(config, log);
  closeOnSignals(log, () => server.close());
  log.info(`listening on ${server.url}`);
});
