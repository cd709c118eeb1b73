import { cp, mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { type Emulators, startEmulators } from "@lyceum/provider-emulators";
import { findFreePort } from "../../../src/cli/free-port.js";
import { openDatabase } from "../../../src/db/connection.js";
import { createDb, type Db } from "../../../src/db/db.js";
import { type Place, places } from "../schedule.js";
import { type Balancer, type Exchange, startBalancer } from "./balancer.js";
import { type Disk, mountDisk } from "./disk.js";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.js";
import { startRedis } from "./redis.js";
import { SupervisedProcess } from "./supervised-process.js";

export interface SystemOptions {
  /** Logs and data; made when missing. */
  readonly folder: string;
  /** Compiles a program. @returns its path. */
  readonly compile: (program: string) => Promise<string>;
  /** URI of a database server with a database name; an embedded one otherwise. */
  readonly databaseUri?: string | undefined;
  /** Told of everything that came through the balancer, webhooks among it. */
  readonly seen: (exchange: Exchange) => void;
  /** The embedded database has a disk of its own, which can be full. */
  readonly ownDisk?: boolean;
}

export interface Server {
  readonly url: string;
  readonly process: SupervisedProcess;
  readonly proxies: Readonly<Record<Place, FaultProxy>>;
  /** What its clock is wrong by is read from here. */
  readonly clockFile: string;
}

/** Two servers in production mode, all that they talk to behind proxies, and everything seen without them. */
export interface System {
  readonly servers: readonly [Server, Server];
  readonly emulators: Required<Pick<Emulators, "identity" | "payments" | "storage" | "ai">>;
  readonly balancer: Balancer;
  /** Past the servers and the proxies. */
  readonly db: Db;
  /** What a command is started with that works on the same database and providers. */
  readonly env: Readonly<Record<string, string>>;
  /** Only of the embedded one. */
  readonly database: SupervisedProcess | undefined;
  readonly disk: Disk | undefined;
  /** Ends everything. `drop` removes the database as well; else the data of the embedded one stays with the logs. */
  close(options: { drop: boolean }): Promise<void>;
}

export const metricsToken = "campaign-metrics-token-012345";

/** A thousandth of the providers' pauses between attempts: webhooks are repeated after 0.9 s, 1.8 s, 3.6 s, 22 s. */
const retryScale = 0.001;

/** A busy machine may need so long to start a process. */
const startMs = 60_000;

export async function startSystem(options: SystemOptions): Promise<System> {
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  await mkdir(options.folder, { recursive: true });
  try {
    const { database, disk, uri } = await databaseOf(options, closing);
    const redisPort = await findFreePort(0);
    const redis = await startRedis(redisPort, options.folder);
    closing.push(() => redis?.close());
    const { emulators, variables, pointAt } = await startProviders(options, closing);
    const addresses: Record<Place, URL> = {
      database: uri,
      redis: new URL(`redis://127.0.0.1:${redisPort}`),
      payments: new URL(emulators.payments.url),
      identity: new URL(emulators.identity.url),
      storage: new URL(emulators.storage.url),
      ai: new URL(emulators.ai.url),
    };
    const start = (name: string) => startServer(name, { ...options, variables, addresses }, closing);
    const servers = [await start("server-0"), await start("server-1")] as const;
    const urls = servers.map(({ url }) => url);
    const balancer = await startBalancer(urls, options.seen);
    closing.push(() => balancer.close());
    // Ended by a signal, this process leaves no other one behind.
    const atExit = (): void => {
      for (const one of [...servers.map((server) => server.process), database]) one?.signal("SIGKILL");
      redis?.close();
      disk?.removeAtExit();
    };
    process.once("exit", atExit);
    closing.push(() => process.off("exit", atExit));
    await Promise.all(servers.map((server) => server.process.up(startMs)));
    pointAt(balancer.url);
    const connection = await openDatabase(uri.href);
    return {
      ...{ servers, emulators, balancer, env: environmentOf(variables, addresses), db: createDb(connection) },
      ...{ database, disk },
      async close({ drop }) {
        for (const server of servers) await server.process.down("SIGKILL");
        await database?.down("SIGKILL");
        if (disk && !drop) await cp(disk.folder, join(options.folder, "data"), { recursive: true });
        if (drop && !database) await connection.dropDatabase().catch(() => undefined);
        await connection.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Closing = (() => unknown)[];

async function databaseOf(options: SystemOptions, closing: Closing) {
  if (options.databaseUri) return { uri: new URL(options.databaseUri), database: undefined, disk: undefined };
  const { uri, process, disk } = await startDatabase(options);
  closing.push(
    () => disk?.remove(),
    () => process.down("SIGKILL"),
  );
  return { uri: new URL(uri), database: process, disk };
}

async function startProviders({ folder }: SystemOptions, closing: Closing) {
  const started = await startEmulators({}, { dataDir: join(folder, "providers"), retryScale });
  closing.push(() => started.close());
  const { identity, payments, storage, ai, variables, pointAt } = started;
  if (!identity || !payments || !storage || !ai) throw new Error("a provider is not emulated");
  return { emulators: { identity, payments, storage, ai }, variables, pointAt };
}

interface ServerOptions extends SystemOptions {
  readonly variables: Record<string, string>;
  readonly addresses: Record<Place, URL>;
}

/** Starts a server that reaches everything through proxies of its own, on a port that it keeps. */
async function startServer(name: string, options: ServerOptions, closing: Closing): Promise<Server> {
  const { folder, compile, variables, addresses } = options;
  const proxies = await proxiesTo(addresses);
  closing.push(() => Object.values(proxies).map((proxy) => proxy.close()));
  const behind = { ...addresses };
  for (const place of places) {
    behind[place] = new URL(addresses[place]);
    behind[place].host = `127.0.0.1:${proxies[place].port}`;
  }
  const port = await findFreePort(0);
  const url = `http://127.0.0.1:${port}`;
  const clockFile = join(folder, `${name}.clock`);
  const isReady = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    return answer?.ok === true;
  };
  const process = new SupervisedProcess({
    file: await compile("src/main.ts"),
    nodeOptions: ["--import", await compile("tests/fault-campaign/system/shifted-clock.ts")],
    env: { ...environmentOf(variables, behind), PORT: String(port), CLOCK_SHIFT: clockFile },
    logFile: join(folder, `${name}.log`),
    isUp: isReady,
  });
  closing.push(() => process.down("SIGKILL"));
  process.start();
  return { url, process, proxies, clockFile };
}

async function startDatabase({ folder, compile, ownDisk }: SystemOptions) {
  const disk = ownDisk ? await mountDisk(join(folder, "disk")) : undefined;
  const port = await findFreePort(0);
  const process = new SupervisedProcess({
    file: await compile("tests/fault-campaign/system/database.ts"),
    words: [join(disk?.folder ?? folder, "database"), String(port)],
    env: {},
    logFile: join(folder, "database.log"),
    isUp: () => accepts(port),
  });
  process.start();
  await process.up(startMs);
  return { uri: `mongodb://127.0.0.1:${port}/campaign?directConnection=true&retryWrites=false`, process, disk };
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", answer(true)).once("error", answer(false));
  });

async function proxiesTo(addresses: Record<Place, URL>): Promise<Record<Place, FaultProxy>> {
  const started = places.map(async (place) => {
    const { hostname, port } = addresses[place];
    return [place, await startFaultProxy({ host: hostname, port: Number(port || 27017) })] as const;
  });
  return Object.fromEntries(await Promise.all(started)) as Record<Place, FaultProxy>;
}

function environmentOf(variables: Record<string, string>, at: Record<Place, URL>): Record<string, string> {
  // Without it tokens are verified with the key set of the provider.
  const { CLERK_JWT_KEY, ...given } = variables;
  const database = new URL(at.database);
  database.search = "directConnection=true&retryWrites=false&appName=campaign";
  const cloudinary = new URL(given.CLOUDINARY_URL ?? "");
  cloudinary.searchParams.set("upload_prefix", at.storage.origin);
  return {
    ...given,
    NODE_ENV: "production",
    LOG_LEVEL: "info",
    MONGODB_URI: database.href,
    REDIS_URL: at.redis.href,
    FRONTEND_URL: "http://localhost:5173",
    BACKEND_URL: "http://localhost:3000",
    CLERK_API_URL: at.identity.origin,
    RAZORPAY_API_URL: at.payments.origin,
    OPENAI_BASE_URL: `${at.ai.origin}/v1`,
    CLOUDINARY_URL: cloudinary.href,
    METRICS_TOKEN: metricsToken,
    OPENAI_TIMEOUT_MS: "4000",
    OPENAI_ADVICE_TIMEOUT_MS: "2000",
  };
}
