import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { MongoMemoryReplSet } from "mongodb-memory-server";

const reachMs = 10_000;
const systemBinary = process.env.MONGOMS_SYSTEM_BINARY;

/** Starts a replica set of one mongod: the binary of `MONGOMS_SYSTEM_BINARY`, or one that the package downloads. */
async function startReplicaSet(): Promise<MongoMemoryReplSet> {
  const create = () =>
    MongoMemoryReplSet.create({
      replSet: { name: "rs0", count: 1, storageEngine: "wiredTiger" },
      binary: systemBinary ? { checkMD5: false } : { version: process.env.MONGOMS_VERSION ?? "7.0.14" },
    });
  if (systemBinary) return await create();
  process.env.MONGOMS_RUNTIME_DOWNLOAD = "0";
  const cached = await create().catch(() => undefined);
  if (cached) return cached;
  const mirror = process.env.MONGOMS_DOWNLOAD_MIRROR ?? "https://fastdl.mongodb.org";
  await fetch(mirror, { method: "HEAD", signal: AbortSignal.timeout(reachMs) }).catch(() => {
    throw new Error(
      `There is no mongod here, and ${mirror} cannot be reached to download one: set MONGOMS_SYSTEM_BINARY`,
    );
  });
  process.env.MONGOMS_RUNTIME_DOWNLOAD = "1";
  return await create();
}

/** Runs the suite, or some test files, on a mongod that it starts and stops. */
async function main(): Promise<void> {
  const replicaSet = await startReplicaSet();
  try {
    process.stdout.write(`The suite runs on mongod (${systemBinary || "of mongodb-memory-server"})\n`);
    const vitest = join("node_modules", "vitest", "vitest.mjs");
    const uri = new URL(replicaSet.getUri());
    // Tests count commands, so the driver must not repeat a write by itself.
    uri.searchParams.set("retryWrites", "false");
    const env = { ...process.env, MONGODB_URI: uri.href };
    const suite = spawn(process.execPath, [vitest, "run", ...process.argv.slice(2)], { stdio: "inherit", env });
    const [code] = await once(suite, "exit");
    process.exitCode = code ?? 1;
  } finally {
    await replicaSet.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
