import { zodResponseFormat } from "openai/helpers/zod";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type OpenAiOptions, startEmulators } from "../src/index.js";
import { ask, model, openaiFor, tutor } from "./ai-client.js";
import { startedEmulators } from "./start.js";

test("a prompt gets Markdown that quotes the question, the same each time", async () => {
  const openai = openaiFor(await startedEmulators());
  const first = await ask(openai, tutor);
  expect(first.content).toContain("> How do lifetimes work in Rust?");
  expect(first.finish).toBe("stop");
  expect(first.usage?.total_tokens).toBe((first.usage?.prompt_tokens ?? 0) + (first.usage?.completion_tokens ?? 0));
  expect((await ask(openai, tutor)).content).toBe(first.content);
  expect((await ask(openai, [{ role: "user", content: "What is SQL?" }])).content).not.toBe(first.content);
});

test("a request for a JSON object gets one", async () => {
  const openai = openaiFor(await startedEmulators());
  const { choices } = await openai.chat.completions.create({
    model,
    messages: tutor,
    response_format: { type: "json_object" },
  });
  expect(JSON.parse(choices[0]?.message.content ?? "")).toEqual({ answer: expect.stringContaining("lifetimes") });
});

const Product = z.object({ name: z.string(), price: z.number().min(1).max(9), tags: z.array(z.string()) });

test("the application writes answers: a text as it is, an object that the schema completes", async () => {
  const answer: OpenAiOptions["answer"] = ({ format, messages, random }) => {
    if (messages.at(-1)?.text === "draw") return String(random());
    if (format === "schema") return { name: "Lamp", price: 99 };
    return format === "json" ? { name: "Lamp" } : undefined;
  };
  const emulators = await startEmulators({ openai: { answer } });
  onTestFinished(() => emulators.close());
  const openai = openaiFor(emulators);
  const draw = await ask(openai, [{ role: "user", content: "draw" }]);
  expect(draw.content).toMatch(/^0\.\d+$/);
  expect((await ask(openai, [{ role: "user", content: "draw" }])).content).toBe(draw.content);
  const { choices } = await openai.chat.completions.parse({
    ...{ model, messages: tutor },
    response_format: zodResponseFormat(Product, "product"),
  });
  const product = Product.parse(choices[0]?.message.parsed);
  expect(product).toMatchObject({ name: "Lamp", price: expect.not.toBeOneOf([99]) });
  expect((await ask(openai, tutor)).content).toContain("emulator");
});

test("a stream brings the same answer in pieces, then the usage", async () => {
  const openai = openaiFor(await startedEmulators());
  const stream = await openai.chat.completions.create({
    model,
    messages: tutor,
    stream: true,
    stream_options: { include_usage: true },
  });
  const pieces: string[] = [];
  const finishes: (string | null)[] = [];
  let tokens: number | undefined;
  for await (const chunk of stream) {
    for (const { delta, finish_reason } of chunk.choices) {
      if (delta.content) pieces.push(delta.content);
      if (finish_reason) finishes.push(finish_reason);
    }
    tokens = chunk.usage?.completion_tokens ?? tokens;
  }
  const whole = await ask(openai, tutor);
  expect(pieces.length).toBeGreaterThan(20);
  expect(pieces.join("")).toBe(whole.content);
  expect(finishes).toEqual(["stop"]);
  expect(tokens).toBe(whole.usage?.completion_tokens);
});

test("any schema gets a valid instance", async () => {
  const openai = openaiFor(await startedEmulators());
  const Anything = z.object({
    kind: z.literal("report"),
    level: z.enum(["low", "high"]),
    count: z.number().int().min(3).max(5),
    ratio: z.number().gt(0).lt(1),
    maybe: z.string().nullable(),
    tags: z.array(z.string().min(2).max(8)).min(2).max(2),
    nested: z.object({ ok: z.boolean(), when: z.iso.datetime() }),
    either: z.union([z.object({ a: z.number() }), z.object({ b: z.string() })]),
  });
  for (const content of ["one", "two", "three", "four", "five"]) {
    const { choices } = await openai.chat.completions.parse({
      model,
      messages: [{ role: "user", content }],
      response_format: zodResponseFormat(Anything, "anything"),
    });
    expect(choices[0]?.message.parsed).toEqual(Anything.parse(choices[0]?.message.parsed));
  }
});

