import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Double } from "bson";
import { Call, type Connection, type Served } from "./commands/command.js";
import { runCommand } from "./commands/commands.js";
import { Cursors } from "./commands/cursors.js";
import { ConnectionCut, FailPoint } from "./commands/fail-points.js";
import { DatabaseError } from "./errors.js";
import { type Document, encode } from "./language/values.js";
import type { Catalog } from "./store/catalog.js";
import { errorLabels, Transactions } from "./store/transactions.js";
import { replyMessage, requestsIn } from "./wire.js";

/** Bytes of a reply beside the largest document. */
const REPLY_OVERHEAD_BYTES = 16 * 1024;

/** Serves the wire protocol on a loopback port. */
export class DatabaseServer {
  private readonly served: Served;
  private connections = 0;
  private readonly sockets = new Set<Socket>();
  private readonly pending = new Set<Promise<Buffer | undefined>>();
  private readonly server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.serve(socket));

  /** @param lifetime the milliseconds that a transaction may stay open. */
  constructor(catalog: Catalog, lifetime: number) {
    const cursors = new Cursors();
    const transactions = new Transactions(catalog, cursors, lifetime);
    this.served = { catalog, cursors, transactions, failPoint: new FailPoint() };
  }

  /** Starts to listen. @returns the port. */
  async listen(port: number): Promise<number> {
    this.server.listen({ port, host: "127.0.0.1", backlog: 2048 });
    await once(this.server, "listening");
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Aborts open transactions, finishes running commands, then ends all connections. A client has one second to read its
   * reply.
   */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.served.transactions.stop();
    await Promise.allSettled(this.pending);
    for (const socket of this.sockets) {
      socket.destroySoon();
      setTimeout(() => socket.destroy(), 1000).unref();
    }
    this.served.cursors.close();
    await closed;
    this.served.transactions.stop(); // stop late transactions too, because a snapshot must end before the storage
  }

  /** Answers the messages of a connection in order. It stops reading while the client has not read a reply. */
  private async serve(socket: Socket): Promise<void> {
    this.sockets.add(socket);
    this.connections += 1;
    const connection = { number: this.connections, address: `127.0.0.1:${socket.localPort}` };
    const gone = new AbortController();
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      gone.abort();
      this.sockets.delete(socket);
      this.served.transactions.disconnected(connection.number);
    });
    try {
      for await (const request of requestsIn(socket.iterator({ destroyOnReturn: false }))) {
        const reply = this.answer(connection, request.body);
        this.pending.add(reply);
        const document = await reply;
        this.pending.delete(reply);
        if (document === undefined) break;
        const bytes = replyMessage(request, document);
        if (!request.silent && socket.writable && !socket.write(bytes)) {
          await once(socket, "drain", { signal: gone.signal });
        }
      }
    } catch {
      // The bytes are malformed or the connection is broken. Earlier commands have their replies.
    }
    socket.destroySoon();
  }

  /** Runs a request. It returns undefined when the connection ends without a reply. */
  private async answer(connection: Connection, body: Document): Promise<Buffer | undefined> {
    try {
      this.served.catalog.storage.refresh();
      const reply = await runCommand(new Call(this.served, body, connection));
      return encode({ ...reply, ok: new Double(1) }, REPLY_OVERHEAD_BYTES);
    } catch (error) {
      if (error instanceof ConnectionCut) return undefined;
      const refusal = error instanceof DatabaseError ? error : new DatabaseError(1, String(error));
      return encode({ ok: 0, ...errorLabels(body, refusal.code), ...refusal.shown, codeName: refusal.codeName });
    }
  }
}
