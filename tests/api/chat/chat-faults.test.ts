import { beforeEach, describe, expect, test } from "vitest";
import { callsAbout } from "../../assertions/ai-calls.js";
import { openChatStream, streamTurn } from "../../server/chat-stream.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";
import { postAndLeave } from "./leaving-client.js";

type Fault = Parameters<ReturnType<typeof aiOf>["faults"]["add"]>[0];

const server = await startTestServer({ own: "lets the AI fail, which other files would notice" });
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});

const ask = (token: string, content: string, sessionId?: string) =>
  server.post("/api/user/ai-chat", { content, ...(sessionId ? { sessionId } : {}) }, token);
const chatsOf = (userId: string) => server.deps.db.ChatSession.find({ userId }).lean();
const failed = { success: false, message: "Failed to generate AI response." };

describe("a turn that fails answers 500 and stores nothing", () => {
  const rows: [name: string, fault: Fault, calls: number][] = [
    ["500 every time", { kind: "error" }, 2],
    ["401", { kind: "error", status: 401 }, 1],
    ["400", { kind: "error", status: 400 }, 1],
    ["429 with a short pause, twice", { kind: "rate-limit", retryAfterSeconds: 0 }, 2],
    ["429 with a long pause", { kind: "rate-limit", retryAfterSeconds: 30 }, 1],
    ["a cut connection every time", { kind: "cut", afterChunks: 0 }, 2],
    ["a refusal", { kind: "refusal" }, 2],
    ["no end in time", { kind: "error", status: 408 }, 2],
    ["an empty answer", { kind: "empty" }, 2],
    ["a blank answer", { kind: "answer", content: " \n " }, 2],
  ];
  test.each(rows)("%s", async (_name, fault, calls) => {
    const { id, token } = await server.signedIn();
    const kept = (await ask(token, "before the fault")).body;
    for (const streaming of [false, true]) {
      aiOf(server).forgetCalls();
      aiOf(server).faults.add(fault);
      const accept = streaming ? "text/event-stream" : "application/json";
      const turn = { content: "during the fault", ...(streaming ? {} : { sessionId: kept.activeSessionId }) };
      const { status, body } = await server.post("/api/user/ai-chat", turn, token, { accept });
      expect({ status, body }).toEqual({ status: 500, body: failed });
      expect(aiOf(server).calls()).toHaveLength(calls);
      aiOf(server).faults.clear();
    }
    expect((await chatsOf(id)).map(({ messages }) => messages.length)).toEqual([2]);
    expect((await ask(token, "after the fault", kept.activeSessionId)).body.conversationHistory).toHaveLength(4);
  });
});

describe("a fault that passes costs a second attempt and nothing else", () => {
  const rows: [name: string, fault: Fault][] = [
    ["500", { kind: "error" }],
    ["429 with a short pause", { kind: "rate-limit", retryAfterSeconds: 0.1 }],
    ["a cut connection", { kind: "cut", afterChunks: 0 }],
    ["a refusal", { kind: "refusal" }],
    ["an empty answer", { kind: "empty" }],
  ];
  test.each(rows)("%s once", async (_name, fault) => {
    const { id, token } = await server.signedIn();
    aiOf(server).faults.add({ ...fault, times: 1 });
    expect((await ask(token, "please")).status).toBe(200);
    expect(aiOf(server).calls()).toHaveLength(2);
    aiOf(server).faults.add({ ...fault, times: 1 });
    const streamed = await streamTurn(server, token, { content: "please, streaming" });
    expect(streamed.events.at(-1)?.event).toBe("done");
    expect(await chatsOf(id)).toHaveLength(2);
  });
});

describe("a stream", () => {
  test("brings the answer piece by piece, then the reply that JSON would have brought", async () => {
    const { id, token } = await server.signedIn();
    const { response, events, text } = await streamTurn(server, token, { content: "What is a stream?" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(events.slice(0, -1).every(({ event }) => event === "delta")).toBe(true);
    expect(events.length).toBeGreaterThan(5);
    const { event, data } = events.at(-1) ?? { event: "", data: {} };
    expect(event).toBe("done");
    expect(Object.keys(data).sort()).toEqual(["activeSessionId", "conversationHistory", "response", "success"]);
    expect(data.response).toBe(text);
    const stored = (await server.get(`/api/user/chat/${data.activeSessionId}`, token)).body.messages;
    expect(stored).toEqual(data.conversationHistory);
    expect(await chatsOf(id)).toHaveLength(1);
  });

  test.each([
    ["cut", { kind: "cut", afterChunks: 6 }],
    ["ended early without saying so", { kind: "cut", afterChunks: 6, cleanly: true }],
    ["cut short by the length limit", { kind: "truncation" }],
  ] satisfies [string, Fault][])(
    "that is %s in mid-answer ends with an error event and stores nothing",
    async (_name, fault) => {
      const { id, token } = await server.signedIn();
      aiOf(server).faults.add(fault);
      const { response, events, text } = await streamTurn(server, token, { content: "tell me a lot" });
      expect(response.status).toBe(200);
      expect(text).not.toBe("");
      expect(events.at(-1)).toEqual({ event: "error", data: failed });
      expect(aiOf(server).calls()).toHaveLength(1);
      expect(await chatsOf(id)).toEqual([]);
    },
  );

  test("whose client goes away stops the provider's call and stores nothing", async () => {
    const { id, token } = await server.signedIn();
    aiOf(server).faults.add({ kind: "slow", perChunkMs: 25 });
    const { events, leave } = await openChatStream(server, token, { content: "I leave early" });
    await events.next();
    leave();
    await expect.poll(() => callsAbout(server, "I leave early").map(({ state }) => state)).toEqual(["aborted"]);
    await nothingInFlight();
    expect(await chatsOf(id)).toEqual([]);
  });
});

test("a client that goes away while JSON is being made stops the provider's call and stores nothing", async () => {
  const { id, token } = await server.signedIn();
  const sessionId = (await ask(token, "opening")).body.activeSessionId;
  aiOf(server).faults.add({ kind: "hang" });
  const { leave } = postAndLeave(server, "/api/user/ai-chat", { content: "I leave too", sessionId }, token);
  await expect.poll(() => callsAbout(server, "I leave too")).toHaveLength(1);
  await leave();
  await expect.poll(() => callsAbout(server, "I leave too").map(({ state }) => state)).toEqual(["aborted"]);
  await nothingInFlight();
  expect((await chatsOf(id)).map(({ messages }) => messages.length)).toEqual([2]);
  aiOf(server).faults.clear();
  expect((await ask(token, "back again", sessionId)).body.conversationHistory).toHaveLength(4);
});

async function nothingInFlight(): Promise<void> {
  await expect.poll(async () => (await server.get("/metrics")).body).toMatch(/lyceum_ai_requests_in_flight 0/);
}
