import { once } from "node:events";
import type { Request, Response } from "express";

export const wantsEventStream = (req: Request): boolean =>
  req.accepts(["application/json", "text/event-stream"]) === "text/event-stream";

/** Bytes that may wait for the reader of an event that nobody waits for. */
const maxWaitingBytes = 65_536;

/** Sends Server-Sent Events. The first event sends the head, so that failures before it have a status. */
export class EventStream {
  constructor(readonly res: Response) {}

  /** Whether an event was sent, after which the status cannot change. */
  get started(): boolean {
    return this.res.headersSent;
  }

  get isOver(): boolean {
    return this.res.destroyed || this.res.writableEnded;
  }

  /** Sends one event with a JSON body; waits while the client cannot keep up. @param id where a client resumes. */
  async send(event: string, body: unknown, id?: number): Promise<void> {
    if (this.isOver || this.#write(format(event, body, id))) return;
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([once(this.res, "drain", { signal }), once(this.res, "close", { signal })]).catch(
      () => undefined,
    );
    waiting.abort();
  }

  /** Sends one event at once. Cuts off a client that leaves too much unread; it can resume. */
  push(event: string, body: unknown, id: number): void {
    if (this.isOver) return;
    this.#write(format(event, body, id));
    if (this.res.writableLength > maxWaitingBytes) this.res.destroy();
  }

  /** Sends a comment, which keeps the connection open and which clients ignore. */
  comment(): void {
    if (!this.isOver) this.#write(":\n\n");
  }

  end(): void {
    this.res.end();
  }

  onClose(listener: () => void): void {
    this.res.once("close", listener);
  }

  #write(text: string): boolean {
    if (!this.res.headersSent) {
      this.res.writeHead(200, {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-cache, no-transform",
        // Tells a proxy not to buffer.
        "X-Accel-Buffering": "no",
      });
      // Written together with a text, the head would stay in memory in its pieces: 2 kB for each idle stream.
      this.res.flushHeaders();
    }
    return this.res.write(text);
  }
}

const format = (event: string, body: unknown, id?: number): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(body)}\n\n`;
