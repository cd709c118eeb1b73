import { createHash } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { median, percentile, slopeOf } from "../../bench/measure/figures.js";
import { memoryOf } from "../../bench/processes/proc.js";
import { type Settled, settle } from "../fault-campaign/settle.js";
import type { Exchange } from "../fault-campaign/system/balancer.js";
import { metricsToken, type Server, type System, startSystem } from "../fault-campaign/system/system.js";
import type { Tally } from "../fault-campaign/workload/client.js";
import { Journal } from "../fault-campaign/workload/journal.js";
import { livesOf } from "../fault-campaign/workload/life.js";
import { prepareScene } from "../fault-campaign/workload/scene.js";
import { liveLives } from "../fault-campaign/workload/workload.js";

export interface SoakOptions {
  readonly minutes: number;
  readonly learners: number;
  readonly folder: string;
  readonly compile: (program: string) => Promise<string>;
  /** URI with a database name. */
  readonly databaseUri?: string | undefined;
  /** Folder for the output of `/metrics`. */
  readonly metrics?: string | undefined;
  readonly progress: (line: string) => void;
}

export interface Soaked extends Settled {
  readonly parts: readonly Part[];
  readonly growth: readonly ReturnType<typeof growthOf>[];
  readonly learners: number;
  readonly defects: readonly string[];
}

/** Duration of an outage of the database or Redis. */
const outageMs = 30_000;
const sampleMs = 5_000;
/** Excluded from the measurement, because connection pools refill after a restart or an outage. */
const settlingMs = 40_000;
/** Concurrent readers of the catalog beside the learners. */
const readers = 2;

/**
 * Runs mixed traffic on two servers through one address: steady, a rolling restart, steady, a database outage, steady,
 * a Redis outage, steady, and a second rolling restart. It measures growth in the steady parts between the restarts.
 */
export async function runSoak(options: SoakOptions): Promise<Soaked> {
  const { minutes, progress } = options;
  const journal = new Journal();
  const tally: Tally = { answered: 0, refused: 0, failed: 0, unanswered: 0 };
  const { folder, compile, databaseUri } = options;
  let exchanges: Exchange[] = [];
  const system = await startSystem({
    ...{ folder, compile, databaseUri },
    seen(exchange) {
      exchanges.push({ ...exchange, body: Buffer.alloc(0) });
      const { path, body, status } = exchange;
      if (path === "/razorpay" && status === 200) journal.webhooks.add(createHash("sha256").update(body).digest("hex"));
    },
  });
  const stop = new AbortController();
  try {
    const scene = await prepareScene(system, journal, tally, [system.balancer.url]);
    const startedAt = performance.now();
    const now = (): number => performance.now() - startedAt;
    const samples: Sample[][] = system.servers.map(() => []);
    const lives = liveLives(scene, livesOf(options.minutes, 500), { atOnce: options.learners, stop: stop.signal });
    const reading = Array.from({ length: readers }, () => readCatalog(system.balancer.url, stop.signal));
    const sampling = setInterval(async () => {
      for (const [n, server] of system.servers.entries()) {
        const one = await sample(server, now());
        if (one) samples[n]?.push(one);
        if (options.metrics) await keepMetrics(server, `server-${n}`, options.metrics);
      }
    }, sampleMs);

    const parts: Part[] = [];
    const during = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      exchanges = [];
      const from = now();
      await work();
      const part = partOf(name, (now() - from) / 1_000, exchanges);
      parts.push(part);
      progress(JSON.stringify(part));
    };
    const steadyMs = Math.max(5_000, (minutes * 60_000 - 2 * outageMs) / 5);
    const windows: { readonly from: number; readonly to: number }[] = [];
    const steady = async (after: string): Promise<void> => {
      const from = now() + Math.min(settlingMs, steadyMs / 2);
      await during(`steady, ${after}`, () => pause(steadyMs));
      windows.push({ from, to: now() });
    };
    await steady("from the start");
    await during("rolling restart", () => restartInTurn(system));
    const before = windows.length;
    await steady("after the rolling restart");
    await during("database away", () => away(system, "database"));
    await steady("after the database came back");
    await during("Redis away", () => away(system, "redis"));
    await steady("after Redis came back");
    const measuredIn = windows.slice(before);
    await during("second rolling restart", () => restartInTurn(system));
    await steady("to the end");
    clearInterval(sampling);
    stop.abort();
    await Promise.all(reading);
    const learners = await lives;
    progress("settling");
    const settled = await settle(system, journal, 90_000);
    const measured = samples.map((own) =>
      own.filter(({ minute }) => measuredIn.some(({ from, to }) => 60_000 * minute > from && 60_000 * minute < to)),
    );
    const growth = measured.map((own, n) => growthOf(`server ${n}`, own));
    return { ...settled, parts, growth, learners, defects: scene.defects };
  } finally {
    stop.abort();
    await system.close({ drop: true });
  }
}

