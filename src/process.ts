import { type DestinationStream, type Logger, pino } from "pino";
import { ConfigError } from "./config.js";

/**
 * The process's logger. Request headers and bodies are never logged. Messages of a provider are, and may repeat a secret
 * that the provider was sent.
 * @param secrets are replaced in every line.
 */
export function createLog(level: string, secrets: readonly string[] = [], destination?: DestinationStream): Logger {
  const hide = hiding(secrets);
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(hide ? { hooks: { streamWrite: hide } } : {}),
  };
  return pino(options, destination ?? standardOutput());
}

/** Standard output, to which all lines of one turn of the event loop are written at once, and the last ones at the end. */
function standardOutput(): DestinationStream {
  const output = pino.destination(1);
  const lines = linesOfATurn(output);
  process.once("exit", lines.flush);
  return lines;
}

/** Holds lines until the turn ends, since one write of many costs little more than one of a single line. */
export function linesOfATurn(output: DestinationStream): DestinationStream & { flush(): void } {
  let held = "";
  const flush = (): void => {
    if (held !== "") output.write(held);
    held = "";
  };
  return {
    write(line) {
      if (held === "") setImmediate(flush);
      held += line;
    },
    flush,
  };
}

/** A shorter secret could be a part of many words: replacing it would make the log unreadable. */
const shortestSecret = 6;

/** Works on lines of JSON, in which a secret is escaped as JSON escapes it. */
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
    log.info({ eventId: "server_stopping", signal }, `${signal}: finishing requests in flight`);
    setTimeout(() => process.exit(1), deadlineMs).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ eventId: "server_stop_failed", err: error }, "could not close cleanly");
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

/** A failure that the user of the command can correct: its message is printed without a stack. */
export class CommandError extends Error {}

/**
 * Runs an entry. A failure is printed, with its stack unless it is a CommandError or ConfigError, and the process exits
 * with 1.
 */
export function run(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const explained = error instanceof CommandError || error instanceof ConfigError;
    process.stderr.write(`${explained ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
}
