import { readdir, readFile } from "node:fs/promises";

/** CPU of a process, user and system, in microseconds since its start: that of the threads that it has. */
export async function cpuOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const nanoseconds = await Promise.all(
    threads.map(async (thread) => {
      // A thread that has ended meanwhile counts no more.
      const stat = await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "0");
      return Number(stat.split(" ", 1)[0]);
    }),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000;
}

/** Memory of a process in MiB: resident now, and the most it has been. */
export async function memoryOf(pid: number): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
  return { now: mebibytes("VmRSS"), most: mebibytes("VmHWM") };
}
