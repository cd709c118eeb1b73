import { execFile, spawnSync } from "node:child_process";
import { appendFile, mkdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A small file system of its own, which can be filled. */
export interface Disk {
  readonly folder: string;
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
  /** The same, also while a file is open, and before this returns. */
  removeAtExit(): void;
}

const megabytes = 256;
/** Blocks that are filled one by one: others write at the same time. */
const reserve = 64;

/** Appends a piece to a file again and again, until no byte is left. */
async function fillUp(file: string, piece: Buffer): Promise<void> {
  for (;;) {
    try {
      await appendFile(file, piece);
    } catch {
      return;
    }
  }
}

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
      const most = Math.max(0, bavail - reserve) * bsize;
      // Others write meanwhile: what does not fit any more is filled block by block.
      if (most > 0) await run("fallocate", ["-l", String(most), filling]).catch(() => undefined);
      await fillUp(filling, Buffer.alloc(bsize));
    },
    free: () => rm(filling, { force: true }),
    async remove() {
      await run("umount", [folder]);
    },
    removeAtExit: () => void spawnSync("umount", ["--lazy", folder]),
  };
}
