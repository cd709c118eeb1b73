import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { compiled } from "./compiled.js";

export const listens = /Lyceum listens on\s+http:\/\/localhost:(\d+)/;

interface DevelopmentOptions {
  /** Program to start instead of the server. */
  readonly entry?: string;
  readonly flags?: readonly string[];
  /** Data folder, by default an empty one. */
  readonly folder?: string;
}

/** Starts the development server on the embedded database in a process that ends with the test. */
export async function startDevelopment(
  env: Record<string, string> = {},
  { entry = "development/dev.ts", flags = [], folder }: DevelopmentOptions = {},
) {
  const DATA_DIR = folder ?? (await mkdtemp(join(tmpdir(), "lyceum-first-start-")));
  const { MONGODB_URI, CLOUDINARY_URL, ...inherited } = process.env;
  const child = spawn(process.execPath, [await compiled(entry), ...flags], {
    env: { ...inherited, DATA_DIR, PORT: "0", NODE_ENV: "development", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => {
      written.text += piece;
    });
  }
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
    await rm(DATA_DIR, { recursive: true, force: true });
  });
  const says = async (pattern: RegExp): Promise<string> => {
    await vi.waitUntil(() => pattern.test(written.text) || child.exitCode !== null, { timeout: 60_000 });
    expect(written.text).toMatch(pattern);
    return pattern.exec(written.text)?.[1] ?? "";
  };
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await exited;
  };
  return { DATA_DIR, says, stop, exitCode: () => child.exitCode };
}
