import OpenAI from "openai";
import type { Config } from "../../config.js";
import { AiFault } from "./fault.js";

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

export interface Completion {
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Longest answer that is taken, in UTF-16 units, unless told otherwise: a runaway model is stopped here. */
const longestAnswer = 1_000_000;

/** One call of the provider, nothing repeated. `signal` bounds all of it, a stream's body included. */
export interface Provider {
  /** @throws AiFault when the answer is empty, cut short or a refusal; the SDK's errors otherwise. */
  whole(prompt: Prompt, signal: AbortSignal): Promise<Completion>;
  /**
   * The same, handing out the text as it comes, starting with the first that is not blank. A provider that does not stream
   * gives it in one piece.
   */
  streamed(prompt: Prompt, signal: AbortSignal, onText: (text: string) => Promise<void>): Promise<Completion>;
}

export function createProvider(config: Config["ai"], timeoutMs: number): Provider {
  const finished = new WeakSet<Response>();
  /** Not every provider knows schemas. */
  let takesSchemas = true;
  const client = new OpenAI({
    apiKey: config.apiKey,
    ...(config.baseUrl ? { baseURL: config.baseUrl } : {}),
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: "off",
    fetch: async (url, init) => noticingEnd(await fetch(url, init), finished),
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
        text += choice?.delta?.content ?? "";
        if (text.length > (prompt.longest ?? longestAnswer)) throw new AiFault("unusable", "endless", 0);
        if (text.length === given || text.trim() === "") continue;
        await onText(text.slice(given));
        given = text.length;
      }
      // The SDK ends an aborted stream as if it were complete, and one that was cut between two events too.
      signal.throwIfAborted();
      if (!finish && !finished.has(response)) throw new AiFault("unavailable", "cut", 250);
      return { text: accepted(text, finish, refusal, prompt.longest), ...tokens(usage) };
    },
  };
}

function completionOf(reply: OpenAI.ChatCompletion, { longest }: Prompt): Completion {
  const choice = reply.choices?.[0];
  const { content, refusal } = choice?.message ?? {};
  return { text: accepted(content, choice?.finish_reason, refusal, longest), ...tokens(reply.usage) };
}

function accepted(
  text: unknown,
  finish: string | null | undefined,
  refusal: string | null | undefined,
  longest = longestAnswer,
): string {
  if (refusal) throw new AiFault("unusable", "refusal", 0);
  if (finish === "length") throw new AiFault("unusable", "truncated", 0);
  if (finish === "content_filter") throw new AiFault("unusable", "filtered", 0);
  if (typeof text !== "string" || text.trim() === "") throw new AiFault("unusable", "empty", 0);
  if (text.length > longest) throw new AiFault("unusable", "endless", 0);
  return text;
}

const tokens = (usage: OpenAI.CompletionUsage | null | undefined) => ({
  promptTokens: usage?.prompt_tokens ?? 0,
  completionTokens: usage?.completion_tokens ?? 0,
});

/** Remembers event streams that came to their `[DONE]`, which the SDK keeps to itself. */
function noticingEnd(response: Response, finished: WeakSet<Response>): Response {
  if (!response.body || !response.headers.get("content-type")?.includes("text/event-stream")) return response;
  const decoder = new TextDecoder("latin1");
  let tail = "";
  const watched = new Response(
    response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          tail = (tail + decoder.decode(chunk.subarray(-32))).slice(-40);
          controller.enqueue(chunk);
        },
        flush() {
          if (/^data: ?\[DONE\]\s*$/m.test(tail)) finished.add(watched);
        },
      }),
    ),
    { status: response.status, statusText: response.statusText, headers: response.headers },
  );
  return watched;
}
