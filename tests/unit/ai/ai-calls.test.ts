import { pino } from "pino";
import { Registry } from "prom-client";
import { beforeEach, describe, expect, test } from "vitest";
import { createBreaker } from "../../../src/providers/openai/breaker.js";
import { type AiSettings, createAi } from "../../../src/providers/openai/openai.js";
import type { Question } from "../../../src/providers/openai/question.js";
import { stateOf } from "../../assertions/ai-calls.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

/** The real client against the emulator, with times that a test can wait for. */
const server = await startTestServer();
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
const question = (more: Partial<Question<string>> = {}): Question<string> => ({
  purpose: "chat",
  messages: [{ role: "user", content: "What is a promise?" }],
  maxTokens: 500,
  read: (answer) => answer,
  ...more,
});

describe("an AI call", () => {
  test("that hangs ends with its deadline, is stopped at the provider and not repeated", async () => {
    aiOf(server).faults.add({ kind: "hang" });
    await expect(client({ timeoutMs: 100 }).ai.ask(question())).rejects.toMatchObject({
      name: "AiFault",
      kind: "unavailable",
      reason: "too late",
    });
    await expect.poll(() => stateOf(server)).toEqual(["aborted"]);
  });

  test("whose stream stalls in the middle ends with its deadline", async () => {
    aiOf(server).faults.add({ kind: "slow", perChunkMs: 60 });
    let text = "";
    const asked = client({ timeoutMs: 400 }).ai.askStreaming(question(), async (piece) => {
      text += piece;
    });
    await expect(asked).rejects.toMatchObject({ kind: "unavailable", reason: "too late" });
    expect(text).not.toBe("");
    await expect.poll(() => stateOf(server)).toEqual(["aborted"]);
  });

  test("that is in a hurry gives up early without blaming the provider", async () => {
    const { ai } = client({ failuresToSpare: 1 });
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    await expect(ai.ask(question({ withinMs: 100 }))).rejects.toMatchObject({ reason: "too late" });
    await expect(ai.ask(question())).resolves.toEqual(expect.any(String));
  });

  test("finds no place when as many as may are in flight, and gets one when it waits long enough", async () => {
    const { ai, lines } = client({ places: 1, queueMs: 100 });
    aiOf(server).faults.add({ kind: "slow", firstByteMs: 400, times: 1 });
    const first = ai.ask(question());
    await expect(ai.ask(question())).rejects.toMatchObject({ kind: "unavailable", reason: "no free place" });
    expect(lines).toMatchObject([{ purpose: "chat", outcome: "refused", reason: "no free place" }]);
    await first;
    await expect(ai.ask(question())).resolves.toEqual(expect.any(String));
    expect(aiOf(server).calls()).toHaveLength(2);
  });

  test("finds no place to wait when as many as may wait already", async () => {
    const { ai, lines } = client({ places: 1, queueMs: 60_000 });
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const leaving = new AbortController();
    const { signal } = leaving;
    const [runs, waits] = [ai.ask(question({ signal })), ai.ask(question({ signal }))];
    const outcomes = Promise.allSettled([runs, waits]);
    const refused = ai.ask(question({ signal, withinMs: 5_000 }));
    await expect(refused).rejects.toMatchObject({ kind: "unavailable", reason: "too many calls" });
    expect(lines).toMatchObject([{ outcome: "refused", reason: "too many calls" }]);
    leaving.abort();
    await outcomes;
  });

  test("in a hurry waits for a place no longer than it has time", async () => {
    const { ai } = client({ places: 1, queueMs: 60_000 });
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const leaving = new AbortController();
    const first = ai.ask(question({ signal: leaving.signal }));
    await expect(ai.ask(question({ withinMs: 50 }))).rejects.toMatchObject({ reason: "no free place" });
    leaving.abort();
    await expect(first).rejects.toMatchObject({ kind: "cancelled" });
  });

  test("is logged and counted with its tokens and time, without prompt or answer", async () => {
    const { ai, lines, metrics } = client();
    const answer = await ai.ask(question());
    expect(lines).toEqual([
      expect.objectContaining({
        ...{ purpose: "chat", outcome: "answered", model: server.deps.config.ai.model },
        ...{ ms: expect.any(Number), promptTokens: expect.any(Number), completionTokens: expect.any(Number) },
      }),
    ]);
    expect(lines[0]?.promptTokens).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain("What is a promise?");
    expect(JSON.stringify(lines)).not.toContain(answer.slice(0, 20));
    const text = await metrics.metrics();
    expect(text).toContain('lyceum_ai_requests_total{purpose="chat",outcome="answered"} 1');
    expect(text).toMatch(/lyceum_ai_tokens_total\{purpose="chat",kind="completion"\} [1-9]/);
    expect(text).toContain('lyceum_ai_request_duration_seconds_count{purpose="chat"} 1');
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

  test("reports tokens of a stream as well", async () => {
    const { ai, lines } = client();
    await ai.askStreaming(question(), async () => undefined);
    expect(lines[0]?.completionTokens).toBeGreaterThan(0);
  });
});

describe("the circuit breaker", () => {
  test("opens after so many failures in a row, for a bounded time, and tries again", () => {
    let now = 0;
    const breaker = createBreaker(3, 5_000, () => now);
    breaker.failed();
    breaker.failed();
    breaker.succeeded();
    breaker.failed();
    breaker.failed();
    expect(breaker.open).toBe(false);
    breaker.failed();
    expect(breaker.open).toBe(true);
    now = 4_000;
    breaker.failed(); // was under way: does not prolong
    now = 5_000;
    expect(breaker.open).toBe(false);
    breaker.failed();
    expect(breaker.open).toBe(true);
    now = 10_000;
    expect(breaker.open).toBe(false);
    breaker.succeeded();
    breaker.failed();
    expect(breaker.open).toBe(false);
  });
});
