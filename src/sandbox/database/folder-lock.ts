import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Number and, where the system tells it, start of a live process: a later one may have the same number. */
function identity(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return undefined;
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : undefined;
  return stat === undefined ? `${pid}` : `${pid} ${stat.slice(stat.lastIndexOf(")")).split(" ")[20]}`;
}

/**
 * Takes the folder for this process; a lock left by a killed process is taken over.
 * @returns the function that gives it back.
 * @throws Error that names the holder when it is alive.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "lyceum.lock");
  const holder = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const pid = Number.parseInt(holder ?? "", 10);
  if (holder !== undefined && identity(pid) === holder) {
    throw new Error(`The database folder ${folder} is in use by process ${pid}; stop it or choose another folder.`);
  }
  rmSync(path, { force: true });
  writeFileSync(path, `${identity(process.pid)}`, { flag: "wx" });
  return () => rmSync(path, { force: true });
}
