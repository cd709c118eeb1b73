import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callsAbout, mostAtOnce } from "../../assertions/ai-calls.js";
import { streamTurn } from "../../server/chat-stream.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";
import { postAndLeave } from "./leaving-client.js";

/* Two instances on one database and one provider. */
const server = await startTestServer({ own: "lets the AI fail, which other files would notice" });
const other = await server.another();
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});
afterEach(() => {
  vi.useRealTimers();
});

const failed = { status: 500, body: { success: false, message: "Failed to generate AI response." } };
const ask = (token: string, content: string, sessionId?: string, on = server) =>
  on.post("/api/user/ai-chat", { content, sessionId }, token);
const storedChat = (sessionId: string) => server.deps.db.ChatSession.findOne({ sessionId }).lean();

/** A learner with a chat of one turn. */
async function openChat() {
  const learner = await server.signedIn();
  const sessionId = (await ask(learner.token, "opening")).body.activeSessionId as string;
  const chat = await storedChat(sessionId);
  return { ...learner, sessionId, lease: `chat:${chat?._id}` };
}
/** Lets another process hold the lease of a chat. */
const occupy = (lease: string, ms = 60_000) =>
  server.deps.db.Lease.create({ _id: lease, holder: "another process", expiresAt: new Date(Date.now() + ms) });
const release = (lease: string) => server.deps.db.Lease.deleteOne({ _id: lease });

test("many turns at once, streamed or not, on both instances: all pairs are kept in order, one call at a time", async () => {
  const { token, sessionId } = await openChat();
  aiOf(server).faults.add({ kind: "slow", firstByteMs: 15 });
  aiOf(server).forgetCalls();
  const ids = Array.from({ length: 6 }, (_q, i) => i);
  const done = await Promise.all(
    ids.map(async (i) => {
      const on = i % 2 === 0 ? server : other;
      if (i % 3 > 0) return (await ask(token, `send ${i}.`, sessionId, on)).body;
      return (await streamTurn(on, token, { content: `send ${i}.`, sessionId })).events.at(-1)?.data;
    }),
  );
  expect(done.map(({ success }) => success)).toEqual(ids.map(() => true));
  const calls = callsAbout(server, "send ");
  expect(mostAtOnce(calls)).toBe(1);
  expect(calls.map(({ messages }) => messages.length)).toEqual(ids.map((n) => 4 + 2 * n)); // each knows those before
  const messages = (await storedChat(sessionId))?.messages.slice(2) ?? [];
  expect(messages.map(({ role }) => role)).toEqual(ids.flatMap(() => ["user", "assistant"]));
  const pairs = messages.flatMap(({ content }, i) => (i % 2 === 0 ? [[content, messages[i + 1]?.content]] : []));
  expect(pairs.toSorted()).toEqual(ids.map((i) => [`send ${i}.`, done[i].response]).toSorted());
  const times = messages.map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("chats of one learner do not wait for one another", async () => {
  const one = await openChat();
  const two = (await ask(one.token, "another opening")).body.activeSessionId;
  aiOf(server).faults.add({ kind: "hang", on: "the slow one" });
  const asked = { content: "the slow one", sessionId: one.sessionId };
  const slow = postAndLeave(server, "/api/user/ai-chat", asked, one.token);
  await expect.poll(() => callsAbout(server, "the slow one")).toHaveLength(1);
  expect((await ask(one.token, "the quick one", two)).status).toBe(200);
  expect(callsAbout(server, "the slow one").map(({ state }) => state)).toEqual(["running"]);
  await slow.leave();
});

test("a turn whose process lost the lease stores nothing, and its call is stopped", async () => {
  const { token, sessionId, lease } = await openChat();
  aiOf(server).faults.add({ kind: "hang", times: 1 });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const hanging = ask(token, "taken for dead", sessionId);
  await expect.poll(() => callsAbout(server, "taken for dead")).toHaveLength(1);
  await server.deps.db.Lease.updateOne({ _id: lease }, { $set: { holder: "its successor" } });
  vi.advanceTimersByTime(10_000); // the lease is renewed in that time
  expect(await hanging).toMatchObject(failed);
  await expect.poll(() => callsAbout(server, "taken for dead").map(({ state }) => state)).toEqual(["aborted"]);
  expect((await storedChat(sessionId))?.messages).toHaveLength(2);
});

describe("a turn that waits", () => {
  test("gets its turn when the lease of a process that died expires", async () => {
    const { token, sessionId, lease } = await openChat();
    await occupy(lease, 400);
    const turn = ask(token, "anybody there?", sessionId);
    const streamed = streamTurn(other, token, { content: "and here?", sessionId });
    expect(await turn).toMatchObject({ status: 200, body: { activeSessionId: sessionId } });
    expect((await streamed).events.at(-1)?.event).toBe("done");
    expect((await storedChat(sessionId))?.messages).toHaveLength(6);
    expect(await server.deps.db.Lease.findById(lease).lean()).toBeNull();
  });

  test("waits no longer than two attempts at a call may take, then fails without having asked", async () => {
    const hasty = await server.another({ OPENAI_TIMEOUT_MS: "100" });
    const { token, sessionId, lease } = await openChat();
    await occupy(lease);
    for (const accept of ["application/json", "text/event-stream"]) {
      const answer = await hasty.post("/api/user/ai-chat", { content: "my turn?", sessionId }, token, { accept });
      expect(answer).toMatchObject(failed);
    }
    expect(callsAbout(hasty, "my turn?")).toEqual([]);
    expect((await storedChat(sessionId))?.messages).toHaveLength(2);
  });

  test("asks nothing when its client has gone away", async () => {
    const { token, sessionId, lease } = await openChat();
    await occupy(lease);
    const turn = postAndLeave(server, "/api/user/ai-chat", { content: "I cannot wait", sessionId }, token);
    await pause(200);
    await turn.leave();
    await release(lease);
    expect((await ask(token, "I can", sessionId)).body.conversationHistory).toHaveLength(4);
    expect(callsAbout(server, "I cannot wait")).toEqual([]);
  });

  test("goes on in a new chat when its own is deleted", async () => {
    const { token, sessionId, lease } = await openChat();
    await occupy(lease);
    const turn = ask(token, "kept all the same", sessionId, other);
    await pause(200);
    expect((await server.delete(`/api/user/chat/${sessionId}`, token)).status).toBe(200);
    await release(lease);
    const { status, body } = await turn;
    expect(status).toBe(200);
    expect(body.activeSessionId).not.toBe(sessionId);
    expect(body.conversationHistory).toHaveLength(2);
    expect(await storedChat(sessionId)).toBeNull();
  });
});
