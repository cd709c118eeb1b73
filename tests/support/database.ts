import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    databaseUri: string;
    /** Folder of this run; removed at its end. */
    runFolder: string;
  }
}

/** One database server for the whole run: the one that MONGODB_URI names, else the embedded one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-tests-"));
  project.provide("runFolder", folder);
  const given = process.env.MONGODB_URI;
  if (!given) throw new Error("MONGODB_URI must name a database server");
  project.provide("databaseUri", given);
  return async () => {
    await rm(folder, { recursive: true, force: true });
  };
}
