import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";
import { createApp } from "./app.js";
import { compose } from "./compose.js";
import type { Config } from "./config.js";
import { openDatabase } from "./db/connection.js";
import { ensureIndexes, IndexesRefused } from "./db/indexes.js";
import type { Deps } from "./deps.js";
import { serveWithinLimits } from "./http/pipeline/connection-limits.js";
import { classesOf } from "./http/pipeline/express-classes.js";
import { closeQueuedResponses } from "./http/pipeline/queued-responses.js";
import { backgroundJobs } from "./jobs/index.js";
import { watchJobs } from "./jobs/job-metrics.js";
import { startJobs } from "./jobs/scheduler.js";
import { createUngroupedPosts } from "./models/community/community-post.js";
import { createModels } from "./models/index.js";
import { CommandError } from "./process.js";
import { createDefaultGroups } from "./services/community/groups.js";

export interface RunningServer {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  readonly deps: Deps;
  /** Stops accepting, finishes requests in flight, releases leases, closes connections. */
  close(): Promise<void>;
}

/**
 * Creates what must exist before the first request is served. May be repeated, and run by several instances at once.
 */
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

/** A start that takes longer than this says what it waits for. */
const usualMs = 2_000;

/** @throws CommandError when rows or indexes are in the way. */
async function prepare(uri: string, log: Logger): Promise<void> {
  const slow = setTimeout(
    () => log.info({ eventId: "indexes_in_creation" }, "indexes are being created: the server listens when they exist"),
    usualMs,
  );
  try {
    await prepareDatabase(uri);
  } catch (error) {
    throw error instanceof IndexesRefused ? new CommandError(`The server cannot start: ${error.message}`) : error;
  } finally {
    clearTimeout(slow);
  }
}

/**
 * Turns of the event loop until a request that had come before `close` was called is read from its connection, which is
 * to be accepted first: until then Node takes the connection for an idle one and would end it.
 */
const turnsToRead = 3;

/** How long requests in flight may take to finish after `close` was called. */
const drainMs = 10_000;

/** How long the request of a connection that was opened just before may take to come: its client may be busy. */
const firstRequestMs = 1_000;

/** How long a client may take for the head and for the whole of a request, and how long a connection may idle. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 };

export interface ServerOptions {
  /** Off: background work runs only when a test or a command calls it. */
  readonly jobs?: boolean;
  /** Creates what must exist before the first request, instead of `prepareDatabase`. */
  readonly prepare?: (deps: Deps) => Promise<void>;
  /** Is given every response before the application works on its request. */
  readonly prepareResponse?: (res: ServerResponse) => void;
}

/**
 * Connects, creates what must exist before the first request (indexes, default groups, the count of posts in none),
 * listens and starts background work.
 * @throws when the database cannot be reached or the port is taken.
 */
export async function startServer(config: Config, log: Logger, options: ServerOptions = {}): Promise<RunningServer> {
  const { deps, close } = await compose(config, log);
  try {
    await (options.prepare?.(deps) ?? prepare(config.mongodbUri, log));
    const app = createApp(deps);
    const server = createServer({ ...timeouts, ...classesOf(app) });
    countConnections(server, deps.metrics);
    const announceEnd = endsConnections(server);
    closeQueuedResponses(server);
    const { prepareResponse } = options;
    if (prepareResponse) server.on("request", (_req, res) => prepareResponse(res));
    serveWithinLimits(server, app);
    await listen(server, config.port);
    const work = backgroundJobs(deps);
    const recordRun = watchJobs(work, deps.db, deps.metrics);
    const jobs = options.jobs === false ? undefined : startJobs(work, { db: deps.db, log, recordRun });
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://localhost:${port}`,
      deps,
      async close() {
        const endConnections = announceEnd();
        for (let turns = 0; turns < turnsToRead; turns += 1) await turn();
        const closed = new Promise((resolve) => server.close(resolve));
        endConnections.idle();
        const silent = setTimeout(endConnections.silent, firstRequestMs);
        const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
        await Promise.all([closed, jobs?.stop()]);
        clearTimeout(silent);
        clearTimeout(deadline);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Ends the connections of a closing server, each one in use with the response under way on it: a client that keeps its
 * connection for later would hold up the end. To be called before the application listens to requests.
 * @returns what makes every response from then on the last of its connection, and returns what ends the idle ones, and
 * those on which nothing was asked yet.
 */
function endsConnections(server: Server): () => Readonly<Record<"idle" | "silent", () => void>> {
  const underWay = new Set<ServerResponse>();
  const open = new Set<Socket>();
  let closing = false;
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const makeLast = (res: ServerResponse): void => {
    res.shouldKeepAlive = false;
    // One whose head has left already has promised to stay.
    res.once("close", () => setImmediate(() => server.closeIdleConnections()));
  };
  server.on("request", (_req, res: ServerResponse) => {
    underWay.add(res);
    res.once("close", () => underWay.delete(res));
    if (closing) makeLast(res);
  });
  const end = {
    idle: () => server.closeIdleConnections(),
    // Opened in advance and silent so far, as browsers and balancers do: Node takes them for busy.
    silent() {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
  };
  return () => {
    closing = true;
    for (const res of underWay) makeLast(res);
    return end;
  };
}

function countConnections(server: Server, metrics: Registry): void {
  let open = 0;
  server.on("connection", (socket: Socket) => {
    open += 1;
    socket.once("close", () => {
      open -= 1;
    });
  });
  new Gauge({
    name: "http_server_open_connections",
    help: "Connections of clients, idle ones included",
    registers: [metrics],
    collect() {
      this.set(open);
    },
  });
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
