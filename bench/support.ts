import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import autocannon from "autocannon";

/** A server in a process of its own, whose CPU time can be asked for. */
export interface Subject {
  readonly url: string;
  /** Microseconds of CPU (user and system) since its start. */
  cpu(): Promise<number>;
  /** Calls `handlers[name]` of the process. */
  ask<T>(name: string, argument?: unknown): Promise<T>;
  end(): Promise<void>;
}

/** Starts `file`, which calls `serveSubject`. */
export async function startSubject(file: string, argument: unknown = null): Promise<Subject> {
  const child = fork(file, [JSON.stringify(argument)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  let last = 0;
  const ask = <T>(name: string, value?: unknown): Promise<T> => {
    const id = ++last;
    return new Promise((resolve) => {
      const listen = (message: { id: number; answer: T }): void => {
        if (message.id !== id) return;
        child.off("message", listen);
        resolve(message.answer);
      };
      child.on("message", listen);
      child.send({ id, name, value: value ?? null });
    });
  };
  return { url, cpu: () => ask<number>("cpu"), ask, end: () => endChild(child) };
}

async function endChild(child: ChildProcess): Promise<void> {
  child.send({ id: 0, name: "end", value: null });
  await once(child, "exit");
}

/** The other side of `startSubject`, in the child: announces the URL and answers questions. */
export function serveSubject(
  url: string,
  handlers: Record<string, (value: never) => unknown>,
  close: () => Promise<void>,
): void {
  process.on("message", async ({ id, name, value }: { id: number; name: string; value: never }) => {
    if (name === "end") {
      await close();
      process.exit(0);
    }
    const { user, system } = process.cpuUsage();
    const answer = name === "cpu" ? user + system : await handlers[name]?.(value);
    process.send?.({ id, answer: answer ?? null });
  });
  process.send?.({ url });
}

export interface Load {
  path: string;
  amount: number;
  connections?: number;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  /** Sent in turn, by each connection. */
  bodies?: string[];
}

/**
 * CPU microseconds of the subject per request, after a warm-up of a tenth of the load.
 * @throws when an answer is not 2xx.
 */
export async function cpuPerRequest(subject: Subject, load: Load): Promise<number> {
  const { path, amount, connections = 20, bodies, ...rest } = load;
  const inTurn = bodies ? { requests: bodies.map((body) => ({ body })) } : {};
  const run = (count: number) =>
    autocannon({ url: subject.url + path, amount: count, connections, ...rest, ...inTurn });
  await run(Math.max(connections, Math.round(amount / 10)));
  const before = await subject.cpu();
  const result = await run(amount);
  const used = (await subject.cpu()) - before;
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} errors`);
  return used / amount;
}

/** The middle of several measurements: machines are shared and noisy. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The value below which so many percent of the values are. */
export function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

/** Prints rows of a table; numbers with two significant decimals. */
export function printTable(title: string, rows: Record<string, string | number>[]): void {
  process.stdout.write(`\n${title}\n`);
  console.table(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([k, v]) => [k, typeof v === "number" ? Number(v.toFixed(2)) : v])),
    ),
  );
}
