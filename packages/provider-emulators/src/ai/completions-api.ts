import { type NextFunction, type Request, type Response, Router } from "express";
import { bearerToken, sameText } from "../credentials.js";
import type { Faults } from "../faults.js";
import type { AiFault } from "./ai-faults.js";
import type { AiCall, CallLog } from "./call-log.js";
import { complete } from "./completion.js";
import type { AnswerPrompt } from "./prompt.js";
import { type CompletionRequest, promptOf, readRequest } from "./request.js";
import { sendJson, sendStream, waitForDisconnect } from "./send.js";

/** Serves chat completions and the list of models. It expects parsed JSON bodies. */
export function completionsApi(parts: {
  key: string;
  models: readonly string[];
  faults: Faults<AiFault>;
  log: CallLog;
  answerPrompt: AnswerPrompt;
}) {
  const { key, models, faults, log, answerPrompt } = parts;
  const router = Router();

  router.use("/v1", (req: Request, res: Response, next: NextFunction) => {
    if (sameText(bearerToken(req), key)) next();
    else fail(res, 401, "Incorrect API key provided.", "invalid_api_key");
  });

  router.get("/v1/models", (_req, res) => {
    res.json({ object: "list", data: models.map((id) => ({ id, object: "model", created: 0, owned_by: "emulator" })) });
  });

  router.post("/v1/chat/completions", async (req, res) => {
    const read = readRequest(req.body);
    if ("refusal" in read) return fail(res, 400, read.refusal.message, read.refusal.code, read.refusal.param);
    const { request } = read;
    const messages = promptOf(request);
    const prompt = messages.map(({ text }) => text).join("\n");
    const fault = faults.take((on) => prompt.includes(on));
    const call: AiCall = {
      at: Date.now(),
      endedAt: null,
      model: request.model,
      messages,
      prompt,
      stream: request.stream === true,
      fault: fault?.kind ?? null,
      state: "running",
    };
    log.begin(call);
    call.state = await answer(request, fault, res, answerPrompt, req.get("x-client-request-id"));
    call.endedAt = Date.now();
  });

  router.use("/v1", (req, res) => fail(res, 404, `Unknown request URL: ${req.method} ${req.path}.`, "unknown_url"));
  return router;
}

async function answer(
  request: CompletionRequest,
  fault: AiFault | undefined,
  res: Response,
  answerPrompt: AnswerPrompt,
  requestId: string | undefined,
): Promise<AiCall["state"]> {
  switch (fault?.kind) {
    case "rate-limit":
      res.set("retry-after", String(fault.retryAfterSeconds ?? 1));
      fail(res, 429, "Rate limit reached for requests.", "rate_limit_exceeded");
      return "failed";
    case "error":
      fail(res, fault.status ?? 500, "The server had an error while processing your request.", null);
      return "failed";
    case "hang":
      return waitForDisconnect(res);
    default: {
      if (fault?.kind === "stall" && request.stream !== true) return waitForDisconnect(res);
      const completion = await complete(request, fault, answerPrompt, requestId);
      const options = { includeUsage: request.stream_options?.include_usage === true, fault };
      return request.stream === true ? sendStream(res, completion, options) : sendJson(res, completion, options);
    }
  }
}

/** Builds the provider's error shape. */
function fail(res: Response, status: number, message: string, code: string | null, param: string | null = null): void {
  const type = status >= 500 ? "server_error" : status === 429 ? "requests" : "invalid_request_error";
  res.status(status).json({ error: { message, type, param, code } });
}
