import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const usualLimits = {
  /** Requests of one connection whose responses are not over. Browsers and proxies send one at a time. */
  maxUnfinished: 8,
  /** Time after which a reader that takes no bytes is cut off. */
  stalledMs: 20_000,
  /** A slower reader is cut off. An EDGE connection takes three times as much. */
  leastBytesPerSecond: 8_192,
  /** Time that a reader may be slower than that. */
  graceMs: 30_000,
  /** Time between two looks at all readers. */
  checkMs: 5_000,
};

interface ConnectionState {
  unfinished: number;
  /** Since when bytes have been waiting for the reader, and how many it had taken by then. */
  backlog?: { readonly since: number; readonly taken: number } | undefined;
}

/**
 * Passes the requests of a server to its application, and closes the connection of a client that pipelines too many
 * requests or reads its responses too slowly.
 */
export function serveWithinLimits(server: Server, application: RequestListener, limits = usualLimits): void {
  const connections = new Map<Socket, ConnectionState>();
  server.on("connection", (socket: Socket) => {
    connections.set(socket, { unfinished: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", (req: IncomingMessage, res: ServerResponse) => {
    const connection = connections.get(req.socket);
    if (!connection || req.socket.destroyed) return;
    if (connection.unfinished >= limits.maxUnfinished) {
      req.socket.destroy();
      return;
    }
    connection.unfinished += 1;
    res.once("close", () => {
      connection.unfinished -= 1;
    });
    application(req, res);
  });

  // Node emits `timeout` when no byte has moved for this time. Without a backlog the application is still working.
  server.timeout = limits.stalledMs;
  server.on("timeout", (socket: Socket) => {
    const isWorking = connections.get(socket)?.unfinished && socket.writableLength === 0;
    if (!isWorking) socket.destroy();
  });

  const check = (): void => {
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
  const timer = setInterval(check, limits.checkMs).unref();
  server.once("close", () => clearInterval(timer));
}
