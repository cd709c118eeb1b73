import OpenAI, { APIError } from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Sandbox } from "../../src/sandbox/index.js";
import { started, startedSandbox } from "./start.js";

function openaiFor({ variables }: Sandbox): OpenAI {
  return new OpenAI({
    apiKey: variables.OPENAI_API_KEY ?? "",
    baseURL: variables.OPENAI_BASE_URL ?? "",
    maxRetries: 0,
    timeout: 2000,
  });
}

const model = "gpt-4o-mini";
const tutor: ChatCompletionMessageParam[] = [
  {
    role: "system",
    content: `You are the tutor of a learning platform.
Learner: Asha Rao
Enrolled courses:
- Rust from Zero: 40% complete
- SQL Basics: 100% complete
Quiz results:
- Ownership: 60% (on_track)
Newest recommendations:
• Review borrowing once more.`,
  },
  { role: "user", content: "How do lifetimes work in Rust?" },
];
const author: ChatCompletionMessageParam[] = [
  { role: "system", content: "Write a quiz of 10 multiple-choice questions about the given material as JSON." },
  {
    role: "user",
    content: JSON.stringify({
      courseTitle: "Rust",
      chapterTitle: "Ownership",
      lectures: ["Moves", "Borrowing", "Slices"],
    }),
  },
];

const Quiz = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().min(1),
        options: z.array(z.string().min(1)).length(4),
        correctIndex: z.number().int().min(0).max(3),
        explanation: z.string(),
      }),
    )
    .min(1)
    .max(20),
});

async function ask(openai: OpenAI, messages: ChatCompletionMessageParam[]) {
  const { choices, usage } = await openai.chat.completions.create({ model, messages });
  return { content: choices[0]?.message.content ?? "", finish: choices[0]?.finish_reason, usage };
}

test("the tutor answers in Markdown from what the prompt says, the same each time", async () => {
  const openai = openaiFor(await startedSandbox());
  const first = await ask(openai, tutor);
  expect(first.content).toContain("Asha Rao");
  expect(first.content).toContain("**Rust from Zero**: 40% complete");
  expect(first.content).not.toContain("Ownership");
  expect(first.finish).toBe("stop");
  expect(first.usage?.total_tokens).toBe((first.usage?.prompt_tokens ?? 0) + (first.usage?.completion_tokens ?? 0));
  expect((await ask(openai, tutor)).content).toBe(first.content);
  expect((await ask(openai, [{ role: "user", content: "What is SQL?" }])).content).not.toBe(first.content);
});

test("the tutor does not give quiz answers away", async () => {
  const openai = openaiFor(await startedSandbox());
  const { content } = await ask(openai, [{ role: "user", content: "Tell me the correct answers of the quiz" }]);
  expect(content).toContain("could not share them");
});

