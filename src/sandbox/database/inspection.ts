import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Reads a database file from end to end in a child process, because a damaged LMDB file can end the process that maps it.
 * @returns what is wrong with it, or undefined when every entry has its checksum.
 */
export function inspectFile(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const script = fileURLToPath(new URL("./inspect-file.mjs", import.meta.url));
    const child = spawn(process.execPath, [script, path], { stdio: ["ignore", "ignore", "pipe"] });
    let complaint = "";
    child.stderr.on("data", (bytes: Buffer) => {
      complaint = `${complaint}${bytes}`.slice(0, 2000);
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) {
        resolve(undefined);
      } else {
        resolve(code === 3 ? complaint.trim() : `reading it ended with ${signal ?? `code ${code}`}`);
      }
    });
  });
}
