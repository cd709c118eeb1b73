import type { Response } from "express";
import type { AiFault } from "./ai-faults.js";
import type { AiCall } from "./call-log.js";
import type { Completion } from "./completion.js";

interface SendOptions {
  includeUsage: boolean;
  fault: AiFault | undefined;
}

/** Sends a completion as one JSON body. @returns the outcome of the call. */
export async function sendJson(
  res: Response,
  completion: Completion,
  { fault }: SendOptions,
): Promise<AiCall["state"]> {
  if (fault?.kind === "slow") await pause(res, fault.firstByteMs);
  if (res.destroyed) return "aborted";
  const { content, refusal } = completion;
  const body = {
    id: completion.id,
    object: "chat.completion",
    created: completion.created,
    model: completion.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, refusal },
        logprobs: null,
        finish_reason: completion.finishReason,
      },
    ],
    usage: completion.usage,
    system_fingerprint: "fp_lyceum_emulator",
  };
  if (fault?.kind === "cut") {
    const bytes = Buffer.from(JSON.stringify(body));
    res.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
    res.write(bytes.subarray(0, bytes.length / 2), () => res.destroy());
    return "failed";
  }
  res.json(body);
  return "answered";
}

/** Sends a completion as server-sent events and ends with `[DONE]`. @returns the outcome of the call. */
export async function sendStream(
  res: Response,
  completion: Completion,
  options: SendOptions,
): Promise<AiCall["state"]> {
  const { fault } = options;
  const slow = fault?.kind === "slow" ? fault : undefined;
  const breaks = fault?.kind === "cut" || fault?.kind === "stall";
  const cutAfter = breaks ? (fault.afterChunks ?? 3) : Number.MAX_SAFE_INTEGER;
  await pause(res, slow?.firstByteMs);
  res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  for (const [position, chunk] of [...chunksOf(completion, options.includeUsage)].entries()) {
    if (position > 0) await pause(res, slow?.perChunkMs);
    if (res.destroyed) return "aborted";
    if (position >= cutAfter) {
      if (fault?.kind === "stall") return waitForDisconnect(res);
      if (fault?.kind === "cut" && fault.cleanly) res.end();
      else res.destroy();
      return "failed";
    }
    await writeText(res, `data: ${JSON.stringify(chunk)}\n\n`);
  }
  if (res.destroyed) return "aborted";
  res.end("data: [DONE]\n\n");
  return "answered";
}

/** Waits until the client has disconnected. */
export async function waitForDisconnect(res: Response): Promise<"aborted"> {
  if (!res.destroyed) await new Promise<void>((resolve) => res.once("close", resolve));
  return "aborted";
}

/** Resolves after the delay, or at once when the client disconnects. */
async function pause(res: Response, ms = 0): Promise<void> {
  if (ms === 0 || res.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    res.once("close", done);
    function done(): void {
      clearTimeout(timer);
      res.off("close", done);
      resolve();
    }
  });
}

/** Resolves when the text has been sent or the client has disconnected. */
function writeText(res: Response, text: string): Promise<void> {
  return new Promise((resolve) => res.write(text, () => resolve()));
}

function* chunksOf(completion: Completion, includeUsage: boolean): Generator<Record<string, unknown>> {
  const frame = {
    id: completion.id,
    object: "chat.completion.chunk",
    created: completion.created,
    model: completion.model,
    system_fingerprint: "fp_lyceum_emulator",
  };
  const usage = includeUsage ? { usage: null } : {};
  const chunk = (delta: Record<string, unknown>, finishReason: string | null) => ({
    ...frame,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...usage,
  });
  yield chunk({ role: "assistant", content: "", refusal: null }, null);
  for (const piece of completion.content?.split(/(?<=\s)(?=\S)/) ?? []) yield chunk({ content: piece }, null);
  if (completion.refusal !== null) yield chunk({ refusal: completion.refusal }, null);
  yield chunk({}, completion.finishReason);
  if (includeUsage) yield { ...frame, choices: [], usage: completion.usage };
}
