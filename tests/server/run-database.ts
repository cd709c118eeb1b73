import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { startEmbeddedDatabase } from "@lyceum/embedded-mongo";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    databaseUri: string;
    /** Folder of this run, which is removed at its end. */
    runFolder: string;
  }
}

/** Prefers memory, because only the database's own tests need a disk. */
async function scratchFolder(): Promise<string> {
  const memory = await statfs("/dev/shm").catch(() => undefined);
  return memory !== undefined && memory.bavail * memory.bsize > 4 * 1024 ** 3 ? "/dev/shm" : tmpdir();
}

/** Drops the databases of the servers that workers share, which no test closes. */
async function dropDatabases(uri: string, prefix: string): Promise<void> {
  const { mongo } = await import("mongoose");
  const client = await new mongo.MongoClient(uri).connect();
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  const left = databases.filter(({ name }) => name.startsWith(prefix));
  for (const { name } of left) await client.db(name).dropDatabase();
  await client.close();
}

/** Starts one database server for the run, unless MONGODB_URI names one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await scratchFolder(), "lyceum-tests-"));
  project.provide("runFolder", folder);
  const given = process.env.MONGODB_URI;
  const embedded = given ? undefined : await startEmbeddedDatabase({ dataDir: join(folder, "database") });
  project.provide("databaseUri", given ?? embedded?.uri ?? "");
  return async () => {
    if (given) await dropDatabases(given, basename(folder));
    await embedded?.close();
    await rm(folder, { recursive: true, force: true });
  };
}
