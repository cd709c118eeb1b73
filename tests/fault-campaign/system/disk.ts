import { execFile } from "node:child_process";
import { mkdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A small file system of its own, which can be filled. */
export interface Disk {
  readonly folder: string;
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
}

const megabytes = 256;

/** @returns undefined where this process may not mount a file system, as only an administrator of Linux may. */
export async function mountDisk(folder: string): Promise<Disk | undefined> {
  await mkdir(folder, { recursive: true });
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  } catch {
    return undefined;
  }
  const filling = join(folder, "filling");
  return {
    folder,
    async fill() {
      const { bavail, bsize } = await statfs(folder);
      if (bavail > 0) await run("fallocate", ["-l", String(bavail * bsize), filling]);
    },
    free: () => rm(filling, { force: true }),
    async remove() {
      await run("umount", [folder]);
    },
  };
}
