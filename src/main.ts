import { parseConfig, secretsOf } from "./config.js";
import { version } from "./lib/version.js";
import { closeOnSignals, createLog, environment, run } from "./process.js";
import { type RunningServer, startServer } from "./server.js";

/** Production entry: real providers only. Exits with 1 when the configuration is wrong or the database is away. */
run(async () => {
  const config = parseConfig(environment());
  const log = createLog(config.logLevel, secretsOf(config));
  // Before the start: creating indexes may take minutes, and the first process of a container gets no default handler.
  let server: RunningServer | undefined;
  closeOnSignals(log, async () => server?.close());
  server = await startServer(config, log);
  const { url } = server;
  const { frontendOrigin, revision } = config;
  log.info(
    { eventId: "server_listening", url, frontendOrigin, version, revision, node: process.versions.node },
    `version ${version} is listening on ${url}, for browser pages of ${frontendOrigin}`,
  );
});
