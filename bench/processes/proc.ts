import { readFile } from "node:fs/promises";

/** `/proc/<pid>/stat` counts in hundredths of a second. */
const microsecondsPerTick = 10_000;

/** CPU of a process, user and system, in microseconds since its start. */
export async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name, in parentheses, may hold spaces; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
}

/** Memory of a process in MiB: resident now, and the most it has been. */
export async function memoryOf(pid: number): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
  return { now: mebibytes("VmRSS"), most: mebibytes("VmHWM") };
}
