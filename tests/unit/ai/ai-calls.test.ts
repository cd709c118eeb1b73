import { pino } from "pino";
import { Registry } from "prom-client";
import { beforeEach, describe, expect, test } from "vitest";
import { type AiRequest, type AiSettings, createAi } from "../../../src/providers/openai/openai.js";
import { stateOf } from "../../assertions/ai-calls.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

/** The real client against the emulator, with times that a test can wait for. */
const server = await startTestServer({ own: "lets the AI fail, which other files would notice" });
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});

function client({ timeoutMs = 60_000, ...settings }: Partial<AiSettings> & { timeoutMs?: number } = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const metrics = new Registry();
  return { ai: createAi({ ...server.deps.config.ai, timeoutMs }, { log, metrics }, settings), lines, metrics };
}
const question = (more: Partial<AiRequest<string>> = {}): AiRequest<string> => ({
  purpose: "chat",
  messages: [{ role: "user", content: "What is a promise?" }],
  maxTokens: 500,
  read: (answer) => answer,
  ...more,
});

describe("an AI call", () => {
  test("that is in a hurry gives up early without blaming the provider", async () => {
    const { ai } = client({ maxFailures: 1 });
    // The first call loads the SDK, which may take longer than the second call has.
    await ai.ask(question());
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    await expect(ai.ask(question({ withinMs: 100 }))).rejects.toMatchObject({ reason: "too late" });
    await expect(ai.ask(question())).resolves.toEqual(expect.any(String));
  });

  test("waits for a free place no longer than it has time, and gets it when one is free", async () => {
    const { ai, lines } = client({ maxCalls: 1 });
    aiOf(server).faults.add({ kind: "slow", firstByteMs: 100, times: 1 });
    await Promise.all([ai.ask(question()), ai.ask(question({ withinMs: 5_000 }))]);
    expect(aiOf(server).calls()).toHaveLength(2);
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const leaving = new AbortController();
    const hanging = ai.ask(question({ signal: leaving.signal }));
    const hurried = ai.ask(question({ withinMs: 100 }));
    await expect(hurried).rejects.toMatchObject({ kind: "unavailable", reason: "no free place" });
    expect(lines.at(-1)).toMatchObject({ purpose: "chat", outcome: "refused", reason: "no free place" });
    leaving.abort();
    await expect(hanging).rejects.toMatchObject({ kind: "cancelled" });
  });

  test("is refused at once when as many as may wait already", async () => {
    const { ai, lines } = client({ maxCalls: 1 });
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const leaving = new AbortController();
    const { signal } = leaving;
    const outcomes = Promise.allSettled([ai.ask(question({ signal })), ai.ask(question({ signal }))]);
    const refused = ai.ask(question({ signal, withinMs: 5_000 }));
    await expect(refused).rejects.toMatchObject({ kind: "unavailable", reason: "too many calls" });
    expect(lines).toMatchObject([{ outcome: "refused", reason: "too many calls" }]);
    leaving.abort();
    await outcomes;
  });

  test("is logged and counted with its tokens and time, without prompt or answer", async () => {
    const { ai, lines, metrics } = client();
    await ai.askStreaming(question(), async () => undefined);
    expect(lines.pop()?.completionTokens).toBeGreaterThan(0);
    const answer = await ai.ask(question());
    expect(lines).toEqual([
      expect.objectContaining({
        purpose: "chat",
        outcome: "answered",
        model: server.deps.config.ai.model,
        ms: expect.any(Number),
        promptTokens: expect.any(Number),
        completionTokens: expect.any(Number),
      }),
    ]);
    expect(lines[0]?.promptTokens).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain("What is a promise?");
    expect(JSON.stringify(lines)).not.toContain(answer.slice(0, 20));
    const text = await metrics.metrics();
    expect(text).toContain('lyceum_ai_requests_total{purpose="chat",outcome="answered"} 2');
    expect(text).toMatch(/lyceum_ai_tokens_total\{purpose="chat",kind="completion"\} [1-9]/);
    expect(text).toContain('lyceum_ai_request_duration_seconds_count{purpose="chat"} 2');
    expect(text).toContain("lyceum_ai_requests_in_flight 0");
  });

  test.each(["truncation", "refusal"] as const)(
    "that costs tokens without a usable answer (%s) reports them all the same",
    async (kind) => {
      const { ai, lines, metrics } = client();
      aiOf(server).faults.add({ kind, times: 2 });
      await expect(ai.ask(question())).rejects.toMatchObject({ kind: "unusable" });
      aiOf(server).faults.add({ kind, times: 2 });
      await expect(ai.askStreaming(question(), async () => undefined)).rejects.toMatchObject({ kind: "unusable" });
      expect(lines.length).toBeGreaterThanOrEqual(3); // a stream whose text is out is not repeated
      for (const line of lines) {
        expect(line).toMatchObject({ outcome: "unusable", promptTokens: expect.any(Number), ms: expect.any(Number) });
        expect(line.completionTokens).toBeGreaterThan(0);
      }
      expect(await metrics.metrics()).toMatch(/lyceum_ai_tokens_total\{purpose="chat",kind="completion"\} [1-9]/);
    },
  );
});

test("the circuit breaker refuses calls for a bounded time, then one call decides and others pass beside it", async () => {
  const { ai, metrics } = client({ maxFailures: 2, refuseMs: 100 });
  aiOf(server).faults.add({ kind: "error", times: 2 });
  await expect(ai.ask(question())).rejects.toMatchObject({ reason: "status 500" });
  await expect(ai.ask(question())).rejects.toMatchObject({ kind: "unavailable", reason: "circuit open" });
  expect(aiOf(server).calls()).toHaveLength(2);
  expect(await metrics.metrics()).toContain("lyceum_ai_circuit_open 1");

  await new Promise((resolve) => setTimeout(resolve, 150));
  aiOf(server).faults.add({ kind: "hang", times: 1 });
  const leaving = new AbortController();
  const trial = ai.ask(question({ signal: leaving.signal }));
  await expect.poll(() => stateOf(server).at(-1)).toBe("running");
  await expect(ai.ask(question())).resolves.toEqual(expect.any(String));
  leaving.abort();
  await expect(trial).rejects.toMatchObject({ kind: "cancelled" });
  await expect(ai.ask(question())).resolves.toEqual(expect.any(String));
  expect(await metrics.metrics()).toContain("lyceum_ai_circuit_open 0");
});
