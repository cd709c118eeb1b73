import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import type { TestServer } from "./server.js";

export interface ServerProcess {
  readonly url: string;
  /** Ends it without notice. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Another instance of a test server in a process of its own, on the same database and collaborators. */
export async function startServerProcess(server: TestServer): Promise<ServerProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
    env: {
      ...process.env,
      ...server.sandbox.variables,
      MONGODB_URI: server.databaseUri,
      PORT: "0",
      LOG_LEVEL: "info",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  onTestFinished(kill);
  return { url: await addressOf(child), kill };
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let text = "";
  for await (const part of stdout ?? []) {
    text += String(part);
    const port = /listening on http:\/\/[^:]+:(\d+)/.exec(text)?.[1];
    if (port) return `http://127.0.0.1:${port}`;
  }
  throw new Error("the server ended before it listened");
}