const Node: z.ZodType = z.object({
  label: z.string(),
  get children() {
    return z.array(Node);
  },
  get next() {
    return Node.nullable();
  },
});

test("a recursive schema gets an instance of limited depth", async () => {
  const openai = openaiFor(await startedEmulators());
  const schema = z.toJSONSchema(Node) as Record<string, unknown>;
  const { choices } = await openai.chat.completions.create({
    ...{ model, messages: tutor },
    response_format: { type: "json_schema", json_schema: { name: "node", schema } },
  });
  expect(Node.safeParse(JSON.parse(choices[0]?.message.content ?? "")).error).toBeUndefined();
});

const weather = { type: "function" as const, function: { name: "weather", parameters: {} } };

/** A request with the parameter, and the refusal as of a model without it. */
function unsupported(name: string, value: unknown): [object, string, string, string] {
  const message = `Unsupported parameter: '${name}' is not supported with this model.`;
  return [{ [name]: value }, message, name, "unsupported_parameter"];
}

test.each<[object, string, string, string]>([
  unsupported("tools", [weather]),
  unsupported("tool_choice", "auto"),
  unsupported("logprobs", true),
  unsupported("modalities", ["text", "audio"]),
  [
    { n: 2 },
    "Unsupported value: 'n' does not support 2 with this model. Only the default (1) value is supported.",
    "n",
    "unsupported_value",
  ],
  [{ messages: [] }, "Invalid 'messages': its length is below the minimum of 1.", "messages", "invalid_value"],
  [{ max_tokens: 0 }, "Invalid 'max_tokens': it is below the minimum of 1.", "max_tokens", "invalid_value"],
  [{ seed: "x" }, "Invalid type for 'seed': expected a value of type number.", "seed", "invalid_type"],
  [
    { messages: [{ role: "tool", content: "x" }] },
    "Invalid value for 'messages[0].role'. Supported values are: 'system', 'developer', 'user', 'assistant'.",
    "messages[0].role",
    "invalid_value",
  ],
  [
    { response_format: { type: "xml" } },
    "Invalid value for 'response_format.type'.",
    "response_format.type",
    "invalid_value",
  ],
  [{ temprature: 1 }, "Unknown parameter: 'temprature'.", "temprature", "unknown_parameter"],
  [{ messages: undefined }, "Missing required parameter: 'messages'.", "messages", "missing_required_parameter"],
])("a request with %o is refused as the provider refuses it", async (more, message, param, code) => {
  const openai = openaiFor(await startedEmulators());
  const call = openai.chat.completions.create({ model, messages: tutor, ...more });
  await expect(call).rejects.toMatchObject({
    status: 400,
    param,
    code,
    error: { message, type: "invalid_request_error" },
  });
});

test("an answer ends before the first stop sequence", async () => {
  const openai = openaiFor(await startedEmulators());
  const { content } = await ask(openai, tutor);
  const answer = async (stop: string | string[]) => {
    const { choices } = await openai.chat.completions.create({ model, messages: tutor, stop });
    return [choices[0]?.message.content, choices[0]?.finish_reason];
  };
  expect(await answer(["never said", "no model", "which"])).toEqual([
    content.slice(0, content.indexOf("which")),
    "stop",
  ]);
  expect(await answer(["never said"])).toEqual([content, "stop"]);
  expect(await answer("This")).toEqual(["", "stop"]);
});

test("settings without effect are accepted, an image is refused", async () => {
  const openai = openaiFor(await startedEmulators());
  const neutral = { logprobs: false, modalities: ["text" as const], tool_choice: "none" as const };
  const cache = { prompt_cache_key: "k", prompt_cache_retention: "24h" as const };
  const sampling = { temperature: 0.2, top_p: 1, seed: 7, logit_bias: { 50256: -100 } };
  const settings = { ...neutral, ...cache, ...sampling, user: "u1", stop: null, n: 1 };
  const { choices } = await openai.chat.completions.create({ model, messages: tutor, ...settings });
  expect(choices).toHaveLength(1);
  const content = [{ type: "image_url" as const, image_url: { url: "https://example.com/a.png" } }];
  const call = openai.chat.completions.create({ model, messages: [{ role: "user", content }] });
  await expect(call).rejects.toMatchObject({ status: 400, message: expect.stringContaining("Invalid content type") });
});
