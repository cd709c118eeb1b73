import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DestinationStream, type Logger, pino } from "pino";

/** The process's logger. Secrets never reach it: request headers and bodies are not logged at all. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination ? pino(options, destination) : pino(options);
}

/** Time for a graceful end before the process is ended anyway. */
const deadlineMs = 15_000;

/** Ends the process gracefully on SIGTERM and SIGINT; a second signal or the deadline ends it at once. */
export function closeOnSignals(log: Logger, close: () => Promise<void>): void {
  let closing = false;
  const end = (signal: NodeJS.Signals): void => {
    if (closing) process.exit(1);
    closing = true;
    log.info(`${signal}: finishing requests in flight`);
    setTimeout(() => process.exit(1), deadlineMs).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "could not close cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
}

/**
 * Lets a command work on the development server that runs in this folder, by the variables that point to its stand-ins. All
 * of them or none: where one is set, the command is meant for other collaborators and must not reach a stand-in by accident.
 * Does nothing in production.
 */
export function joinDevelopmentServer(env: NodeJS.ProcessEnv): void {
  const file = join(env.DATA_DIR || "./.data", "running.json");
  if (env.NODE_ENV === "production" || !existsSync(file)) return;
  const { variables } = JSON.parse(readFileSync(file, "utf8")) as { variables: Record<string, string> };
  if (Object.keys(variables).some((name) => env[name])) return;
  Object.assign(env, variables);
}

/** Reads `.env` beside the process when there is one; variables that are set already win. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
