import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { Double } from "bson";
import type { Catalog } from "./catalog.js";
import { runCommand } from "./commands.js";
import { Cursors } from "./cursors.js";
import type { Storage } from "./storage.js";
import { type Document, encode } from "./values.js";
import { errorReply, MessageReader, parseMessage, type Request, replyMessage } from "./wire.js";

/** More replies than this waiting in a socket and reading from it stops until they are taken. */
const MOST_BUFFERED_BYTES = 64 * 1024 * 1024;

/** Speaks the wire protocol on a loopback port. */
export class DatabaseServer {
  readonly cursors = new Cursors();
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private connections = 0;
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly catalog: Catalog,
    private readonly storage: Storage,
  ) {
    this.server = createServer({ noDelay: true }, (socket) => this.accept(socket));
  }

  /** @returns the port listened on. */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen({ port, host: "127.0.0.1", backlog: 2048 }, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  /** Finishes the commands under way, then ends all connections. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    await Promise.allSettled(this.pending);
    for (const socket of this.sockets) {
      socket.destroy();
    }
    this.cursors.close();
    await closed;
  }

  private accept(socket: Socket): void {
    this.connections += 1;
    const connection = this.connections;
    const reader = new MessageReader();
    let queue = Promise.resolve();
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      try {
        for (const message of reader.take(chunk)) {
          const request = parseMessage(message);
          queue = queue.then(() => this.serve(socket, connection, request));
        }
      } catch {
        // What was asked before the malformed bytes is still answered.
        socket.pause();
        queue = queue.then(() => {
          socket.destroy();
        });
      }
    });
  }

  private async serve(socket: Socket, connection: number, request: Request): Promise<void> {
    const work = this.answer(connection, request).then((document) => {
      if (!request.silent && socket.writable) {
        socket.write(replyMessage(request, document));
      }
    });
    this.pending.add(work);
    await work.finally(() => this.pending.delete(work));
    if (socket.writableLength > MOST_BUFFERED_BYTES) {
      await new Promise<void>((resolve) => {
        socket.once("drain", resolve);
        socket.once("close", resolve);
      });
    }
  }

  private async answer(connection: number, { body }: Request): Promise<Buffer> {
    let reply: Document | Buffer;
    try {
      this.storage.refresh();
      reply = await runCommand({ catalog: this.catalog, cursors: this.cursors, body, connection });
      return Buffer.isBuffer(reply) ? reply : encode({ ...reply, ok: new Double(1) });
    } catch (error) {
      return encode(errorReply(error));
    }
  }
}
