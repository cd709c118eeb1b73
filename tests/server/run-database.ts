import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "@lyceum/embedded-mongo";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    databaseUri: string;
    /** Folder of this run; removed at its end. */
    runFolder: string;
  }
}

/** In memory where there is room: a commit that waits for a disk is what the database's own tests are about. */
async function scratchFolder(): Promise<string> {
  const memory = await statfs("/dev/shm").catch(() => undefined);
  return memory !== undefined && memory.bavail * memory.bsize > 4 * 1024 ** 3 ? "/dev/shm" : tmpdir();
}

/** One database server for the whole run: the one that MONGODB_URI names, else the embedded one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await scratchFolder(), "lyceum-tests-"));
  project.provide("runFolder", folder);
  const given = process.env.MONGODB_URI;
  const embedded = given ? undefined : await startEmbeddedDatabase({ dataDir: join(folder, "database") });
  project.provide("databaseUri", given ?? embedded?.uri ?? "");
  return async () => {
    await embedded?.close();
    await rm(folder, { recursive: true, force: true });
  };
}
