import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Closes the responses that wait for an earlier one of their connection when that connection closes. Node 20 forgets
 * them: they would never emit `close`, and what waits for it (a stream, a place, the log line) would be kept for ever.
 * To be called before the application listens to requests.
 */
export function closeQueuedResponses(server: Server): void {
  const queued = new WeakMap<Socket, Set<ServerResponse>>();
  server.on("request", ({ socket }: IncomingMessage, res: ServerResponse) => {
    // The first of its connection has the socket.
    if (res.socket) return;
    const waiting = queued.get(socket) ?? watch(socket);
    waiting.add(res);
    res.once("close", () => waiting.delete(res));
  });

  function watch(socket: Socket): Set<ServerResponse> {
    const waiting = new Set<ServerResponse>();
    queued.set(socket, waiting);
    socket.once("close", () => {
      for (const res of waiting) {
        res.destroy();
        if (!res.closed) res.emit("close");
      }
    });
    return waiting;
  }
}
