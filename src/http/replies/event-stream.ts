import { once } from "node:events";
import type { Request, Response } from "express";

export const wantsEventStream = (req: Request): boolean =>
  req.accepts(["application/json", "text/event-stream"]) === "text/event-stream";

/** Bytes that may wait for the reader of an event that nobody waits for. */
const maxWaitingBytes = 65_536;

/** Sends Server-Sent Events. The first event sends the head, so that failures before it have a status. */
export function eventStream(res: Response) {
  const write = (text: string): boolean => {
    if (!res.headersSent) {
      res.writeHead(200, {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-cache, no-transform",
        // Tells a proxy not to buffer.
        "X-Accel-Buffering": "no",
      });
    }
    return res.write(text);
  };
  const format = (event: string, body: unknown, id?: number): string =>
    `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(body)}\n\n`;
  return {
    /** Whether an event was sent, after which the status cannot change. */
    get started() {
      return res.headersSent;
    },
    /** Sends one event with a JSON body; waits while the client cannot keep up. @param id where a client resumes. */
    async send(event: string, body: unknown, id?: number): Promise<void> {
      if (res.destroyed) return;
      if (write(format(event, body, id))) return;
      const waiting = new AbortController();
      const { signal } = waiting;
      await Promise.race([once(res, "drain", { signal }), once(res, "close", { signal })]).catch(() => undefined);
      waiting.abort();
    },
    /** Sends one event at once. Cuts off a client that leaves too much unread; it can resume. */
    push(event: string, body: unknown, id: number): void {
      if (res.destroyed) return;
      write(format(event, body, id));
      if (res.writableLength > maxWaitingBytes) res.destroy();
    },
    /** Sends a comment, which keeps the connection open and which clients ignore. */
    comment(): void {
      if (!res.destroyed) write(":\n\n");
    },
    end() {
      res.end();
    },
  };
}
