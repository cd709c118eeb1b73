import express, { Router } from "express";
import { aiFaults } from "./ai/ai-faults.js";
import { CallLog } from "./ai/call-log.js";
import { completionsApi } from "./ai/completions-api.js";
import type { OpenAiEmulator } from "./ai/openai-emulator.js";
import type { AnswerPrompt } from "./ai/prompt.js";
import { developerAccess, loopbackOnly } from "./developer-access.js";
import { errorReply } from "./error-reply.js";
import { faultRoutes } from "./fault-routes.js";
import type { LocalServer } from "./local-server.js";

export interface AiOptions {
  server: LocalServer;
  key: string;
  /** Names that `GET /v1/models` lists. Requests can use any name. */
  models: readonly string[];
  frontend: string;
  answerPrompt: AnswerPrompt;
}

export async function startAi({ server, key, models, frontend, answerPrompt }: AiOptions): Promise<OpenAiEmulator> {
  const faults = aiFaults();
  const log = new CallLog();
  const app = express();
  app.disable("x-powered-by");
  app.use(loopbackOnly(frontend));
  app.use(express.json({ limit: "4mb" }));
  const emulator: OpenAiEmulator = {
    url: server.url,
    faults,
    calls: () => log.list(),
    forgetCalls: () => log.clear(),
    close: () => server.close(),
  };
  app.use(developerAccess(frontend), faultRoutes(faults), aiDeveloperRoutes(emulator));
  app.use(completionsApi({ key, models, faults, log, answerPrompt }));
  app.use(errorReply);
  server.serve(app);
  return emulator;
}

/** `GET /dev/calls` lists the newest calls, `DELETE` clears the list. */
export function aiDeveloperRoutes(ai: OpenAiEmulator): Router {
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
