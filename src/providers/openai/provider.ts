import { randomUUID } from "node:crypto";
import OpenAI from "openai";
import { z } from "zod";
import type { Config } from "../../config.js";
import { boundedResponse } from "../../lib/bounded-response.js";
import type { AiPurpose } from "./ai-record.js";
import { AnswerText } from "./answer-text.js";
import { AiFault, type Tokens } from "./fault.js";

export interface AiMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** A request to the model. */
export interface Prompt {
  readonly purpose: AiPurpose;
  readonly messages: readonly AiMessage[];
  readonly maxTokens: number;
  /** Longest accepted answer in UTF-16 units. */
  readonly maxLength?: number;
  /** JSON schema that the model is asked to follow. The answer is checked in any case. */
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> } | undefined;
}

export interface CompleteAnswer extends Tokens {
  /** The answer without what the model thought aloud. */
  readonly text: string;
  /** The answer began with thoughts that only a closing tag told from it. */
  readonly beganInThought: boolean;
}

export interface Sending {
  readonly onText: (text: string) => Promise<void>;
  /** The answer may begin in thoughts: nothing is forwarded before a closing tag, or the end. */
  readonly mayBeginInThought: boolean;
}

/** Sends single requests without retries. `signal` limits a request, including the body of a stream. */
export interface Provider {
  /** @throws AiFault when the answer is empty, cut short or a refusal; the SDK's errors otherwise. */
  complete(prompt: Prompt, signal: AbortSignal): Promise<CompleteAnswer>;
  /** Forwards the text as it arrives, from the first text that is not blank. @throws as `complete`. */
  stream(prompt: Prompt, signal: AbortSignal, sending: Sending): Promise<CompleteAnswer>;
}

/** Longest answer in UTF-16 units, unless the prompt says less. */
const defaultMaxLength = 1_000_000;

/** Longest reply. Prompts allow at most 8,000 tokens, and the provider sends a few hundred bytes for each token. */
const maxReplyBytes = 8 * 1024 * 1024;

/**
 * The SDK's retries are off, because failed requests and unusable answers share one limit of attempts. The SDK's timeout
 * ends with the head of the response, so that `signal` has to hold the deadline.
 */
export function createProvider(config: Config["ai"]): Provider {
  const client = new OpenAI({
    apiKey: config.apiKey,
    baseURL: config.baseUrl ?? null,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: "off",
    fetch: async (url, init) => boundedResponse(await fetch(url, init), maxReplyBytes),
  });
  const toRequest = ({ messages, maxTokens, schema }: Prompt) => ({
    model: config.model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    max_completion_tokens: maxTokens,
    ...(schema && { response_format: { type: "json_schema" as const, json_schema: schema } }),
  });

  /** The id helps the provider's support. Its start tells an emulator what to answer. */
  const toOptions = ({ purpose }: Prompt, signal: AbortSignal) => ({
    signal,
    headers: { "X-Client-Request-Id": `${purpose}-${randomUUID()}` },
  });

  return {
    async complete(prompt, signal) {
      return readReply(await client.chat.completions.create(toRequest(prompt), toOptions(prompt, signal)), prompt);
    },

    async stream(prompt, signal, { onText, mayBeginInThought }) {
      const request = { ...toRequest(prompt), stream: true as const, stream_options: { include_usage: true } };
      const stream = await client.chat.completions.create(request, toOptions(prompt, signal));
      const answer = new AnswerText();
      let length = 0;
      let sent = { length: 0, restarts: 0 };
      const sendNew = async () => {
        const { text, restarts } = answer;
        const sentLength = restarts === sent.restarts ? sent.length : 0;
        if (text.length === sentLength || (sentLength === 0 && text.trim() === "")) return;
        sent = { length: text.length, restarts };
        await onText(text.slice(sentLength));
      };
      let finish: string | null | undefined;
      let refusal: string | null | undefined;
      let usage: OpenAI.CompletionUsage | null | undefined;
      for await (const chunk of stream) {
        usage = chunk.usage ?? usage;
        const choice = chunk.choices?.[0];
        finish = choice?.finish_reason ?? finish;
        refusal = choice?.delta?.refusal || refusal;
        const piece = toText(choice?.delta?.content);
        length += piece.length;
        if (length > (prompt.maxLength ?? defaultMaxLength)) throw unusable("endless", toTokens(usage));
        answer.add(piece);
        signal.throwIfAborted();
        if (!mayBeginInThought || answer.restarts > 0) await sendNew();
      }
      // The SDK ends an aborted stream, or one that was cut between two events, as if it were complete.
      signal.throwIfAborted();
      if (!finish) throw new AiFault("unavailable", "cut", { retryInMs: 250 });
      const completion = checkAnswer({ answer, finish, refusal, tokens: toTokens(usage) });
      await sendNew();
      return completion;
    },
  };
}

/** Fields that every reply must have. The rest differs from provider to provider. */
const Reply = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.unknown().optional(), refusal: z.unknown().optional() }) }))
    .min(1),
});

function readReply(reply: OpenAI.ChatCompletion, { maxLength = defaultMaxLength }: Prompt): CompleteAnswer {
  const read = Reply.safeParse(reply);
  const tokens = toTokens(reply?.usage);
  if (!read.success) {
    const missing = read.error.issues.map(({ path }) => path.join(".")).join(", ");
    throw unusable(`no ${missing || "object"} in the reply`, tokens);
  }
  const [choice] = reply.choices;
  const { content, refusal } = choice?.message ?? {};
  const text = toText(content);
  if (text.length > maxLength) throw unusable("endless", tokens);
  const answer = new AnswerText();
  answer.add(text);
  return checkAnswer({ answer, finish: choice?.finish_reason, refusal, tokens });
}

interface Answer {
  readonly answer: AnswerText;
  readonly finish: string | null | undefined;
  readonly refusal: string | null | undefined;
  readonly tokens: Tokens;
}

function checkAnswer({ answer, finish, refusal, tokens }: Answer): CompleteAnswer {
  if (refusal) throw unusable("refusal", tokens);
  if (finish === "length") throw unusable("truncated", tokens);
  if (finish === "content_filter") throw unusable("filtered", tokens);
  answer.end();
  const { text, restarts } = answer;
  if (text.trim() === "") throw unusable("empty", tokens);
  return { text, beganInThought: restarts > 0, ...tokens };
}

const unusable = (reason: string, tokens: Tokens) => new AiFault("unusable", reason, { retryInMs: 0, tokens });

/** Providers differ from the SDK's types: other content counts as no text, other numbers count as 0. */
const toText = (content: unknown): string => (typeof content === "string" ? content : "");
const toCount = (count: unknown): number => (Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : 0);
const toTokens = (usage: OpenAI.CompletionUsage | null | undefined): Tokens => ({
  promptTokens: toCount(usage?.prompt_tokens),
  completionTokens: toCount(usage?.completion_tokens),
});
