import { type DestinationStream, type Logger, pino } from "pino";
import { ConfigError } from "./config.js";

/**
 * The process's logger. Request headers and bodies are not logged at all; what a collaborator says is, and may repeat a
 * secret that it was sent.
 * @param secrets are struck out of every line.
 */
export function createLog(level: string, secrets: readonly string[] = [], destination?: DestinationStream): Logger {
  const hide = hiding(secrets);
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(hide ? { hooks: { streamWrite: hide } } : {}),
  };
  return destination ? pino(options, destination) : pino(options);
}

/** A shorter one is a word like any other: a log without it would tell nothing. */
const shortestSecret = 6;

/** Works on lines of JSON, in which a secret stands as JSON writes it. */
function hiding(secrets: readonly string[]): ((line: string) => string) | undefined {
  const written = secrets
    .filter(({ length }) => length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
    .map((secret) =>
      JSON.stringify(secret)
        .slice(1, -1)
        .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
    );
  if (written.length === 0) return undefined;
  const any = new RegExp(written.join("|"), "g");
  return (line) => line.replace(any, "[secret]");
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
 * The environment of an entry: `.env` beside the process is read when there is one; variables that are set already win.
 */
export function environment(): NodeJS.ProcessEnv {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return process.env;
}

/** A failure that whoever gave the command can mend: the message says it all. */
export class CommandError extends Error {}

/**
 * Runs an entry. When it fails, tells why, with the stack unless the message says it all, and ends the process with 1.
 */
export function run(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const explained = error instanceof CommandError || error instanceof ConfigError;
    process.stderr.write(`${explained ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
}
