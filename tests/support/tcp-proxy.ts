import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

export type ProxyMode = "pass" | "cut" | "black-hole";

export interface TcpProxy {
  readonly port: number;
  /** `cut` ends and refuses connections; `black-hole` takes everything and passes nothing on. */
  mode(mode: ProxyMode): void;
  close(): Promise<void>;
}

/** Stands between a server and one of its collaborators, to take the latter away. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let mode: ProxyMode = "pass";
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    track(client);
    if (mode === "cut") {
      client.destroy();
      return;
    }
    const upstream = track(connect(target.port, target.host));
    const pass = (from: Socket, to: Socket) => {
      from.on("data", (bytes) => {
        if (mode === "pass") to.write(bytes);
      });
      from.on("close", () => to.destroy());
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    mode(next) {
      mode = next;
      if (next === "cut") for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