async function readCatalog(url: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await fetch(`${url}/api/course/all`)
      .then((answer) => answer.text())
      .catch(() => undefined);
    await pause(50);
  }
}

/** Stops each server gracefully and starts it again, one after the other. */
async function restartInTurn({ servers }: System): Promise<void> {
  for (const { process } of servers) {
    await process.down("SIGTERM");
    process.start();
    await process.up(60_000);
  }
}

async function away({ servers }: System, place: keyof Server["proxies"]): Promise<void> {
  const endings = servers.map(({ proxies }) => {
    const end = proxies[place].disturb({ refuse: true });
    proxies[place].cut();
    return end;
  });
  await pause(outageMs);
  for (const end of endings) end();
  // Wait until both servers have reconnected.
  await Promise.all(servers.map(({ process }) => process.up(30_000)));
}

type Part = ReturnType<typeof partOf>;

/** Requests during one part of the soak, their latencies in milliseconds, and how often each failed with a 5xx. */
function partOf(name: string, seconds: number, exchanges: readonly Exchange[]) {
  const failures: Record<string, number> = {};
  for (const { status, method, path } of exchanges.filter((one) => one.status >= 500)) {
    const failure = `${status} ${method} ${path.replace(/[0-9a-f]{24}/g, ":id")}`;
    failures[failure] = (failures[failure] ?? 0) + 1;
  }
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const times = exchanges.map(({ ms }) => ms);
  return {
    name,
    seconds,
    requests: exchanges.length,
    failed,
    failures,
    p50: median(times),
    p99: percentile(times, 99),
  };
}

/** Growth of a server's memory in megabytes, and of its open descriptors. */
function growthOf(server: string, samples: readonly Sample[]) {
  const perMinute = (kind: "rssMegabytes" | "descriptors") =>
    slopeOf(samples.map((one) => [one.minute, one[kind]] as const)).slope;
  return {
    server,
    fromMegabytes: samples.at(0)?.rssMegabytes ?? 0,
    toMegabytes: samples.at(-1)?.rssMegabytes ?? 0,
    megabytesPerMinute: perMinute("rssMegabytes"),
    descriptorsPerMinute: perMinute("descriptors"),
  };
}

interface Sample {
  /** Time since the start of the soak. */
  readonly minute: number;
  readonly rssMegabytes: number;
  readonly descriptors: number;
}

/** Reads memory and open descriptors of a server. It returns undefined while the server is down. */
async function sample({ process }: Server, atMs: number): Promise<Sample | undefined> {
  const { pid = 0 } = process;
  try {
    const { now } = await memoryOf(pid);
    const { length } = await readdir(`/proc/${pid}/fd`);
    return { minute: atMs / 60_000, rssMegabytes: now, descriptors: length };
  } catch {
    return undefined;
  }
}

/** Writes a server's `/metrics` to a file named after the time and the server. */
async function keepMetrics({ url }: Server, name: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const headers = { authorization: `Bearer ${metricsToken}` };
  const answer = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  if (answer?.ok) await writeFile(join(folder, `${Date.now()}-${name}.prom`), await answer.text());
}
