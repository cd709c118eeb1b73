import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "../../development/cli/free-port.js";
import { cpuOf } from "./proc.js";
import type { Subject } from "./subject.js";

export type Production = Omit<Subject, "ask">;

/** A built checkout (`npm run build`) as it runs in production, its log written and thrown away. */
export async function startProduction(root: string, env: Record<string, string>): Promise<Production> {
  const port = String(await findFreePort(0));
  const given = { ...process.env, ...env, PORT: port, NODE_ENV: "production" };
  const args = ["--enable-source-maps=false", ...flagsOf(root), join(root, "dist/main.js")];
  const child = spawn(process.execPath, args, { env: given, stdio: ["ignore", "ignore", "inherit"] });
  // It does not outlive the bench, however that ended.
  const kill = (): unknown => child.kill("SIGKILL");
  process.once("exit", kill);
  const url = `http://127.0.0.1:${port}`;
  await answering(url, child);
  const pid = child.pid ?? 0;
  return {
    url,
    pid,
    cpu: () => cpuOf(pid),
    async end() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      process.off("exit", kill);
    },
  };
}

/** The flags of node in the checkout's own `npm start`. */
export function flagsOf(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
}

/** Waits until a process answers. @throws when it ends instead, or takes half a minute. */
export async function answering(url: string, child: ChildProcess, everyMs = 50): Promise<void> {
  const until = performance.now() + 30_000;
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (performance.now() > until || child.exitCode !== null) throw new Error(`nothing answers at ${url}`);
    await pause(everyMs);
  }
}
