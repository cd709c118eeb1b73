import { z } from "zod";
import type { PromptMessage } from "./prompt.js";

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });
const Message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant"]),
  content: z.union([z.string(), z.array(Part), z.null()]).optional(),
});

const Schema = z.record(z.string(), z.unknown());
const ResponseFormat = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    json_schema: z.looseObject({ name: z.string(), schema: Schema.optional() }),
  }),
]);

const tuning = z.number().optional();
/** Parameters without effect: settings of sampling, accounting and speed, and values that ask for nothing. */
const withoutEffect = {
  temperature: tuning,
  top_p: tuning,
  presence_penalty: tuning,
  frequency_penalty: tuning,
  seed: tuning,
  logit_bias: z.record(z.string(), z.number()).optional(),
  reasoning_effort: z.string().optional(),
  verbosity: z.string().optional(),
  store: z.boolean().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
  service_tier: z.string().optional(),
  prompt_cache_key: z.string().optional(),
  prompt_cache_retention: z.string().optional(),
  logprobs: z.literal(false).optional(),
  modalities: z.tuple([z.literal("text")]).optional(),
  tool_choice: z.literal("none").optional(),
};

/** The parameters of a chat completion that the emulator supports. */
const CompletionRequest = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  response_format: ResponseFormat.optional(),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  stop: z.union([z.string(), z.array(z.string())]).optional(),
  n: z.literal(1).optional(),
  ...withoutEffect,
});
export type CompletionRequest = z.infer<typeof CompletionRequest>;

/** Parameters of the provider that the emulator refuses as a model without them does. */
const unsupported = new Set(
  `audio function_call functions logprobs modalities moderation parallel_tool_calls prediction tool_choice tools
  top_logprobs web_search_options`.split(/\s+/),
);

export interface RequestRefusal {
  message: string;
  param: string | null;
  code: string | null;
}

/** Reads the parameters of a request. Null counts as absent. */
export function readRequest(body: unknown): { request: CompletionRequest } | { refusal: RequestRefusal } {
  const given = Object.fromEntries(Object.entries(Object(body)).filter(([, value]) => value !== null));
  const { data: request, error } = CompletionRequest.safeParse(given);
  if (error) return { refusal: describeIssue(error.issues[0], given) };
  const parts = request.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const other = parts.find(({ type }) => type !== "text");
  if (!other) return { request };
  const message = `Invalid content type. ${other.type} is only supported by certain models.`;
  return { refusal: { message, param: "messages", code: null } };
}

function describeIssue(issue: z.core.$ZodIssue | undefined, given: Record<string, unknown>): RequestRefusal {
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const path = issue?.path ?? [];
  const name = unknown ?? String(path[0]);
  if (unsupported.has(name)) {
    const message = `Unsupported parameter: '${name}' is not supported with this model.`;
    return { message, param: name, code: "unsupported_parameter" };
  }
  if (unknown !== undefined) {
    return { message: `Unknown parameter: '${unknown}'.`, param: unknown, code: "unknown_parameter" };
  }
  const param = z.core.toDotPath(path);
  if (!(name in given)) {
    return { message: `Missing required parameter: '${param}'.`, param, code: "missing_required_parameter" };
  }
  if (name === "n") {
    const message = `Unsupported value: 'n' does not support ${given.n} with this model. Only the default (1) value is supported.`;
    return { message, param, code: "unsupported_value" };
  }
  return { param, ...describeValue(issue, param) };
}

function describeValue(issue: z.core.$ZodIssue | undefined, param: string): Pick<RequestRefusal, "message" | "code"> {
  if (issue?.code === "invalid_type") {
    return {
      message: `Invalid type for '${param}': expected a value of type ${issue.expected}.`,
      code: "invalid_type",
    };
  }
  if (issue?.code === "too_small") {
    const measure = issue.origin === "array" || issue.origin === "string" ? "its length" : "it";
    return {
      message: `Invalid '${param}': ${measure} is below the minimum of ${issue.minimum}.`,
      code: "invalid_value",
    };
  }
  const values = issue?.code === "invalid_value" ? issue.values.map((value) => `'${String(value)}'`).join(", ") : "";
  const hint = values === "" ? "" : ` Supported values are: ${values}.`;
  return { message: `Invalid value for '${param}'.${hint}`, code: "invalid_value" };
}

export function promptOf(request: CompletionRequest): PromptMessage[] {
  return request.messages.map(({ role, content }) => ({
    role,
    text: typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n"),
  }));
}

/** Estimates the number of tokens as four characters each. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}
