import type { AnswerPrompt, PromptMessage } from "./prompt.js";
import { type CompletionRequest, promptOf } from "./request.js";
import { instanceOf } from "./schema-instance.js";
import { Seeded } from "./seeded.js";

/** Answers a request by `answerPrompt`, or else with text that fits the wanted format. Equal requests get equal answers. */
export async function answerTo(
  request: CompletionRequest,
  answerPrompt: AnswerPrompt,
  requestId: string | undefined,
): Promise<string> {
  const messages = promptOf(request);
  const seed = messages.map(({ role, text }) => `${role}:${text}`).join("\n");
  const seeded = new Seeded(seed);
  const format = request.response_format;
  const schema = format?.type === "json_schema" ? (format.json_schema.schema ?? {}) : undefined;
  const given = await answerPrompt({
    model: request.model,
    ...(requestId === undefined ? {} : { requestId }),
    messages,
    format: schema ? "schema" : format?.type === "json_object" ? "json" : "text",
    ...(schema ? { schema } : {}),
    random: () => seeded.next(),
  });
  if (typeof given === "string") return given;
  if (schema) return JSON.stringify(instanceOf(schema, given, seed));
  if (given !== undefined) return JSON.stringify(given);
  const text = genericAnswer(messages);
  return format?.type === "json_object" ? JSON.stringify({ answer: text }) : text;
}

function genericAnswer(messages: readonly PromptMessage[]): string {
  const question = messages.findLast(({ role }) => role === "user")?.text ?? "";
  return [
    "This is an answer of the emulator, which has no model.",
    `> ${question.trim().replace(/\s+/g, " ").slice(0, 160)}`,
    "A model would answer here, in **Markdown** of about this length:\n\n1. It names the main idea.\n2. It shows an example.\n3. It says what to try next.",
  ].join("\n\n");
}
