import { IncomingMessage, type RequestListener, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { Express } from "express";
import { Gauge, type Registry } from "prom-client";

const usualLimits = {
  /** Unfinished requests of one connection. Browsers and proxies send one at a time. */
  maxUnfinished: 8,
  /** Time after which a reader that takes no bytes is cut off. */
  stalledMs: 20_000,
  /** A slower reader is cut off. An EDGE connection is three times as fast. */
  leastBytesPerSecond: 8_192,
  /** Time for which a reader may be slower. */
  graceMs: 30_000,
  /** Time between two checks of all readers. */
  checkMs: 5_000,
};

/** Time for unfinished requests after the start of a drain. */
const drainMs = 10_000;

/** Time for the first request of a connection that was opened just before a drain. */
const firstRequestMs = 1_000;

/** Turns of the event loop in which Node accepts a connection from before the drain and reads its request. */
const turnsToRead = 3;

interface ConnectionState {
  /** Unfinished responses. The first one has the socket. */
  readonly unfinished: Set<ServerResponse>;
  /** When bytes began to wait for the reader, and how many bytes it had taken by then. */
  backlog?: { readonly since: number; readonly taken: number } | undefined;
}

export interface Connections {
  readonly size: number;
  /** Stops accepting, finishes requests and closes each connection after its current response. */
  drain(): Promise<void>;
}

/**
 * Passes the requests of a server to its application, and closes the connection of a client that pipelines too many
 * requests or reads its responses too slowly.
 */
export function serveConnections(server: Server, application: RequestListener, limits = usualLimits): Connections {
  const connections = new Map<Socket, ConnectionState>();
  let draining = false;

  server.on("connection", (socket: Socket) => {
    const unfinished = new Set<ServerResponse>();
    connections.set(socket, { unfinished });
    socket.once("close", () => {
      connections.delete(socket);
      closeQueued(unfinished);
    });
  });
  const makeLast = (res: ServerResponse): void => {
    if (!res.headersSent) res.setHeader("Connection", "close");
    // The head of this response has already promised to keep the connection.
    else res.once("close", () => setImmediate(() => server.closeIdleConnections()));
  };
  server.on("request", (req: IncomingMessage, res: ServerResponse) => {
    const connection = connections.get(req.socket);
    if (!connection || req.socket.destroyed) return;
    const { unfinished } = connection;
    if (unfinished.size >= limits.maxUnfinished) {
      req.socket.destroy();
      return;
    }
    unfinished.add(res);
    res.once("close", () => unfinished.delete(res));
    if (draining) makeLast(res);
    application(req, res);
  });

  // Node emits `timeout` when no byte has moved for this time. Without a backlog the application is still working.
  server.timeout = limits.stalledMs;
  server.on("timeout", (socket: Socket) => {
    const isWorking = connections.get(socket)?.unfinished.size && socket.writableLength === 0;
    if (!isWorking) socket.destroy();
  });

  const cutSlowReaders = (): void => {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      const waiting = socket.writableLength;
      connection.backlog =
        waiting > 0 ? (connection.backlog ?? { since: now, taken: socket.bytesWritten - waiting }) : undefined;
      if (!connection.backlog) continue;
      const { since, taken } = connection.backlog;
      const allowedMs = limits.graceMs + ((socket.bytesWritten - taken) / limits.leastBytesPerSecond) * 1_000;
      if (now - since > allowedMs) socket.destroy();
    }
  };
  const timer = setInterval(cutSlowReaders, limits.checkMs).unref();
  server.once("close", () => clearInterval(timer));

  // Browsers and balancers open connections in advance. Node counts a connection without a request as busy.
  const cutSilent = (): void => {
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  };

  return {
    get size() {
      return connections.size;
    },
    async drain() {
      draining = true;
      for (const { unfinished } of connections.values()) for (const res of unfinished) makeLast(res);
      for (let turns = 0; turns < turnsToRead; turns += 1) await turn();
      const silent = setTimeout(cutSilent, firstRequestMs);
      const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(silent);
      clearTimeout(deadline);
    },
  };
}

/**
 * Closes responses that were queued on a closed connection. On Node 20 they would never emit `close`, so that streams,
 * limits and log lines would wait for ever. Remove with Node 20.
 */
function closeQueued(unfinished: ReadonlySet<ServerResponse>): void {
  for (const res of unfinished) {
    if (res.socket) continue;
    res.destroy();
    if (!res.closed) res.emit("close");
  }
}

export function countConnections(connections: Connections, metrics: Registry): void {
  new Gauge({
    name: "http_server_open_connections",
    help: "Connections of clients, idle ones included",
    registers: [metrics],
    collect() {
      this.set(connections.size);
    },
  });
}

/**
 * Options for `createServer` that create requests and responses with Express's prototypes. Otherwise Express changes the
 * prototype of each object, which makes it slow: `GET /` costs 2.1 times as much CPU, and a course 1.4 times. Express's
 * guide "Overriding the Express API" names `Object.setPrototypeOf` for `app.request` and `app.response`.
 */
export function classesOf(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse<ExpressRequest> {}
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
