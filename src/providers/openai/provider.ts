import OpenAI from "openai";
import { z } from "zod";
import type { Config } from "../../config.js";
import { boundedResponse } from "../bounds.js";
import { AiFault, type Tokens } from "./fault.js";

export interface AiMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What is sent to the model. */
export interface Prompt {
  readonly messages: readonly AiMessage[];
  readonly maxTokens: number;
  /** Longest answer that is taken, in UTF-16 units. */
  readonly longest?: number;
  /** JSON schema that the answer is asked to follow. It is a wish: what comes back is checked all the same. */
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> };
}

export interface Completion extends Tokens {
  readonly text: string;
}

/** Longest answer that is taken, in UTF-16 units, by default: a runaway model is stopped here. */
const longestAnswer = 1_000_000;

/** Longest reply that is read, in bytes: at most 8,000 tokens are asked for, each wrapped in some hundred bytes. */
const longestReply = 8 * 1024 * 1024;

/** One call of the provider, nothing repeated. `signal` bounds all of it, a stream's body included. */
export interface Provider {
  /** @throws AiFault when the answer is empty, cut short or a refusal; the SDK's errors otherwise. */
  whole(prompt: Prompt, signal: AbortSignal): Promise<Completion>;
  /**
   * The same, handing out the text as it comes, starting with the first that is not blank. A provider that does not
   * stream gives it in one piece.
   */
  streamed(prompt: Prompt, signal: AbortSignal, onText: (text: string) => Promise<void>): Promise<Completion>;
}

export function createProvider(config: Config["ai"]): Provider {
  const finished = new WeakSet<Response>();
  /** Not every provider knows schemas. */
  let takesSchemas = true;
  const client = new OpenAI({
    apiKey: config.apiKey,
    ...(config.baseUrl ? { baseURL: config.baseUrl } : {}),
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: config.timeoutMs,
    logLevel: "off",
    fetch: async (url, init) => endingAtDone(boundedResponse(await fetch(url, init), longestReply), finished),
  });
  const request = ({ messages, maxTokens, schema }: Prompt) => ({
    model: config.model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    max_completion_tokens: maxTokens,
    ...(schema && takesSchemas ? { response_format: { type: "json_schema" as const, json_schema: schema } } : {}),
  });

  /** After a refused request the next one goes without a schema; if that is refused as well, the schema was not why. */
  const refused = (error: unknown, schemaSent: boolean): unknown => {
    if (!(error instanceof OpenAI.APIError) || (error.status !== 400 && error.status !== 422)) return error;
    takesSchemas = !schemaSent;
    return schemaSent ? new AiFault("unavailable", `status ${error.status}`, 0, { cause: error, ours: true }) : error;
  };

  return {
    async whole(prompt, signal) {
      const asked = request(prompt);
      const reply = await client.chat.completions.create(asked, { signal }).catch((error: unknown) => {
        throw refused(error, "response_format" in asked);
      });
      return completionOf(reply, prompt);
    },

    async streamed(prompt, signal, onText) {
      const { data: stream, response } = await client.chat.completions
        .create({ ...request(prompt), stream: true, stream_options: { include_usage: true } }, { signal })
        .withResponse();
      if (response.headers.get("content-type")?.includes("application/json")) {
        const done = completionOf((await response.json()) as OpenAI.ChatCompletion, prompt);
        await onText(done.text);
        return done;
      }
      let text = "";
      let given = 0;
      let finish: string | null | undefined;
      let refusal: string | null | undefined;
      let usage: OpenAI.CompletionUsage | null | undefined;
      for await (const chunk of stream) {
        usage = chunk.usage ?? usage;
        const choice = chunk.choices?.[0];
        finish = choice?.finish_reason ?? finish;
        refusal = choice?.delta?.refusal || refusal;
        text += textIn(choice?.delta?.content);
        if (text.length > (prompt.longest ?? longestAnswer)) throw new AiFault("unusable", "endless", 0);
        if (text.length === given || text.trim() === "") continue;
        await onText(text.slice(given));
        given = text.length;
      }
      // The SDK ends an aborted stream as if it were complete, and one that was cut between two events too.
      signal.throwIfAborted();
      if (!finish && !finished.has(response)) throw new AiFault("unavailable", "cut", 250);
      return accepted({ text, finish, refusal, tokens: tokensOf(usage) }, prompt.longest);
    },
  };
}

/** What has to be in a reply. The rest differs from provider to provider. */
const Reply = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.unknown().optional(), refusal: z.unknown().optional() }) }))
    .min(1),
});

function completionOf(reply: OpenAI.ChatCompletion, { longest }: Prompt): Completion {
  const read = Reply.safeParse(reply);
  const tokens = tokensOf(reply?.usage);
  if (!read.success) {
    const missing = read.error.issues.map(({ path }) => path.join(".")).join(", ");
    throw new AiFault("unusable", `no ${missing || "object"} in the reply`, 0, { tokens });
  }
  const [choice] = reply.choices;
  const { content, refusal } = choice?.message ?? {};
  return accepted({ text: textIn(content), finish: choice?.finish_reason, refusal, tokens }, longest);
}

interface Answer {
  readonly text: string;
  readonly finish: string | null | undefined;
  readonly refusal: string | null | undefined;
  readonly tokens: Tokens;
}

function accepted({ text, finish, refusal, tokens }: Answer, longest = longestAnswer): Completion {
  const refused = (reason: string) => new AiFault("unusable", reason, 0, { tokens });
  if (refusal) throw refused("refusal");
  if (finish === "length") throw refused("truncated");
  if (finish === "content_filter") throw refused("filtered");
  if (text.trim() === "") throw refused("empty");
  if (text.length > longest) throw refused("endless");
  return { text, ...tokens };
}

/** Providers differ from their types: what is no text counts as none, what is no count as 0. */
const textIn = (content: unknown): string => (typeof content === "string" ? content : "");
const countIn = (count: unknown): number => (Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : 0);

const tokensOf = (usage: OpenAI.CompletionUsage | null | undefined): Tokens => ({
  promptTokens: countIn(usage?.prompt_tokens),
  completionTokens: countIn(usage?.completion_tokens),
});

/** How long a provider may take to end its response after its stream has come to the end. */
const endingMs = 1_000;

/**
 * Ends event streams at their `[DONE]`, which the SDK keeps to itself, and remembers those that came to it: a provider
 * that leaves the connection open afterwards holds up no caller.
 */
function endingAtDone(response: Response, finished: WeakSet<Response>): Response {
  if (!response.body || !response.headers.get("content-type")?.includes("text/event-stream")) return response;
  const reader = response.body.getReader();
  const decoder = new TextDecoder("latin1");
  let tail = "";
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (value) {
        tail = (tail + decoder.decode(value.subarray(-32))).slice(-40);
        controller.enqueue(value);
      }
      const atEnd = /^data: ?\[DONE\]\s*$/m.test(tail);
      if (atEnd) finished.add(watched);
      if (atEnd || done) controller.close();
      if (atEnd && !done) letEnd(reader);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  const watched = new Response(body, { status, statusText, headers });
  return watched;
}

/** A response that was read to its end leaves the connection for the next call. */
async function letEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const late = setTimeout(() => reader.cancel().catch(() => undefined), endingMs);
  try {
    while (!(await reader.read()).done);
  } catch {
    // Cut or aborted: all that was wanted is there.
  } finally {
    clearTimeout(late);
  }
}
