import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { memoryOf } from "../../bench/processes/proc.js";
import { metricsToken, type Server } from "../fault-campaign/system/system.js";

export interface Sample {
  /** Time since the start of the soak. */
  readonly minute: number;
  readonly rssMegabytes: number;
  readonly descriptors: number;
}

/** Reads memory and open descriptors of a server. It returns undefined while the server is down. */
export async function sample({ process }: Server, atMs: number): Promise<Sample | undefined> {
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
export async function keepMetrics({ url }: Server, name: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const headers = { authorization: `Bearer ${metricsToken}` };
  const answer = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  if (answer?.ok) await writeFile(join(folder, `${Date.now()}-${name}.prom`), await answer.text());
}
