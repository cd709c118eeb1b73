import express, { Router } from "express";
import { type AiFault, aiFaults } from "./ai/ai-faults.js";
import { type AiCall, CallLog } from "./ai/call-log.js";
import { completionsApi } from "./ai/completions-api.js";
import { developerAccess, loopbackOnly } from "./developer-access.js";
import { errorReply } from "./error-reply.js";
import { type Faults, faultRoutes } from "./faults.js";
import type { LocalServer } from "./local-server.js";

/** The AI provider's emulator. It answers chat completions with repeatable, plausible text and fails on request. */
export interface AiEmulator {
  readonly url: string;
  readonly faults: Faults<AiFault>;
  /** The newest thousand calls, oldest first. */
  calls(): readonly AiCall[];
  forgetCalls(): void;
  close(): Promise<void>;
}

export interface AiOptions {
  server: LocalServer;
  key: string;
  /** Names that `GET /v1/models` lists. Requests can use any name. */
  models: readonly string[];
  frontend: string;
}

export async function startAi({ server, key, models, frontend }: AiOptions): Promise<AiEmulator> {
  const faults = aiFaults();
  const log = new CallLog();
  const app = express();
  app.disable("x-powered-by");
  app.use(loopbackOnly(frontend));
  app.use(express.json({ limit: "4mb" }));
  const emulator: AiEmulator = {
    url: server.url,
    faults,
    calls: () => log.list(),
    forgetCalls: () => log.clear(),
    close: () => server.close(),
  };
  app.use(developerAccess(frontend), faultRoutes(faults), aiDeveloperRoutes(emulator));
  app.use(completionsApi({ key, models, faults, log }));
  app.use(errorReply);
  server.serve(app);
  return emulator;
}

/** `GET /dev/calls` lists the newest calls, `DELETE` clears the list. */
export function aiDeveloperRoutes(ai: AiEmulator): Router {
  const router = Router();
  router.get("/dev/calls", (_req, res) => {
    res.json({ calls: ai.calls() });
  });
  router.delete("/dev/calls", (_req, res) => {
    ai.forgetCalls();
    res.json({ calls: [] });
  });
  return router;
}
