import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, readdirSync, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { startEmbeddedDatabase } from "./index.js";

export interface DevelopmentDatabase {
  uri: string;
  /** How it was chosen, in words for the boot table. */
  kind: string;
  close(): Promise<void>;
}

interface Options {
  /** Each kind keeps its files in a folder of its own below. */
  dataDir: string;
  port?: number;
}

const PROBE_MILLISECONDS = 400;

/**
 * Chooses the development database: `MONGODB_URI`, a mongod (`MONGOMS_SYSTEM_BINARY` or on the `PATH`), one in the cache of
 * mongodb-memory-server, else the embedded server. `LYCEUM_DATABASE` (`embedded`, `mongod`, `memory-server`) forces one.
 * Nothing is downloaded unless `MONGOMS_RUNTIME_DOWNLOAD` is `true` or `1` and memory-server is forced.
 * @throws Error when the forced kind cannot be had.
 */
export async function startDevelopmentDatabase(env: NodeJS.ProcessEnv, options: Options): Promise<DevelopmentDatabase> {
  switch (env.LYCEUM_DATABASE) {
    case undefined:
    case "":
      return await chooseFrom(env, options);
    case "embedded":
      return await embedded(options);
    case "mongod":
      return await mongod(
        required(
          systemBinary(env),
          "LYCEUM_DATABASE=mongod, but there is no mongod that runs: set MONGOMS_SYSTEM_BINARY",
        ),
        options,
      );
    case "memory-server":
      return await memoryServer(env, options);
    default:
      throw new Error(`LYCEUM_DATABASE must be embedded, mongod or memory-server, not ${env.LYCEUM_DATABASE}`);
  }
}

async function chooseFrom(env: NodeJS.ProcessEnv, options: Options): Promise<DevelopmentDatabase> {
  if (env.MONGODB_URI) {
    return { uri: env.MONGODB_URI, kind: "MONGODB_URI", close: async () => {} };
  }
  const binary = systemBinary(env) ?? cachedBinary(env);
  return binary === undefined ? await embedded(options) : await mongod(binary, options);
}

async function embedded({ dataDir, port = 0 }: Options): Promise<DevelopmentDatabase> {
  const database = await startEmbeddedDatabase({ dataDir: join(dataDir, "embedded"), port });
  return { uri: database.uri, kind: "embedded", close: () => database.close() };
}

/** Starts a mongod; its files stay when it is closed. */
async function mongod(binary: string | undefined, { dataDir, port }: Options): Promise<DevelopmentDatabase> {
  const { MongoMemoryServer } = await import("mongodb-memory-server");
  const dbPath = resolve(dataDir, "mongod");
  mkdirSync(dbPath, { recursive: true });
  const server = await MongoMemoryServer.create({
    instance: { dbPath, storageEngine: "wiredTiger", ip: "127.0.0.1", ...(port !== undefined && port > 0 && { port }) },
    binary: binary === undefined ? {} : { systemBinary: binary, checkMD5: false },
  });
  const uri = `${server.getUri("lyceum")}${server.getUri("lyceum").includes("?") ? "&" : "?"}directConnection=true&retryWrites=false`;
  const kind = binary === undefined ? "mongod (downloaded)" : `mongod (${binary})`;
  return {
    uri,
    kind,
    close: async () => {
      await server.stop({ doCleanup: false });
    },
  };
}

async function memoryServer(env: NodeJS.ProcessEnv, options: Options): Promise<DevelopmentDatabase> {
  const cached = cachedBinary(env);
  const mayDownload = env.MONGOMS_RUNTIME_DOWNLOAD === "true" || env.MONGOMS_RUNTIME_DOWNLOAD === "1";
  if (cached === undefined && !mayDownload) {
    throw new Error(
      "LYCEUM_DATABASE=memory-server, but its cache holds no mongod: set MONGOMS_RUNTIME_DOWNLOAD=1 to allow the download",
    );
  }
  return await mongod(cached, options);
}

function required<T>(value: T | undefined, message: string): T {
  if (value === undefined) {
    throw new Error(message);
  }
  return value;
}

/** The mongod named by `MONGOMS_SYSTEM_BINARY`, or the first on the `PATH`, if it runs. */
function systemBinary(env: NodeJS.ProcessEnv): string | undefined {
  const name = process.platform === "win32" ? "mongod.exe" : "mongod";
  const named = env.MONGOMS_SYSTEM_BINARY;
  const places = named
    ? [named]
    : (env.PATH ?? "")
        .split(delimiter)
        .filter(Boolean)
        .map((folder) => join(folder, name));
  return places.find((place) => isExecutable(place) && runs(place));
}

/** The newest mongod that mongodb-memory-server has downloaded before, if it runs. */
function cachedBinary(env: NodeJS.ProcessEnv): string | undefined {
  const folders = [
    env.MONGOMS_DOWNLOAD_DIR,
    env.HOME && join(env.HOME, ".cache", "mongodb-binaries"),
    join("node_modules", ".cache", "mongodb-memory-server"),
  ];
  const found = folders
    .flatMap((folder) => (folder ? namesIn(folder).map((name) => join(folder, name)) : []))
    .filter(isExecutable)
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  return found.find(runs);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^mongod[^.]*(-[\d.]+)?(\.exe)?$/.test(name));
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function runs(path: string): boolean {
  const { status, stdout } = spawnSync(path, ["--version"], { timeout: PROBE_MILLISECONDS, encoding: "utf8" });
  return status === 0 && stdout.includes("db version");
}
