import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface DevelopmentDatabase {
  uri: string;
  /** Describes the choice in the start-up table. */
  kind: string;
  close(): Promise<void>;
}

/** Environment variables, such as `process.env`. */
type Environment = Readonly<Record<string, string | undefined>>;

interface Options {
  /** Parent folder of the folders of each kind. */
  dataDir: string;
  port?: number;
}

const PROBE_MS = 400;
const PRIMARY_MS = 30_000;
const SET = "rs0";

/**
 * Chooses the development database in this order: `MONGODB_URI`, a mongod (`MONGOMS_SYSTEM_BINARY` or on the `PATH`), a
 * mongod in the cache of mongodb-memory-server, the embedded server. `LYCEUM_DATABASE` (`embedded`, `mongod`,
 * `memory-server`) forces one kind. A download needs both `memory-server` and `MONGOMS_RUNTIME_DOWNLOAD` set to `true`
 * or `1`.
 * @throws Error when the forced kind is unavailable.
 */
export async function startDevelopmentDatabase(env: Environment, options: Options): Promise<DevelopmentDatabase> {
  const forced = env.LYCEUM_DATABASE || undefined;
  if (forced === undefined && env.MONGODB_URI) {
    return { uri: env.MONGODB_URI, kind: "MONGODB_URI", close: async () => {} };
  }
  const system = forced === undefined || forced === "mongod" ? systemBinary(env) : undefined;
  const cached = forced === undefined || forced === "memory-server" ? cachedBinary(env) : undefined;
  const binary = system ?? cached;
  const mayDownload = /^(1|true)$/.test(env.MONGOMS_RUNTIME_DOWNLOAD ?? "");
  if (binary !== undefined || (forced === "memory-server" && mayDownload)) return await mongod(binary, options);
  switch (forced) {
    case undefined:
    case "embedded":
      return await embedded(options);
    case "mongod":
      throw new Error("LYCEUM_DATABASE=mongod, but no working mongod was found: set MONGOMS_SYSTEM_BINARY");
    case "memory-server":
      throw new Error(
        "LYCEUM_DATABASE=memory-server, but its cache is empty: set MONGOMS_RUNTIME_DOWNLOAD=1 to download",
      );
    default:
      throw new Error(`LYCEUM_DATABASE must be embedded, mongod or memory-server, not ${forced}`);
  }
}

async function embedded({ dataDir, port = 0 }: Options): Promise<DevelopmentDatabase> {
  // Import the server on use, because its storage is a native module.
  const { startEmbeddedDatabase } = await import("./index.js");
  const { uri, close } = await startEmbeddedDatabase({ dataDir: join(dataDir, "embedded"), port });
  return { uri, kind: "embedded", close };
}

/**
 * Starts a mongod as a replica set of one member. It downloads a binary when none is given. Closing keeps the files.
 */
async function mongod(systemBinary: string | undefined, { dataDir, port = 0 }: Options): Promise<DevelopmentDatabase> {
  const { MongoMemoryServer } = await import("mongodb-memory-server");
  const dbPath = resolve(dataDir, "mongod");
  mkdirSync(dbPath, { recursive: true });
  const ip = "127.0.0.1";
  // MongoMemoryReplSet cannot be used, because on another port it cannot open the files of its earlier set.
  const server = await MongoMemoryServer.create({
    instance: { dbPath, storageEngine: "wiredTiger", ip, replSet: SET, ...(port > 0 && { port }) },
    binary: systemBinary === undefined ? {} : { systemBinary, checkMD5: false },
  });
  const close = async () => void (await server.stop({ doCleanup: false }));
  const uri = new URL(server.getUri("lyceum"));
  uri.searchParams.set("directConnection", "true");
  uri.searchParams.set("retryWrites", "false");
  try {
    await becomePrimary(uri.href, uri.host);
  } catch (error) {
    await close();
    throw error;
  }
  return { uri: uri.href, kind: `mongod (${systemBinary ?? "downloaded"})`, close };
}

/** Makes a mongod the only member of its set, whatever host it had before, and waits until it accepts writes. */
async function becomePrimary(uri: string, host: string): Promise<void> {
  const { MongoClient } = await import("mongodb");
  const client = await new MongoClient(uri).connect();
  const admin = client.db("admin");
  const members = [{ _id: 0, host }];
  const configure = async () => {
    await admin.command({ replSetInitiate: { _id: SET, members } }).catch(async () => {
      const { config } = await admin.command({ replSetGetConfig: 1 });
      await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
    });
  };
  try {
    for (const end = Date.now() + PRIMARY_MS; ; await delay(50)) {
      const { isWritablePrimary, setName } = await admin.command({ hello: 1 });
      if (isWritablePrimary) return;
      // A configured member becomes primary by itself. Right after its start it may refuse a reconfiguration.
      const problem = setName ? undefined : await configure().catch((error: unknown) => error);
      if (Date.now() > end) throw new Error(`The mongod on ${host} did not become primary`, { cause: problem });
    }
  } finally {
    await client.close();
  }
}

/** Finds a working mongod in `MONGOMS_SYSTEM_BINARY`, or else on the `PATH`. */
function systemBinary(env: Environment): string | undefined {
  const name = process.platform === "win32" ? "mongod.exe" : "mongod";
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  const named = env.MONGOMS_SYSTEM_BINARY;
  return (named ? [named] : folders.map((folder) => join(folder, name))).find(runs);
}

/** Finds the newest working mongod among the downloads of mongodb-memory-server. */
function cachedBinary(env: Environment): string | undefined {
  const home = env.HOME ? join(env.HOME, ".cache", "mongodb-binaries") : "";
  const own = join("node_modules", ".cache", "mongodb-memory-server");
  return [env.MONGOMS_DOWNLOAD_DIR ?? "", home, own]
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
    .filter((path) => /[/\\]mongod[^./\\]*(-[\d.]+)?(\.exe)?$/.test(path))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    .find(runs);
}

function runs(path: string): boolean {
  if (!existsSync(path)) return false;
  const { status, stdout } = spawnSync(path, ["--version"], { timeout: PROBE_MS, encoding: "utf8" });
  return status === 0 && stdout.includes("db version");
}
