import OpenAI, { APIError } from "openai";
import { expect, test } from "vitest";
import { ask, author, model, openaiFor, tutor } from "./ai-client.js";
import { started, startedEmulators } from "./start.js";

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "it was answered",
    (error: unknown) => error,
  );
}

test("each scripted fault reaches the SDK as the real one would, once", async () => {
  const emulators = await startedEmulators();
  const openai = openaiFor(emulators);
  const { faults } = started(emulators.openai);
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
  const json = { model, messages: author, response_format: { type: "json_object" as const } };
  const violating = await openai.chat.completions.create(json);
  expect(JSON.parse(violating.choices[0]?.message.content ?? "")).toEqual({ answer: expect.any(Number) });
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
  const emulators = await startedEmulators();
  started(emulators.openai).faults.add({ kind: "cut", afterChunks: 4, times: 1 });
  const stream = await openaiFor(emulators).chat.completions.create({ model, messages: tutor, stream: true });
  let pieces = 0;
  const read = async () => {
    for await (const chunk of stream) pieces += chunk.choices[0]?.delta.content ? 1 : 0;
  };
  expect(await failure(read())).toBeInstanceOf(Error);
  expect(pieces).toBe(3);
  expect(started(emulators.openai).calls()).toMatchObject([{ fault: "cut", state: "failed", stream: true }]);
});

test("a fault can be tied to what the prompt says, and lasts until it is cleared", async () => {
  const emulators = await startedEmulators();
  const openai = openaiFor(emulators);
  const { faults } = started(emulators.openai);
  faults.add({ kind: "error", on: "quiz of 10" });
  expect(await failure(ask(openai, author))).toMatchObject({ status: 500 });
  expect(await failure(ask(openai, author))).toMatchObject({ status: 500 });
  expect((await ask(openai, tutor)).content).toContain("lifetimes");
  faults.clear();
  expect((await ask(openai, author)).finish).toBe("stop");
});

test("a caller that goes away is seen to have done so", async () => {
  const emulators = await startedEmulators();
  const ai = started(emulators.openai);
  ai.faults.add({ kind: "hang", times: 1 });
  ai.faults.add({ kind: "slow", perChunkMs: 30_000, times: 1 });
  const openai = openaiFor(emulators);
  const states = () => ai.calls().map(({ state }) => state);
  const caller = new AbortController();
  const hung = failure(openai.chat.completions.create({ model, messages: tutor }, { signal: caller.signal }));
  await expect.poll(states).toEqual(["running"]);
  caller.abort();
  expect(await hung).toBeInstanceOf(OpenAI.APIUserAbortError);
  const stream = await openai.chat.completions.create({ model, messages: tutor, stream: true });
  for await (const chunk of stream) {
    if (chunk.choices[0]) break;
  }
  await expect.poll(states).toEqual(["aborted", "aborted"]);
  expect(ai.calls()[0]?.prompt).toContain("How do lifetimes work");
});

test("developers switch faults on and off with plain requests", async () => {
  const emulators = await startedEmulators();
  const openai = openaiFor(emulators);
  const faults = `${started(emulators.openai).url}/dev/faults`;
  const post = (body: unknown) =>
    fetch(faults, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  expect((await post({ kind: "no-such-fault" })).status).toBe(400);
  expect((await post({ kind: "empty" })).status).toBe(200);
  expect((await ask(openai, tutor)).content).toBe("");
  await fetch(faults, { method: "DELETE" });
  expect((await ask(openai, tutor)).content).not.toBe("");
});

test("models are listed; a wrong key and a malformed request are refused in the provider's error shape", async () => {
  const emulators = await startedEmulators({ env: { OPENAI_MODEL: "tutor-1" } });
  const openai = openaiFor(emulators);
  expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(["tutor-1"]);
  const stranger = new OpenAI({
    apiKey: "sk-wrong",
    baseURL: emulators.env.OPENAI_BASE_URL ?? "",
    maxRetries: 0,
  });
  expect(await failure(ask(stranger, tutor))).toMatchObject({ status: 401, code: "invalid_api_key" });
  expect(await failure(ask(openai, []))).toMatchObject({ status: 400, type: "invalid_request_error" });
});
