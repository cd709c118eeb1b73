import { Router } from "express";
import type { LoggedRequest, RequestJournal } from "./request-journal.js";

const keepAliveMs = 20_000;

/** `GET /stream` sends the newest requests of the application and each change as server-sent events. */
export function requestRoutes(journal: RequestJournal): Router {
  const router = Router();
  router.get("/stream", (_req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    const send = (event: string, data: unknown) => res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    send("requests", journal.list());
    const end = journal.onChange((request: LoggedRequest) => send("request", request));
    const alive = setInterval(() => res.write(": \n\n"), keepAliveMs);
    res.on("close", () => {
      clearInterval(alive);
      end();
    });
  });
  router.delete("/", (_req, res) => {
    journal.clear();
    res.json({ cleared: true });
  });
  return router;
}
