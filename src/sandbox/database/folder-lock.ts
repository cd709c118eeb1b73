import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Number and start of a process, where the system tells it: a later process may have the same number. */
function identity(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return `${pid} ${stat.slice(stat.lastIndexOf(")")).split(" ")[20]}`;
  } catch {
    return `${pid}`;
  }
}

/** The number of the process that a lock names, if it is still alive. */
function liveHolder(path: string): number | undefined {
  const holder = existsSync(path) ? readFileSync(path, "utf8") : "";
  const pid = Number.parseInt(holder, 10);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return undefined;
  }
  return identity(pid) === holder ? pid : undefined;
}

/**
 * Takes the folder for this process; a lock left by a killed process is taken over.
 * @returns the function that gives it back.
 * @throws Error that names the holder when it is alive.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "lyceum.lock");
  const holder = liveHolder(path);
  if (holder === undefined) {
    rmSync(path, { force: true });
    writeFileSync(path, identity(process.pid), { flag: "wx" });
    return () => rmSync(path, { force: true });
  }
  throw new Error(`The database folder ${folder} is in use by process ${holder}; stop it or choose another folder.`);
}
