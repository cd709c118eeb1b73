import { once } from "node:events";
import type { Request, Response } from "express";

export const wantsEventStream = (req: Request): boolean =>
  req.accepts(["application/json", "text/event-stream"]) === "text/event-stream";

/** Sends Server-Sent Events. The first event sends the head, so that failures before it have a status. */
export function eventStream(res: Response) {
  return {
    /** Whether an event was sent, after which the status cannot change. */
    get started() {
      return res.headersSent;
    },
    /** Sends one event with a JSON body; waits while the client cannot keep up. */
    async send(event: string, body: unknown): Promise<void> {
      if (res.destroyed) return;
      if (!res.headersSent) {
        res.writeHead(200, {
          "Content-Type": "text/event-stream; charset=utf-8",
          "Cache-Control": "no-cache, no-transform",
          "X-Accel-Buffering": "no",
        });
      }
      if (res.write(`event: ${event}\ndata: ${JSON.stringify(body)}\n\n`)) return;
      const waiting = new AbortController();
      const { signal } = waiting;
      await Promise.race([once(res, "drain", { signal }), once(res, "close", { signal })]).catch(() => undefined);
      waiting.abort();
    },
    end() {
      res.end();
    },
  };
}
