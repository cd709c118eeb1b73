import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { OrphanedTransactions } from "./orphaned-transactions.js";

export type ProxyMode = "pass" | "cut" | "black-hole";

export interface TcpProxy {
  readonly port: number;
  /** `cut` ends and refuses connections; `black-hole` takes everything and passes nothing on. */
  mode(mode: ProxyMode): void;
  /** Cuts for good in place of the n-th database write from now (1 = the first). Resolves when it happened. */
  dieAtWrite(n: number): Promise<void>;
  /** Database writes that were passed on since `dieAtWrite`. */
  writes(): number;
  /** Transactions that were begun through it and not ended are aborted. */
  close(): Promise<void>;
}

/** Stands between a server and one of its collaborators, to take the latter away. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const orphaned = new OrphanedTransactions();
  let mode: ProxyMode = "pass";
  let written = 0;
  let fatal = { write: Number.POSITIVE_INFINITY, reached: () => {} };
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
    const commands = commandReader((name, message) => {
      if (writes.has(name)) {
        if (written + 1 >= fatal.write && mode === "pass") {
          cut();
          fatal.reached();
          return;
        }
        written += 1;
      }
      if (mode !== "pass") return;
      orphaned.note(message);
      upstream.write(message);
    });
    client.on("data", commands);
    client.on("close", () => upstream.destroy());
    pass(upstream, client);
  });
  const cut = () => {
    mode = "cut";
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    mode(next) {
      if (next === "cut") cut();
      else mode = next;
    },
    dieAtWrite: (n) =>
      new Promise((reached) => {
        written = 0;
        fatal = { write: n, reached };
      }),
    writes: () => written,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await orphaned.abort({ hostname: target.host, port: target.port });
    },
  };
}

const writes = new Set(["insert", "update", "delete", "findAndModify", "commitTransaction"]);
const opMsg = 2013;

/** Splits a client's bytes into the database's messages and names the command of each. */
function commandReader(take: (command: string, message: Buffer) => void): (bytes: Buffer) => void {
  let waiting: Buffer = Buffer.alloc(0);
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
      const message = waiting.subarray(0, waiting.readInt32LE(0));
      waiting = waiting.subarray(message.length);
      take(commandOf(message), message);
    }
  };
}

/** The first key of the command document, which follows header, flags, section kind, document length and value type. */
function commandOf(message: Buffer): string {
  if (message.readInt32LE(12) !== opMsg) return "";
  const start = 16 + 4 + 1 + 4 + 1;
  return message.toString("utf8", start, message.indexOf(0, start));
}
