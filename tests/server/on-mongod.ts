import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DevelopmentDatabase, startDevelopmentDatabase } from "@lyceum/embedded-mongo/development";

const REACH_MILLISECONDS = 10_000;
const START_MILLISECONDS = 300_000;

/**
 * Starts a replica set of one member: the mongod of `MONGOMS_SYSTEM_BINARY`, or that of mongodb-memory-server, which is
 * downloaded when missing.
 */
async function startMongod(dataDir: string): Promise<DevelopmentDatabase> {
  const kind = process.env.MONGOMS_SYSTEM_BINARY ? "mongod" : "memory-server";
  process.env.MONGOMS_VERSION ??= "7.0.14";
  const env = { ...process.env, LYCEUM_DATABASE: kind };
  try {
    return await startDevelopmentDatabase({ ...env, MONGOMS_RUNTIME_DOWNLOAD: "0" }, { dataDir });
  } catch (error) {
    if (kind === "mongod") throw error;
  }
  const mirror = process.env.MONGOMS_DOWNLOAD_MIRROR ?? "https://fastdl.mongodb.org";
  await fetch(mirror, { method: "HEAD", signal: AbortSignal.timeout(REACH_MILLISECONDS) }).catch(() => {
    throw new Error(
      `There is no mongod here, and ${mirror} cannot be reached to download one: set MONGOMS_SYSTEM_BINARY`,
    );
  });
  return await startDevelopmentDatabase({ ...env, MONGOMS_RUNTIME_DOWNLOAD: "1" }, { dataDir });
}

/** Runs the suite, or some test files, on a mongod that it starts and stops. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "lyceum-mongod-"));
  const late = setTimeout(() => fail(new Error("No mongod was ready within five minutes")), START_MILLISECONDS);
  try {
    const database = await startMongod(folder);
    clearTimeout(late);
    process.stdout.write(`The suite runs on ${database.kind}\n`);
    const vitest = join("node_modules", "vitest", "vitest.mjs");
    const env = { ...process.env, MONGODB_URI: database.uri };
    const suite = spawn(process.execPath, [vitest, "run", ...process.argv.slice(2)], { stdio: "inherit", env });
    const [code] = await once(suite, "exit");
    process.exitCode = code ?? 1;
    await database.close();
  } finally {
    clearTimeout(late);
    await rm(folder, { recursive: true, force: true });
  }
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
