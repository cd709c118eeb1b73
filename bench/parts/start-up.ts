import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startEmulators } from "@lyceum/provider-emulators";
import { freePort } from "../../src/cli/free-port.js";
import { inTurns, median, spread } from "../measure/figures.js";
import type { Part } from "../part.js";
import { cpuOf, memoryOf } from "../processes/proc.js";
import { answering } from "../processes/production.js";
import { startSubject } from "../processes/subject.js";

const bare = 'require("node:http").createServer((_q, s) => s.end("ok")).listen(process.env.PORT)';

interface Started {
  readonly ms: number;
  readonly cpu: number;
  readonly mebibytes: number;
}

/** From the start of a process to its first answer. */
export const startUp: Part = {
  about: "start of a process to its first answer, its CPU and memory then",
  async run({ quick, rounds, beside }) {
    const dataDir = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
    const emulators = await startEmulators({ MONGODB_URI: "mongodb://unused", DATA_DIR: dataDir }, { dataDir });
    const database = process.env.MONGODB_URI ? undefined : await startSubject("bench/subjects/database.ts");
    const inProduction = (root: string, name: string): (() => Promise<Started>) => {
      const uri = new URL(process.env.MONGODB_URI ?? database?.url ?? "");
      uri.pathname = `/bench_${process.pid}_${name}`;
      const addresses = { FRONTEND_URL: "http://localhost:5173", BACKEND_URL: "http://localhost:3000" };
      const env = { ...emulators.variables, ...addresses, MONGODB_URI: uri.href, NODE_ENV: "production" };
      return () => untilAnswered([join(resolve(root), "dist/main.js")], { ...env, DATA_DIR: dataDir });
    };
    const develop = ["--import", "tsx", "src/dev.ts"];
    const silent = { DEMO_DATA: "off", LOG_LEVEL: "silent" };
    let folder = "";
    const measures: Record<string, () => Promise<Started>> = {
      "bare node:http": () => untilAnswered(["-e", bare], {}),
      "in production, this": inProduction(".", "this"),
      ...(beside ? { "in production, beside": inProduction(beside, "beside") } : {}),
      async "in development, empty folder"() {
        folder = await mkdtemp(join(tmpdir(), "lyceum-bench-"));
        return untilAnswered(develop, { ...silent, DATA_DIR: folder });
      },
      async "in development, again"() {
        const started = await untilAnswered(develop, { ...silent, DATA_DIR: folder });
        await rm(folder, { recursive: true, force: true });
        return started;
      },
    };
    try {
      // The first start in production creates collections and indexes.
      const first = await inTurns(1, measures);
      const figures = await inTurns(quick ? 1 : rounds, measures);
      const [least = 1] = Object.values(figures).map((all) => median(all.map(({ ms }) => ms)));
      const rows = Object.entries(figures).map(([start, all]) => {
        const times = all.map(({ ms }) => ms);
        return {
          ...{ start, "first time ms": first[start]?.[0]?.ms ?? 0, ms: median(times), spread: spread(times) },
          ...{ "times a bare one": median(times) / least, "CPU ms": median(all.map(({ cpu }) => cpu)) },
          "MiB resident": median(all.map(({ mebibytes }) => mebibytes)),
        };
      });
      return [
        {
          title: "Start to first answer",
          note: "In production the database and the providers are there already. In development the embedded database and the emulators start within the process, and sources are compiled by tsx.",
          rows,
        },
      ];
    } finally {
      await emulators.close();
      await database?.end();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function untilAnswered(args: readonly string[], given: Record<string, string>): Promise<Started> {
  const port = String(await freePort(0));
  const began = performance.now();
  const child: ChildProcess = spawn(process.execPath, args, {
    ...{ env: { ...process.env, ...given, PORT: port }, stdio: "ignore" },
  });
  await answering(`http://127.0.0.1:${port}/`, child, 5);
  const ms = performance.now() - began;
  const pid = child.pid ?? 0;
  const [cpu, { now }] = [(await cpuOf(pid)) / 1_000, await memoryOf(pid)];
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
  return { ms, cpu, mebibytes: now };
}
