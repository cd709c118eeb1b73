import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { compiled } from "./compiled.js";
import type { TestServer } from "./test-server.js";

export interface ServerProcess {
  readonly url: string;
  /** The lines of its log so far. */
  readonly lines: readonly string[];
  /** Kills the process and waits for its end. */
  kill(): Promise<void>;
  /** Stops the process as an orchestrator does. @returns its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts another instance of a test server in its own process, on the same providers and, by default, the same
 * database. Inside a test it ends with the test; in `beforeAll`, kill it in `afterAll`.
 */
export async function startServerProcess(
  { emulators, databaseUri }: Pick<TestServer, "emulators" | "databaseUri">,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const own = { MONGODB_URI: databaseUri, PORT: "0", LOG_LEVEL: "info", ...env };
  const child = spawn(process.execPath, [await compiled("src/main.ts")], {
    env: { ...process.env, ...emulators.env, ...own },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  const stop = async (): Promise<number | null> => {
    child.kill("SIGTERM");
    await exited;
    return child.exitCode;
  };
  try {
    onTestFinished(kill);
  } catch {
    // Outside a test the caller kills it.
  }
  const lines: string[] = [];
  return { url: await addressOf(child.stdout, lines), lines, kill, stop };
}

/**
 * Waits for the address in the server's log. It reads the whole log, so that the server never blocks on a full pipe.
 */
function addressOf(log: NodeJS.ReadableStream, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface(log).on("line", (line) => {
      lines.push(line);
      const port = /listening on http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    log.once("end", () => reject(new Error("the server ended before it listened")));
  });
}
