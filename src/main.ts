import { parseConfig, secretsOf } from "./config.js";
import { closeOnSignals, createLog, environment, run } from "./process.js";
import { type RunningServer, startServer } from "./server.js";

/** Production entry: real collaborators only. Exit code 1 when the configuration or the database is not there. */
run(async () => {
  const config = parseConfig(environment());
  const log = createLog(config.logLevel, secretsOf(config));
  // Before the start: indexes may take minutes, and as the first process of a container nothing else would end it.
  let server: RunningServer | undefined;
  closeOnSignals(log, async () => server?.close());
  server = await startServer(config, log);
  log.info(`listening on ${server.url}`);
});
