import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Id and, where the system reports it, start time of a live process: a later process may have the same id. */
function identity(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return undefined;
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : undefined;
  return stat === undefined ? `${pid}` : `${pid} ${stat.slice(stat.lastIndexOf(")")).split(" ")[20]}`;
}

/** Returns the result of `act`, or undefined when a file is missing or exists already. */
function unlessRaced<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(EEXIST|ENOENT)$/.test(String(error.code))) return undefined;
    throw error;
  }
}

/** An older reclaim was abandoned, because a reclaim takes a moment. */
const MAX_RECLAIM_MS = 2000;

/**
 * Locks the folder for this process, and reclaims the lock of a process that has ended.
 * 1. The lock is a hard link to a file with the process's identity, so it appears with its content.
 * 2. A process first links an expired lock under a second name, so that only one process can reclaim it.
 * @returns a function that unlocks the folder.
 * @throws Error with the id of the live process that holds the lock.
 */
export function lockFolder(folder: string): () => void {
  const [path, own] = [join(folder, "lyceum.lock"), join(folder, `lyceum.lock-${process.pid}`)];
  const reclaim = `${path}-reclaim`;
  const linked = (file: string, name: string) => unlessRaced(() => linkSync(file, name) ?? true) === true;
  const content = (file: string) => unlessRaced(() => readFileSync(file, "utf8"));
  try {
    writeFileSync(own, `${identity(process.pid)}`);
    while (!linked(own, path)) {
      const holder = content(path);
      const pid = Number.parseInt(holder ?? "", 10);
      if (holder !== undefined && identity(pid) === holder) {
        throw new Error(`The database folder ${folder} is in use by process ${pid}; stop it or choose another folder.`);
      }
      const mine = linked(path, reclaim);
      if (mine && content(reclaim) === holder) rmSync(path, { force: true });
      const since = unlessRaced(() => statSync(reclaim).ctimeMs) ?? Date.now();
      if (mine || Date.now() - since > MAX_RECLAIM_MS) rmSync(reclaim, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(path, { force: true });
}
