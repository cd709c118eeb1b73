import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** A fault of connections. */
export interface Disturbance {
  /** Closes new connections at once. */
  readonly refuse?: boolean;
  /** Holds all bytes until the end. */
  readonly blackHole?: boolean;
  /** Delays each chunk. */
  readonly delayMs?: number;
  /** Cuts a reply and its connection after this many bytes. */
  readonly answerBytes?: number;
}

/** Stands between one server and a service. */
export interface FaultProxy {
  readonly port: number;
  /** Starts a disturbance. @returns a function that ends it. */
  disturb(disturbance: Disturbance): () => void;
  /** Closes every open connection. */
  cut(): void;
  close(): void;
}

const pollMs = 20;

export async function startFaultProxy(target: { readonly host: string; readonly port: number }): Promise<FaultProxy> {
  const inForce = new Set<Disturbance>();
  const sockets = new Set<Socket>();
  const found = <T>(read: (one: Disturbance) => T | undefined): T | undefined =>
    [...inForce].map(read).find((value) => value !== undefined);

  const carry = async (from: Socket, to: Socket, isAnswer: boolean): Promise<void> => {
    for await (const piece of from as AsyncIterable<Buffer>) {
      const delayMs = found((one) => one.delayMs);
      if (delayMs) await pause(delayMs);
      while (found((one) => one.blackHole || undefined) && !to.destroyed) await pause(pollMs);
      const answerBytes = isAnswer ? found((one) => one.answerBytes) : undefined;
      if (answerBytes !== undefined) {
        to.end(piece.subarray(0, answerBytes));
        from.destroy();
        return;
      }
      if (!to.write(piece)) await Promise.race([once(to, "drain"), once(to, "close")]);
    }
  };
  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (found((one) => one.refuse || undefined)) return void client.destroy();
    const upstream = connect(target.port, target.host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    for (const ended of [carry(client, upstream, false), carry(upstream, client, true)]) {
      ended.catch(() => client.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    disturb(disturbance) {
      inForce.add(disturbance);
      return () => void inForce.delete(disturbance);
    },
    cut,
    close() {
      server.close();
      cut();
    },
  };
}
