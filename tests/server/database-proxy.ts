import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Connection, createConnection } from "mongoose";
import { OrphanedTransactions } from "./orphaned-transactions.js";

/** `cut` closes and refuses connections. `silent` accepts bytes and forwards nothing. */
type Mode = "pass" | "cut" | "silent";

/** Stands between a server and its database and fails at a chosen write. A commit is a write. */
export interface DatabaseProxy {
  /** URI of the database through the proxy, with a short timeout. */
  readonly uri: string;
  mode(mode: Mode): void;
  /** Forwards `writes` more writes and cuts before the next one. It resolves at the cut. */
  cutAfter(writes: number): Promise<void>;
  /** Forwards `writes` more writes and holds the next one. It resolves when that write arrives. */
  holdAfter(writes: number): Promise<void>;
  /** Forwards the held write and everything after it. */
  release(): void;
  /** Delays every later command. */
  slowDown(ms: number): void;
  /** Closes the proxy and aborts the transactions that are still open. */
  close(): Promise<void>;
}

/** Connects through a proxy. It retries, because the short timeout can be too short on a busy machine. */
export async function connectThrough({ uri }: Pick<DatabaseProxy, "uri">): Promise<Connection> {
  for (let left = 20; ; left--) {
    const connecting = createConnection(uri, { bufferCommands: false, autoIndex: false, autoCreate: false });
    try {
      return await connecting.asPromise();
    } catch (error) {
      await connecting.destroy();
      if (left === 0) throw error;
    }
  }
}

const writeCommands = new Set(["insert", "update", "delete", "findAndModify", "commitTransaction"]);
const never = Number.POSITIVE_INFINITY;

export async function startDatabaseProxy(databaseUri: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUri);
  const [host, hostPort] = [target.hostname, Number(target.port || 27017)];
  const sockets = new Set<Socket>();
  const orphaned = new OrphanedTransactions();
  const released = signal();
  const reached = signal();
  const wasCut = signal();
  let mode: Mode = "pass";
  let untilCut = never;
  let untilHold = never;
  let delayMs = 0;
  const cut = () => {
    mode = "cut";
    wasCut.send();
    for (const socket of sockets) socket.destroy();
  };

  /** Forwards whole messages and counts writes, to cut or to hold at one of them. */
  const carry = async (client: Socket, upstream: Socket) => {
    for await (const message of messagesOf(client)) {
      if (mode === "pass" && writeCommands.has(commandName(message))) {
        if (untilCut-- <= 0) return cut();
        if (untilHold-- === 0) {
          reached.send();
          await released.sent;
        }
      }
      if (delayMs > 0) await pause(delayMs);
      if (mode !== "pass") continue;
      orphaned.note(message);
      upstream.write(message);
    }
  };

  const server = createServer((client) => {
    if (mode === "cut") return void client.destroy();
    const upstream = connect(hostPort, host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.on("data", (bytes) => {
      if (mode === "pass") client.write(bytes);
    });
    carry(client, upstream).catch(() => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const options = "directConnection=true&retryWrites=false&serverSelectionTimeoutMS=200";
  return {
    uri: `mongodb://127.0.0.1:${port}${target.pathname}?${options}`,
    mode(next) {
      if (next === "cut") cut();
      else mode = next;
    },
    cutAfter(writes) {
      untilCut = writes;
      return wasCut.sent;
    },
    holdAfter(writes) {
      untilHold = writes;
      return reached.sent;
    },
    release: () => released.send(),
    slowDown(ms) {
      delayMs = ms;
    },
    async close() {
      released.send();
      cut();
      server.close();
      await once(server, "close");
      await orphaned.abort({ hostname: host, port: hostPort });
    },
  };
}

function signal(): { sent: Promise<void>; send(): void } {
  let send = (): void => undefined;
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  return { sent, send };
}

/** Splits a client's bytes into messages of the wire protocol. */
export async function* messagesOf(client: Socket): AsyncGenerator<Buffer> {
  let waiting = Buffer.alloc(0);
  for await (const chunk of client) {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
      const length = waiting.readInt32LE(0);
      yield waiting.subarray(0, length);
      waiting = waiting.subarray(length);
    }
  }
}

/** Reads the command name from an OP_MSG: the first key of its first document. */
export function commandName(message: Buffer): string {
  const opMsg = 2013;
  const header = 16;
  if (message.readInt32LE(12) !== opMsg || message[header + 4] !== 0) return "";
  const firstKey = header + 4 + 1 + 4 + 1;
  return message.toString("utf8", firstKey, message.indexOf(0, firstKey));
}
