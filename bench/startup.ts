/**
 * From an empty folder to the first answered request: the whole development platform, emulators and embedded database
 * included, beside a bare node:http server started the same way.
 *
 *     npx tsx bench/startup.ts
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { median, printTable } from "./support.js";

const bare = 'require("node:http").createServer((_q, s) => s.end("ok")).listen(process.env.PORT)';
const rows: Record<string, string | number>[] = [];
const measured = { bare: [] as number[], first: [] as number[], again: [] as number[] };
for (let round = 0; round < 3; round++) {
  const dataDir = await mkdtemp(join(tmpdir(), "lyceum-startup-"));
  const platform = ["--import", "tsx", "src/dev.ts"];
  measured.bare.push(await untilAnswered(["--import", "tsx", "-e", bare], dataDir));
  measured.first.push(await untilAnswered(platform, dataDir));
  measured.again.push(await untilAnswered(platform, dataDir));
  await rm(dataDir, { recursive: true, force: true });
}
const least = median(measured.bare);
for (const [what, times] of Object.entries(measured)) {
  rows.push({ start: what, ms: median(times), "times the bare one": median(times) / least });
}
printTable("Start to first answered request (wall clock, median of 3)", rows);

async function untilAnswered(args: string[], dataDir: string): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, DEMO_DATA: "off", LOG_LEVEL: "silent" };
  const started = performance.now();
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: "ignore" });
  for (let tries = 0; tries < 3_000; tries++) {
    if (await answers(port)) break;
    await pause(10);
  }
  const taken = performance.now() - started;
  child.kill("SIGTERM");
  await once(child, "exit");
  return taken;
}

async function answers(port: number): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
  return reply?.ok ?? false;
}
