import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Connection, createConnection } from "mongoose";
import { OrphanedTransactions } from "./orphaned-transactions.js";

/** `cut`: connections are ended and refused. `silent`: everything is taken, and nothing is passed on. */
type Mode = "pass" | "cut" | "silent";

/** Stands between a server and its database, to take the database away at a chosen moment. A commit is a write. */
export interface DatabaseProxy {
  /** URI of the same database through the proxy; gives up soon when the database is away. */
  readonly uri: string;
  mode(mode: Mode): void;
  /** Passes `writes` more writes on and cuts in place of the next. @returns when that has happened. */
  cutAfter(writes: number): Promise<void>;
  /** Passes `writes` more writes on and holds the next one back. @returns when that one has come. */
  holdAfter(writes: number): Promise<void>;
  /** Passes on the write that is held back, and everything after it. */
  release(): void;
  /** Every command takes so much longer from now on. */
  slowDown(ms: number): void;
  /** Transactions that were begun through it and not ended are aborted. */
  close(): Promise<void>;
}

/** Connects through a proxy. A busy machine may need more than one try: giving up is made to be quick. */
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

  /** Passes whole messages on. Writes are counted: the connection is cut at one of them, or one is held back. */
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

/** Splits what a client sends into the messages of the wire protocol. */
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

/** Name of the command in an OP_MSG: the first key of the document in its first section. */
export function commandName(message: Buffer): string {
  const opMsg = 2013;
  const header = 16;
  if (message.readInt32LE(12) !== opMsg || message[header + 4] !== 0) return "";
  const firstKey = header + 4 + 1 + 4 + 1;
  return message.toString("utf8", firstKey, message.indexOf(0, firstKey));
}