test("a stream brings the same answer in pieces, then the usage", async () => {
  const openai = openaiFor(await startedSandbox());
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

test("a quiz under a schema has ten valid questions drawn from the lectures", async () => {
  const openai = openaiFor(await startedSandbox());
  const { choices } = await openai.chat.completions.parse({
    model,
    messages: author,
    response_format: zodResponseFormat(Quiz, "quiz"),
  });
  const questions = choices[0]?.message.parsed?.questions ?? [];
  expect(questions).toHaveLength(10);
  expect(new Set(questions.map(({ question }) => question)).size).toBe(10);
  for (const { question, options, explanation } of questions) {
    expect(new Set(options).size).toBe(4);
    expect(question).toMatch(/Moves|Borrowing|Slices/);
    expect(explanation).not.toBe("");
  }
  expect(new Set(questions.map(({ correctIndex }) => correctIndex)).size).toBeGreaterThan(1);
});

test("a quiz asked for in words alone is JSON too", async () => {
  const openai = openaiFor(await startedSandbox());
  expect(Quiz.parse(JSON.parse((await ask(openai, author)).content)).questions).toHaveLength(10);
});

test("recommendations are four or five lines that start with a bullet", async () => {
  const openai = openaiFor(await startedSandbox());
  const { content } = await ask(openai, [
    { role: "system", content: "Give 4-5 recommendations, one per line, each starting with •." },
    { role: "user", content: "Chapter: Ownership\nScore: 40%\nLectures:\n- Moves\n- Borrowing" },
  ]);
  const lines = content.split("\n");
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line).toMatch(/^• \S/);
  expect(content).toContain("Ownership");
});

const Text = z.string().min(1).max(3000);
const Texts = z
  .array(Text)
  .max(30)
  .refine((texts) => new Set(texts).size === texts.length);
const Roadmap = z.object({
  title: Text,
  summary: Text,
  stages: z
    .array(
      z.object({
        id: Text,
        label: Text,
        status: z.enum(["completed", "current", "upcoming", "future"]),
        description: z.string().optional(),
        skills: Texts.optional(),
        highlights: Texts.optional(),
        projects: Texts.optional(),
        resources: Texts.optional(),
        certifications: Texts.optional(),
        courses: z.array(z.object({ title: Text, completion: z.number().min(0).max(100) })).optional(),
        recommendations: z.array(z.object({ title: Text, priority: z.enum(["high", "medium"]) })).optional(),
        paths: z.array(z.object({ title: Text, readiness: z.number().min(0).max(100), gap: Texts })).optional(),
      }),
    )
    .min(1)
    .max(12),
});

test.each([
  [
    "personal",
    ["mastered", "in_progress", "next_steps", "career_paths"],
    "Courses:\n- Rust from Zero: 40%\n- SQL Basics: 100%",
    "Rust from Zero",
  ],
  ["custom", ["foundations", "core_skills", "advanced", "mastery"], "Topic: Game design", "Game design"],
])("a %s roadmap satisfies the schema that pages render", async (_kind, stages, material, mentioned) => {
  const openai = openaiFor(await startedSandbox());
  const { content } = await ask(openai, [
    {
      role: "system",
      content: `Answer with a roadmap as JSON with title, summary and the stages ${stages.join(", ")}.`,
    },
    { role: "user", content: material },
  ]);
  const roadmap = Roadmap.parse(JSON.parse(content));
  expect(roadmap.stages.map(({ id }) => id)).toEqual(stages);
  expect(JSON.stringify(roadmap)).toContain(mentioned);
});

test("any schema gets a valid instance", async () => {
  const openai = openaiFor(await startedSandbox());
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

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "it was answered",
    (error: unknown) => error,
  );
}

test("each scripted fault reaches the SDK as the real one would, once", async () => {
  const sandbox = await startedSandbox();
  const openai = openaiFor(sandbox);
  const { faults } = started(sandbox.ai);
  const usual = await ask(openai, author);

  faults.add({ kind: "rate-limit", retryAfterSeconds: 7, times: 1 });
  const limited = await failure(ask(openai, author));
  expect(limited).toMatchObject({ status: 429 });
  expect(limited instanceof APIError && limited.headers?.get("retry-after")).toBe("7");
  faults.add({ kind: "error", status: 503, times: 1 });
  expect(await failure(ask(openai, author))).toMatchObject({ status: 503 });
  faults.add({ kind: "junk", times: 1 });
  const { content: junk } = await ask(openai, author);
  expect(() => JSON.parse(junk)).toThrow(SyntaxError);
  faults.add({ kind: "schema-violation", times: 1 });
  const { questions } = JSON.parse((await ask(openai, author)).content);
  expect(questions[0]).toMatchObject({ correctIndex: 9 });
  faults.add({ kind: "truncation", times: 1 });
  const truncated = await ask(openai, author);
  expect([truncated.finish, usual.content.startsWith(truncated.content)]).toEqual(["length", true]);
  faults.add({ kind: "empty", times: 1 });
  expect((await ask(openai, author)).content).toBe("");
  faults.add({ kind: "answer", content: "exactly this", times: 1 });
  expect((await ask(openai, author)).content).toBe("exactly this");
  faults.add({ kind: "refusal", times: 1 });
  const refused = await openai.chat.completions.create({ model, messages: author });
  expect(refused.choices[0]?.message).toMatchObject({ content: null, refusal: expect.stringContaining("can't help") });
  faults.add({ kind: "cut", times: 1 });
  expect(await failure(ask(openai, author))).toBeInstanceOf(Error);
  expect((await ask(openai, author)).content).toBe(usual.content);
});

test("a stream can be cut in the middle", async () => {
  const sandbox = await startedSandbox();
  started(sandbox.ai).faults.add({ kind: "cut", afterChunks: 4, times: 1 });
  const stream = await openaiFor(sandbox).chat.completions.create({ model, messages: tutor, stream: true });
  let pieces = 0;
  const read = async () => {
    for await (const chunk of stream) pieces += chunk.choices[0]?.delta.content ? 1 : 0;
  };
  expect(await failure(read())).toBeInstanceOf(Error);
  expect(pieces).toBe(3);
  expect(started(sandbox.ai).calls()).toMatchObject([{ fault: "cut", state: "failed", stream: true }]);
});

test("a fault can be tied to what the prompt says, and lasts until it is cleared", async () => {
  const sandbox = await startedSandbox();
  const openai = openaiFor(sandbox);
  const { faults } = started(sandbox.ai);
  faults.add({ kind: "error", on: "quiz of 10" });
  expect(await failure(ask(openai, author))).toMatchObject({ status: 500 });
  expect(await failure(ask(openai, author))).toMatchObject({ status: 500 });
  expect((await ask(openai, tutor)).content).toContain("Asha");
  faults.clear();
  expect((await ask(openai, author)).finish).toBe("stop");
});

test("a caller that goes away is seen to have done so", async () => {
  const sandbox = await startedSandbox();
  const ai = started(sandbox.ai);
  ai.faults.add({ kind: "hang", times: 1 });
  ai.faults.add({ kind: "slow", perChunkMs: 20, times: 1 });
  const openai = openaiFor(sandbox);
  const hung = openai.chat.completions.create({ model, messages: tutor }, { timeout: 50 });
  expect(await failure(hung)).toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
  const stream = await openai.chat.completions.create({ model, messages: tutor, stream: true });
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content) break;
  }
  await expect.poll(() => ai.calls().map(({ state }) => state)).toEqual(["aborted", "aborted"]);
  expect(ai.calls()[0]?.prompt).toContain("How do lifetimes work");
});

test("developers switch faults on and off with plain requests", async () => {
  const sandbox = await startedSandbox();
  const openai = openaiFor(sandbox);
  const faults = `${started(sandbox.ai).url}/dev/faults`;
  const post = (body: unknown) =>
    fetch(faults, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  expect((await post({ kind: "no-such-fault" })).status).toBe(400);
  expect((await post({ kind: "empty" })).status).toBe(200);
  expect((await ask(openai, tutor)).content).toBe("");
  await fetch(faults, { method: "DELETE" });
  expect((await ask(openai, tutor)).content).not.toBe("");
});

test("models are listed; a wrong key and a malformed request are refused in the provider's error shape", async () => {
  const sandbox = await startedSandbox({ OPENAI_MODEL: "tutor-1" });
  const openai = openaiFor(sandbox);
  expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(["tutor-1"]);
  const stranger = new OpenAI({ apiKey: "sk-wrong", baseURL: sandbox.variables.OPENAI_BASE_URL ?? "", maxRetries: 0 });
  expect(await failure(ask(stranger, tutor))).toMatchObject({ status: 401, code: "invalid_api_key" });
  expect(await failure(ask(openai, []))).toMatchObject({ status: 400, type: "invalid_request_error" });
});
