import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Subject } from "../support.js";

/** `/proc/<pid>/stat` counts in hundredths of a second. */
const microsecondsPerTick = 10_000;

/** CPU of a process, user and system, in microseconds. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name, in parentheses, may hold spaces; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
}

export interface Production extends Pick<Subject, "url" | "cpu" | "end"> {
  readonly pid: number;
}

/** A built checkout (`npm run build`) as it runs in production, its log written and thrown away. */
export async function startProduction(root: string, env: Record<string, string>): Promise<Production> {
  const given = { ...process.env, ...env, NODE_ENV: "production" };
  const args = ["--enable-source-maps=false", join(root, "dist/main.js")];
  return startProcess(spawn(process.execPath, args, { env: given, stdio: ["ignore", "ignore", "inherit"] }), env.PORT);
}

/** Waits until the process answers at its port. */
export async function startProcess(child: ChildProcess, port = "3000"): Promise<Production> {
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    if ((await fetch(url).catch(() => undefined))?.ok) break;
    if (tries > 600 || child.exitCode !== null) throw new Error(`nothing answers at ${url}`);
    await pause(50);
  }
  const pid = child.pid ?? 0;
  return {
    url,
    pid,
    cpu: () => cpuOf(pid),
    async end() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
