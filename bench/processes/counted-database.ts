import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { commandName, messagesOf } from "../../tests/server/database-proxy.js";

/** A way to a database on which commands are counted, whichever build of the server sends them. */
export interface CountedDatabase {
  readonly uri: string;
  /** Commands since the start by name, those of the driver's own watch over the connection left out. */
  readonly commands: ReadonlyMap<string, number>;
  end(): Promise<void>;
}

const watching = new Set(["hello", "ismaster", "isMaster", "ping", "endSessions", ""]);

export async function startCountedDatabase(databaseUri: string): Promise<CountedDatabase> {
  const target = new URL(databaseUri);
  const commands = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 27_017), target.hostname);
    const carry = async (): Promise<void> => {
      for await (const message of messagesOf(client)) {
        const name = commandName(message);
        if (!watching.has(name)) commands.set(name, (commands.get(name) ?? 0) + 1);
        upstream.write(message);
      }
    };
    carry().catch(() => client.destroy());
    upstream.pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    uri: `mongodb://127.0.0.1:${port}${target.pathname}?directConnection=true`,
    commands,
    async end() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
