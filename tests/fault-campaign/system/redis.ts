import { spawn } from "node:child_process";
import { once } from "node:events";

/** @returns undefined where there is no Redis on the machine. */
export async function startRedis(port: number, folder: string): Promise<{ close(): void } | undefined> {
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const child = spawn("redis-server", words, { stdio: "ignore" });
  const started = await Promise.race([
    once(child, "spawn").then(() => true),
    once(child, "error").then(() => false),
  ]).catch(() => false);
  return started ? { close: () => void child.kill("SIGKILL") } : undefined;
}
