import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./inspect-file.mjs", import.meta.url));

/** Moves a damaged database file aside and tells `warn` of it. */
export async function setAsideIfDamaged(path: string, warn: (message: string) => void): Promise<void> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) {
    rmSync(path, { force: true }); // made by a process that was killed before its first write
    return;
  }
  const damage = await damageOf(path);
  if (damage === undefined) return;
  const aside = `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  renameSync(path, aside);
  truncateSync(aside, size); // the inspection may have filled up its end
  warn(`The database file ${path} is damaged (${damage}). It is kept as ${aside}; starting with an empty database.`);
}

/** Has the file read from end to end by a process of its own: a damaged LMDB file can end the process that maps it. */
async function damageOf(path: string): Promise<string | undefined> {
  const child = spawn(process.execPath, [SCRIPT, path], { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (bytes: Buffer) => {
    complaint = `${complaint}${bytes}`.slice(0, 500);
  });
  const [code, signal] = await once(child, "close");
  return code === 0 ? undefined : code === 3 ? complaint : `reading it ended with ${signal ?? `code ${code}`}`;
}
