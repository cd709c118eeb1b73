import { type DestinationStream, type Logger, pino } from "pino";
import { ConfigError } from "./config.js";
import { variables } from "./env.js";
import { CommandError } from "./lib/errors.js";

export { CommandError };

/**
 * Creates the process's logger.
 * @param secrets are replaced in every line, because messages of a provider may repeat a secret.
 */
export function createLog(level: string, secrets: readonly string[] = [], destination?: DestinationStream): Logger {
  const hide = hiding(secrets);
  const options = {
    level,
    base: null,
    formatters: { level: (name: string) => ({ level: name }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(hide ? { hooks: { streamWrite: hide } } : {}),
  };
  return pino(options, destination ?? standardOutput());
}

/** Writes lines to standard output, and the last lines at exit. */
function standardOutput(): DestinationStream {
  const lines = collectedLines(pino.destination(1));
  process.once("exit", lines.flush);
  return lines;
}

/** How long lines are held, and how many characters of them. A process that is killed loses what it holds. */
const heldMs = 100;
const mostHeld = 64 * 1024;
/** The beginning of a line that is written at once: pino begins each line with its level. */
const urgent = /^\{"level":"(error|fatal)"/;

/** Collects lines for a tenth of a second, because one write of many lines is cheaper than many writes. */
export function collectedLines(output: DestinationStream): DestinationStream & { flush(): void } {
  let held = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held !== "") output.write(held);
    held = "";
  };
  return {
    write(line) {
      held += line;
      if (held.length > mostHeld || urgent.test(line)) flush();
      else timer ??= setTimeout(flush, heldMs).unref();
    },
    flush,
  };
}

/** Minimum length of a secret that is hidden. A shorter one may be part of many words. */
const shortestSecret = 6;

/** Creates a function that replaces secrets, as JSON escapes them, in lines of JSON. */
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

/** Time limit of a graceful end. */
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
 * Returns the environment with the variables of `.env`, if the file exists. Variables that are already set win. Values
 * are trimmed in place and blank ones removed, so that libraries which read the environment see what the server sees.
 */
export function environment(): NodeJS.ProcessEnv {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  for (const name of Object.keys(variables)) {
    const value = process.env[name]?.trim();
    if (value) process.env[name] = name === "NODE_ENV" ? value.toLowerCase() : value;
    else delete process.env[name];
  }
  return process.env;
}

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
