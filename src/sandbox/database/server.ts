import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Double } from "bson";
import type { Catalog } from "./catalog.js";
import { Call } from "./command.js";
import { runCommand } from "./commands.js";
import { Cursors } from "./cursors.js";
import { DatabaseError } from "./errors.js";
import { type Document, encode } from "./values.js";
import { replyMessage, requestsIn } from "./wire.js";

/** The bytes that a reply may have beside the largest document. */
const AROUND_A_DOCUMENT = 16 * 1024;

/** Speaks the wire protocol on a loopback port. */
export class DatabaseServer {
  private readonly cursors = new Cursors();
  private readonly sockets = new Set<Socket>();
  private readonly pending = new Set<Promise<Buffer>>();
  private readonly server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.serve(socket));

  constructor(private readonly catalog: Catalog) {}

  /** @returns the port listened on. */
  async listen(port: number): Promise<number> {
    this.server.listen({ port, host: "127.0.0.1", backlog: 2048 });
    await once(this.server, "listening");
    return (this.server.address() as AddressInfo).port;
  }

  /** Finishes the commands under way, then ends all connections; who takes no reply within a second gets none. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    await Promise.allSettled(this.pending);
    for (const socket of this.sockets) {
      socket.destroySoon();
      setTimeout(() => socket.destroy(), 1000).unref();
    }
    this.cursors.close();
    await closed;
  }

  /** Answers one message after another; reads no further while a reply waits to be taken. */
  private async serve(socket: Socket): Promise<void> {
    this.sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.sockets.delete(socket));
    try {
      for await (const request of requestsIn(socket.iterator({ destroyOnReturn: false }))) {
        const reply = this.answer(socket.remotePort ?? 0, request.body);
        this.pending.add(reply);
        const bytes = replyMessage(request, await reply);
        this.pending.delete(reply);
        if (!request.silent && socket.writable && !socket.write(bytes)) {
          await Promise.race([once(socket, "drain"), once(socket, "close")]);
        }
      }
    } catch {
      // Malformed bytes or a broken connection; what was asked before has been answered.
    }
    socket.destroySoon();
  }

  private async answer(connection: number, body: Document): Promise<Buffer> {
    try {
      this.catalog.storage.refresh();
      const reply = await runCommand(new Call(this.catalog, this.cursors, body, connection));
      return encode({ ...reply, ok: new Double(1) }, AROUND_A_DOCUMENT);
    } catch (error) {
      const refusal = error instanceof DatabaseError ? error : new DatabaseError(1, String(error));
      return encode({ ok: 0, ...refusal.shown, codeName: refusal.codeName });
    }
  }
}
