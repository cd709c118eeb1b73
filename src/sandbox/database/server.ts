import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Double } from "bson";
import type { Catalog } from "./catalog.js";
import { runCommand } from "./commands.js";
import { Cursors } from "./cursors.js";
import { type Document, encode } from "./values.js";
import { errorReply, MessageReader, parseMessage, replyMessage } from "./wire.js";

/** Speaks the wire protocol on a loopback port. */
export class DatabaseServer {
  private readonly cursors = new Cursors();
  private readonly sockets = new Set<Socket>();
  private readonly pending = new Set<Promise<Buffer>>();
  private readonly server = createServer({ noDelay: true }, (socket) => this.serve(socket));
  private connections = 0;

  constructor(private readonly catalog: Catalog) {}

  /** @returns the port listened on. */
  async listen(port: number): Promise<number> {
    this.server.listen({ port, host: "127.0.0.1", backlog: 2048 });
    await once(this.server, "listening");
    return (this.server.address() as AddressInfo).port;
  }

  /** Finishes the commands under way, then ends all connections. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    await Promise.allSettled(this.pending);
    for (const socket of this.sockets) socket.destroySoon();
    this.cursors.close();
    await closed;
  }

  /** Answers one message after another; reads no further while a reply waits to be taken. */
  private async serve(socket: Socket): Promise<void> {
    this.connections += 1;
    const connection = this.connections;
    const reader = new MessageReader();
    this.sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.sockets.delete(socket));
    try {
      for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
        for (const message of reader.take(chunk)) {
          const request = parseMessage(message);
          const reply = this.answer(connection, request.body);
          this.pending.add(reply);
          const bytes = replyMessage(request, await reply);
          this.pending.delete(reply);
          if (!request.silent && socket.writable && !socket.write(bytes)) {
            await Promise.race([once(socket, "drain"), once(socket, "close")]);
          }
        }
      }
    } catch {
      // Malformed bytes or a broken connection; what was asked before has been answered.
    }
    socket.destroySoon();
  }

  private async answer(connection: number, body: Document): Promise<Buffer> {
    try {
      const reply = await runCommand({ catalog: this.catalog, cursors: this.cursors }, body, connection);
      return Buffer.isBuffer(reply) ? reply : encode({ ...reply, ok: new Double(1) });
    } catch (error) {
      return encode(errorReply(error));
    }
  }
}
