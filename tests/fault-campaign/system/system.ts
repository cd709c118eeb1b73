import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import {
  type ClerkEmulator,
  type CloudinaryEmulator,
  defaultRetryPausesMs,
  type OpenAiEmulator,
  type RazorpayEmulator,
  type SmtpEmulator,
  startEmulators,
} from "@lyceum/provider-emulators";
import { answerPrompt } from "../../../development/ai-answers.js";
import { findFreePort } from "../../../development/cli/free-port.js";
import { openDatabase } from "../../../src/db/connection.js";
import { createDb, type Db } from "../../../src/db/db.js";
import { type Place, places } from "../schedule.js";
import { type Balancer, type Exchange, startBalancer } from "./balancer.js";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.js";
import { SupervisedProcess } from "./supervised-process.js";

export interface SystemOptions {
  /** Folder of logs and data, created when missing. */
  readonly folder: string;
  /** Compiles a program and returns its path. */
  readonly compile: (program: string) => Promise<string>;
  /** URI of a database server with a database name. Without it the system starts an embedded one. */
  readonly databaseUri?: string | undefined;
  /** Receives every request through the balancer, also webhooks. */
  readonly seen: (exchange: Exchange) => void;
}

export interface Server {
  readonly url: string;
  readonly process: SupervisedProcess;
  readonly proxies: Readonly<Record<Place, FaultProxy>>;
  /** File with the shift of the server's clock. */
  readonly clockFile: string;
}

/** Two servers in production mode with proxies in front of all services, and direct access to those services. */
export interface System {
  readonly servers: readonly [Server, Server];
  readonly emulators: Readonly<{
    identity: ClerkEmulator;
    payments: RazorpayEmulator;
    storage: CloudinaryEmulator;
    ai: OpenAiEmulator;
    mail: SmtpEmulator;
  }>;
  readonly balancer: Balancer;
  /** A direct connection that passes no proxy. */
  readonly db: Db;
  /** Environment of a command on the same database and providers. */
  readonly env: Readonly<Record<string, string>>;
  /** The embedded database's process, if there is one. */
  readonly database: SupervisedProcess | undefined;
  /** Ends everything. With `drop` it removes the database; otherwise the embedded database stays with the logs. */
  close(options: { drop: boolean }): Promise<void>;
}

export const metricsToken = "campaign-metrics-token-012345";

/** Scales the providers' pauses, so that webhooks are retried after 0.9 s, 1.8 s, 3.6 s and 22 s. */
const retryScale = 0.001;

/** Time limit of a start on a busy machine. */
const startMs = 60_000;

export async function startSystem(options: SystemOptions): Promise<System> {
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  await mkdir(options.folder, { recursive: true });
  try {
    const { database, uri } = await databaseOf(options, closing);
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
      mail: new URL(emulators.mail.smtpUrl),
    };
    const start = (name: string) => startServer(name, { ...options, variables, addresses }, closing);
    const servers = [await start("server-0"), await start("server-1")] as const;
    const urls = servers.map(({ url }) => url);
    const balancer = await startBalancer(urls, options.seen);
    closing.push(() => balancer.close());
    // Kill all processes when a signal ends this one.
    const atExit = (): void => {
      for (const one of [...servers.map((server) => server.process), database]) one?.signal("SIGKILL");
      redis?.close();
    };
    process.once("exit", atExit);
    closing.push(() => process.off("exit", atExit));
    await Promise.all(servers.map((server) => server.process.up(startMs)));
    pointAt(balancer.url);
    const connection = await openDatabase(uri.href);
    return {
      ...{ servers, emulators, balancer, env: environmentOf(variables, addresses), db: createDb(connection) },
      database,
      async close({ drop }) {
        for (const server of servers) await server.process.down("SIGKILL");
        await database?.down("SIGKILL");
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
  if (options.databaseUri) return { uri: new URL(options.databaseUri), database: undefined };
  const { uri, process } = await startDatabase(options);
  closing.push(() => process.down("SIGKILL"));
  return { uri: new URL(uri), database: process };
}

async function startProviders({ folder }: SystemOptions, closing: Closing) {
  const quick = (pauses: readonly number[]) => ({ retryPausesMs: pauses.map((pause) => pause * retryScale) });
  const started = await startEmulators({
    clerk: quick(defaultRetryPausesMs.clerk),
    razorpay: quick(defaultRetryPausesMs.razorpay),
    cloudinary: true,
    openai: { answer: answerPrompt },
    smtp: true,
    dataDir: join(folder, "providers"),
  });
  closing.push(() => started.close());
  const { clerk: identity, razorpay: payments, cloudinary: storage, openai: ai, smtp: mail } = started;
  return { emulators: { identity, payments, storage, ai, mail }, variables: started.env, pointAt: started.pointAt };
}

interface ServerOptions extends SystemOptions {
  readonly variables: Record<string, string>;
  readonly addresses: Record<Place, URL>;
}

/** Starts a server that reaches every service through its own proxies and keeps its port. */
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

async function startDatabase({ folder, compile }: SystemOptions) {
  const port = await findFreePort(0);
  const process = new SupervisedProcess({
    file: await compile("tests/fault-campaign/system/database.ts"),
    words: [join(folder, "database"), String(port)],
    env: {},
    logFile: join(folder, "database.log"),
    isUp: () => accepts(port),
  });
  process.start();
  await process.up(startMs);
  return { uri: `mongodb://127.0.0.1:${port}/campaign?directConnection=true&retryWrites=false`, process };
}

/** Starts a Redis. @returns undefined when redis-server is not installed. */
async function startRedis(port: number, folder: string): Promise<{ close(): void } | undefined> {
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const child = spawn("redis-server", words, { stdio: "ignore" });
  const isStarted = await Promise.race([
    once(child, "spawn").then(() => true),
    once(child, "error").then(() => false),
  ]).catch(() => false);
  return isStarted ? { close: () => void child.kill("SIGKILL") } : undefined;
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
  // Without this key the servers verify tokens with the provider's key set.
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
    SMTP_URL: at.mail.href,
    METRICS_TOKEN: metricsToken,
    OPENAI_TIMEOUT_MS: "4000",
    OPENAI_ADVICE_TIMEOUT_MS: "2000",
  };
}
