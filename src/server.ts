import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { createApp } from "./app.js";
import { compose } from "./compose.js";
import type { Config } from "./config.js";
import { ensureIndexes, IndexesRefused, openDatabase } from "./db/connection.js";
import type { Deps } from "./deps.js";
import { classesOf, countConnections, serveConnections } from "./http/pipeline/connections.js";
import { removeLeftUploads } from "./http/upload.js";
import { backgroundJobs } from "./jobs/index.js";
import { watchJobs } from "./jobs/job-metrics.js";
import { startJobs } from "./jobs/scheduler.js";
import { createUngroupedPosts } from "./models/community/community-post.js";
import { createModels } from "./models/index.js";
import { CommandError } from "./process.js";
import { createDefaultGroups } from "./services/community/groups.js";
import { pendingMigrations } from "./services/migrations/migrations.js";

export interface RunningServer {
  /** Address of the server, without a trailing slash. */
  readonly url: string;
  readonly deps: Deps;
  /** Stops accepting, finishes requests, releases leases and closes connections. */
  close(): Promise<void>;
}

/** Creates indexes and default rows before the first request. Several instances may run it at once. */
export async function prepareDatabase(uri: string): Promise<void> {
  const connection = await openDatabase(uri, { patient: true });
  try {
    const models = createModels(connection);
    await ensureIndexes(models);
    await createDefaultGroups(models);
    await createUngroupedPosts(models);
  } finally {
    await connection.close();
  }
}

/** Time after which the start logs what it waits for. */
const slowStartMs = 2_000;

/** @throws CommandError when existing rows or indexes prevent an index. */
async function prepare(uri: string, log: Logger): Promise<void> {
  const slow = setTimeout(
    () => log.info({ eventId: "indexes_in_creation" }, "indexes are being created: the server listens when they exist"),
    slowStartMs,
  );
  try {
    await prepareDatabase(uri);
  } catch (error) {
    throw error instanceof IndexesRefused ? new CommandError(`The server cannot start: ${error.message}`) : error;
  } finally {
    clearTimeout(slow);
  }
}

/** Says how many migrations an operator has not run yet. */
async function reportMigrations({ db, log }: Deps): Promise<void> {
  const { length: count } = await pendingMigrations(db);
  if (count === 0) return;
  const wait = count === 1 ? "1 migration waits" : `${count} migrations wait`;
  log.info({ eventId: "migrations_wait", count }, `${wait}: run \`npm run migrate\``);
}

/**
 * Time limits of the head of a request, of a whole request, and of an idle connection. An upload has a minute after it
 * has waited for its turn.
 */
const timeouts = { headersTimeout: 10_000, requestTimeout: 90_000, keepAliveTimeout: 65_000 };

export interface ServerOptions {
  /** False: background jobs run only when a test or a command calls them. */
  readonly jobs?: boolean;
  /** Runs instead of `prepareDatabase`. */
  readonly prepare?: (deps: Deps) => Promise<void>;
  /** Receives every response before the application handles its request. */
  readonly prepareResponse?: (res: ServerResponse) => void;
}

/**
 * Connects, prepares the database, listens and starts background jobs.
 * @throws when the database cannot be reached or the port is taken.
 */
export async function startServer(config: Config, log: Logger, options: ServerOptions = {}): Promise<RunningServer> {
  const { deps, close } = await compose(config, log);
  try {
    await (options.prepare?.(deps) ?? prepare(config.mongodbUri, log));
    await reportMigrations(deps);
    await removeLeftUploads();
    const app = createApp(deps);
    const server = createServer({ ...timeouts, ...classesOf(app) });
    const { prepareResponse } = options;
    if (prepareResponse) server.on("request", (_req, res) => prepareResponse(res));
    const connections = serveConnections(server, app);
    countConnections(connections, deps.metrics);
    await listen(server, config.port);
    const work = backgroundJobs(deps);
    const recordRun = watchJobs(work, deps.db, deps.metrics);
    const jobs = options.jobs === false ? undefined : startJobs(work, { db: deps.db, log, recordRun });
    if (!deps.mailer) log.info({ eventId: "mail_off" }, "no mail is sent, because SMTP_URL is unset");
    if (!deps.issuer)
      log.info({ eventId: "credentials_off" }, "no credentials are made, because CREDENTIAL_KEYS is unset");
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://localhost:${port}`,
      deps,
      async close() {
        // A stream would last longer than the drain.
        deps.noticeStreams.close();
        await Promise.all([connections.drain(), jobs?.stop()]);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(taken ? new CommandError(`Port ${port} is taken: stop what uses it, or choose another with PORT`) : error);
    });
    server.listen(port, resolve);
  });
}
