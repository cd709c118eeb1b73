import { z } from "zod";

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });
const Message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(Part), z.null()]).optional(),
});

const Schema = z.record(z.string(), z.unknown());
const ResponseFormat = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    json_schema: z.looseObject({ name: z.string(), schema: Schema }),
  }),
]);

/** The part of a chat-completion request that the emulator reads. */
export const CompletionRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  response_format: ResponseFormat.optional(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
});
export type CompletionRequest = z.infer<typeof CompletionRequest>;

/** A message with its text parts joined. */
export interface PromptMessage {
  role: string;
  text: string;
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
