import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { metricsToken, type Server } from "../fault-campaign/system/system.js";

export interface Sample {
  readonly pid: number;
  /** Time since the start of the soak. */
  readonly atMs: number;
  readonly rssMegabytes: number;
  readonly descriptors: number;
}

/** Reads memory and open descriptors of a server. It returns undefined while the server is down. */
export async function sample({ process }: Server, atMs: number): Promise<Sample | undefined> {
  const { pid } = process;
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
    const { length } = await readdir(`/proc/${pid}/fd`);
    return { pid: pid ?? 0, atMs, rssMegabytes: kilobytes / 1024, descriptors: length };
  } catch {
    return undefined;
  }
}

/** Writes a server's `/metrics` to a file named after the time and the server. */
export async function keepMetrics({ url }: Server, name: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const headers = { authorization: `Bearer ${metricsToken}` };
  const answer = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  if (answer?.ok) await writeFile(join(folder, `${Date.now()}-${name}.prom`), await answer.text());
}

/** Computes the growth per minute by least squares. */
export function slopePerMinute(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minutes = samples.map(({ atMs }) => atMs / 60_000);
  const values = samples.map(of);
  const [x, y] = [mean(minutes), mean(values)];
  const spread = minutes.reduce((sum, minute) => sum + (minute - x) ** 2, 0);
  return minutes.reduce((sum, minute, n) => sum + (minute - x) * ((values[n] ?? 0) - y), 0) / spread;
}
