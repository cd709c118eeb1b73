import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A door to the database that falls shut for ever before a chosen write: what a process that dies there leaves behind. */
export interface DatabaseProxy {
  /** URI of the same database through the door; made for failing at once when it is shut. */
  readonly uri: string;
  /** Lets `writes` more writes through, and nothing after them. */
  cutAfter(writes: number): void;
  readonly isShut: boolean;
  close(): Promise<void>;
}

const writeCommands = new Set(["insert", "update", "delete", "findAndModify"]);

export async function startDatabaseProxy(databaseUri: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUri);
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let isShut = false;
  const shut = () => {
    isShut = true;
    for (const socket of sockets) socket.destroy();
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
    let waiting = Buffer.alloc(0);
    client.on("data", (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
        const length = waiting.readInt32LE(0);
        const message = waiting.subarray(0, length);
        waiting = waiting.subarray(length);
        if (writeCommands.has(commandName(message)) && left-- <= 0) return shut();
        upstream.write(message);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const options = "directConnection=true&retryWrites=false&serverSelectionTimeoutMS=200";
  return {
    uri: `mongodb://127.0.0.1:${port}${target.pathname}?${options}`,
    cutAfter: (writes) => {
      left = writes;
    },
    get isShut() {
      return isShut;
    },
    async close() {
      shut();
      server.close();
      await once(server, "close");
    },
  };
}

/** Name of the command in an OP_MSG: the first key of the document in its first section. */
function commandName(message: Buffer): string {
  const opMsg = 2013;
  const header = 16;
  if (message.readInt32LE(12) !== opMsg || message[header + 4] !== 0) return "";
  const firstKey = header + 4 + 1 + 4 + 1;
  return message.toString("utf8", firstKey, message.indexOf(0, firstKey));
}
