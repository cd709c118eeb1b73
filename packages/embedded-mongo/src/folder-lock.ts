import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
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

/** What `act` gives, or undefined when a file is missing, or there already. */
function unlessRaced<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(EEXIST|ENOENT)$/.test(String(error.code))) return undefined;
    throw error;
  }
}

/** An unfinished takeover this old was abandoned; it lasts a moment. */
const TAKEOVER_MILLISECONDS = 2000;

/**
 * Takes the folder for this process; a lock left by a killed process is reclaimed. The lock appears with its content,
 * and who takes one over first gives it a second name, so of several processes that come at once one has it.
 * @returns the function that gives it back.
 * @throws Error that names the holder when it is alive.
 */
export function lockFolder(folder: string): () => void {
  const [path, own] = [join(folder, "lyceum.lock"), join(folder, `lyceum.lock-${process.pid}`)];
  const takeover = `${path}-takeover`;
  const linked = (file: string, name: string) => unlessRaced(() => linkSync(file, name) ?? true) === true;
  const content = (file: string) => unlessRaced(() => readFileSync(file, "utf8"));
  writeFileSync(own, `${identity(process.pid)}`);
  try {
    while (!linked(own, path)) {
      const holder = content(path);
      const pid = Number.parseInt(holder ?? "", 10);
      if (holder !== undefined && identity(pid) === holder) {
        throw new Error(`The database folder ${folder} is in use by process ${pid}; stop it or choose another folder.`);
      }
      const mine = linked(path, takeover);
      if (mine && content(takeover) === holder) rmSync(path, { force: true });
      const since = unlessRaced(() => statSync(takeover).ctimeMs) ?? Date.now();
      if (mine || Date.now() - since > TAKEOVER_MILLISECONDS) rmSync(takeover, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(path, { force: true });
}
