import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Holder {
  pid: number;
  /** Tells this process from an earlier one with the same pid. */
  started: string;
}

/** When a process started, in the kernel's words; empty where that cannot be told. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return pid === process.pid ? String(Math.round(performance.timeOrigin)) : "";
  }
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const now = startOf(pid);
  return now === "" || started === "" || now === started;
}

function readHolder(path: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof holder === "object" && holder !== null && "pid" in holder && "started" in holder) {
      return { pid: Number(holder.pid), started: String(holder.started) };
    }
  } catch {
    // An unreadable lock was being written when its process died: nobody holds it.
  }
  return undefined;
}

/**
 * Takes the folder for this process; a lock left by a killed process is taken over.
 * @returns the function that gives it back.
 * @throws Error that names the holder when it is alive.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "lyceum.lock");
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Holder);
  for (;;) {
    try {
      writeFileSync(path, mine, { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
        throw error;
      }
    }
    const holder = readHolder(path);
    if (holder !== undefined && isAlive(holder)) {
      throw new Error(
        `The database folder ${folder} is in use by process ${holder.pid}; close it there or choose another folder.`,
      );
    }
    const stale = `${path}.${process.pid}.stale`;
    try {
      renameSync(path, stale);
      rmSync(stale, { force: true });
    } catch {
      // Another process was quicker; look again.
    }
  }
}
