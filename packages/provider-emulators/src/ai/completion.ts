import { createHash } from "node:crypto";
import type { AiFault } from "./ai-faults.js";
import { answerTo } from "./answer.js";
import type { AnswerPrompt } from "./prompt.js";
import { type CompletionRequest, promptOf, tokensIn } from "./request.js";

/** A finished answer that is later sent as JSON or as a stream. */
export interface Completion {
  id: string;
  model: string;
  /** Time of the answer, in seconds since the epoch. */
  created: number;
  content: string | null;
  refusal: string | null;
  finishReason: "stop" | "length";
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** Answers a request and applies a fault that changes the content. */
export async function complete(
  request: CompletionRequest,
  fault: AiFault | undefined,
  answerPrompt: AnswerPrompt,
  requestId?: string,
): Promise<Completion> {
  const prompt = promptOf(request)
    .map(({ text }) => text)
    .join("\n");
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Number.MAX_SAFE_INTEGER;
  const answer = await answerTo(request, answerPrompt, requestId);
  const altered = alter(answer.slice(0, indexOfStop(answer, request.stop)), fault);
  const cut = altered.content !== null && tokensIn(altered.content) > limit;
  const content = cut ? (altered.content?.slice(0, limit * 4) ?? null) : altered.content;
  const used = tokensIn(prompt);
  const made = tokensIn(content ?? altered.refusal ?? "");
  return {
    id: `chatcmpl-${createHash("sha256").update(JSON.stringify(request)).digest("hex").slice(0, 29)}`,
    model: request.model,
    created: Math.floor(Date.now() / 1000),
    content,
    refusal: altered.refusal,
    finishReason: cut ? "length" : altered.finishReason,
    usage: { prompt_tokens: used, completion_tokens: made, total_tokens: used + made },
  };
}

/** Returns the position of the first stop sequence, or the length of the text. */
function indexOfStop(text: string, stop: string | string[] = []): number {
  const positions = [stop]
    .flat()
    .filter(Boolean)
    .map((sequence) => text.indexOf(sequence));
  return Math.min(text.length, ...positions.filter((position) => position >= 0));
}

function alter(
  usual: string,
  fault: AiFault | undefined,
): Pick<Completion, "refusal" | "finishReason"> & { content: string | null } {
  const whole = { content: usual, refusal: null, finishReason: "stop" as const };
  switch (fault?.kind) {
    case "junk":
      return { ...whole, content: 'Certainly! Here is what you asked for: {"title": "Untitled", "items": [{"a": }' };
    case "schema-violation":
      return { ...whole, content: violate(usual) };
    case "refusal":
      return { content: null, refusal: "I'm sorry, but I can't help with that.", finishReason: "stop" };
    case "truncation":
      return { content: usual.slice(0, Math.ceil(usual.length / 2)), refusal: null, finishReason: "length" };
    case "empty":
      return { ...whole, content: "" };
    case "answer":
      return { ...whole, content: fault.content };
    default:
      return whole;
  }
}

/** Replaces texts of the JSON by numbers, and numbers and booleans by texts. It keeps prose. */
function violate(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), (_key, value: unknown) => {
      if (typeof value === "string") return value.length;
      return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    });
  } catch {
    return json;
  }
}
