import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Connection, createConnection } from "mongoose";
import { OrphanedTransactions } from "./orphaned-transactions.js";

/** A door to the database that can be held or shut for ever before a chosen write. */
export interface DatabaseProxy {
  /** URI of the same database through the door; made for failing at once when it is shut. */
  readonly uri: string;
  /** Lets `writes` more writes through, and nothing after them: what a process that dies there leaves behind. */
  cutAfter(writes: number): void;
  /** Lets `writes` more writes through and holds the next one back. @returns when that one has come. */
  holdAfter(writes: number): Promise<void>;
  /** Every command takes so much longer from now on. */
  slowDown(ms: number): void;
  /** Lets the held write through, and everything after it. */
  release(): void;
  readonly isShut: boolean;
  /** Transactions that were begun through it and not ended are aborted. */
  close(): Promise<void>;
}

/** Connects through the door. A busy machine may need more than one try: giving up is made to be quick. */
export async function connectThrough({ uri }: DatabaseProxy): Promise<Connection> {
  for (let left = 20; ; left--) {
    const connecting = createConnection(uri, { bufferCommands: false, autoIndex: false });
    try {
      return await connecting.asPromise();
    } catch (error) {
      await connecting.destroy();
      if (left === 0) throw error;
    }
  }
}

const writeCommands = new Set(["insert", "update", "delete", "findAndModify", "commitTransaction"]);

export async function startDatabaseProxy(databaseUri: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUri);
  const sockets = new Set<Socket>();
  const never = Number.POSITIVE_INFINITY;
  const orphaned = new OrphanedTransactions();
  const released = signal();
  const reached = signal();
  let untilCut = never;
  let untilHold = never;
  let delayMs = 0;
  let isShut = false;
  const shut = () => {
    isShut = true;
    released.send();
    for (const socket of sockets) socket.destroy();
  };

  /** Passes whole messages on; a write waits its turn. */
  const carry = async (client: Socket, upstream: Socket) => {
    let waiting = Buffer.alloc(0);
    for await (const chunk of client) {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
        const length = waiting.readInt32LE(0);
        const message = waiting.subarray(0, length);
        waiting = waiting.subarray(length);
        if (writeCommands.has(commandName(message))) {
          if (untilCut-- <= 0) return shut();
          if (untilHold-- === 0) {
            reached.send();
            await released.sent;
          }
        }
        if (delayMs > 0) await pause(delayMs);
        orphaned.note(message);
        upstream.write(message);
      }
    }
  };

  const server = createServer((client) => {
    if (isShut) return void client.destroy();
    const upstream = connect(Number(target.port || 27017), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.pipe(client);
    carry(client, upstream).catch(() => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const options = "directConnection=true&retryWrites=false&serverSelectionTimeoutMS=200";
  return {
    uri: `mongodb://127.0.0.1:${port}${target.pathname}?${options}`,
    cutAfter: (writes) => {
      untilCut = writes;
    },
    holdAfter: (writes) => {
      untilHold = writes;
      return reached.sent;
    },
    slowDown(ms) {
      delayMs = ms;
    },
    release: () => released.send(),
    get isShut() {
      return isShut;
    },
    async close() {
      shut();
      server.close();
      await once(server, "close");
      await orphaned.abort({ hostname: target.hostname, port: Number(target.port || 27017) });
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

/** Name of the command in an OP_MSG: the first key of the document in its first section. */
function commandName(message: Buffer): string {
  const opMsg = 2013;
  const header = 16;
  if (message.readInt32LE(12) !== opMsg || message[header + 4] !== 0) return "";
  const firstKey = header + 4 + 1 + 4 + 1;
  return message.toString("utf8", firstKey, message.indexOf(0, firstKey));
}
