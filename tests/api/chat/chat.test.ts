import { beforeEach, describe, expect, test } from "vitest";
import { fullChatBytes } from "../../../src/models/learning/chat-session.js";
import { callsAbout } from "../../assertions/ai-calls.js";
import { refusal } from "../../assertions/refusal.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const server = await startTestServer({ own: "lets the AI fail, which other files would notice" });
beforeEach(() => {
  aiOf(server).faults.clear();
});

const ask = (token: string, content: unknown, sessionId?: unknown) =>
  server.post("/api/user/ai-chat", { content, ...(sessionId === undefined ? {} : { sessionId }) }, token);

const chatsOf = (userId: string) => server.deps.db.ChatSession.find({ userId }).lean();

test("a question without a chat opens one, with it goes on; the answer carries the whole conversation", async () => {
  const { id, token } = await server.signedIn();
  const { status, body } = await ask(token, "  What is a closure?  ");
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    activeSessionId: expect.stringMatching(uuid),
    response: expect.any(String),
    conversationHistory: [
      { ...message, role: "user", content: "What is a closure?" },
      { ...message, role: "assistant", content: body.response },
    ],
  });
  const second = await ask(token, "second", body.activeSessionId);
  expect(second.body.activeSessionId).toBe(body.activeSessionId);
  expect(second.body.conversationHistory).toEqual([
    ...body.conversationHistory,
    { ...message, role: "user", content: "second" },
    { ...message, role: "assistant", content: second.body.response },
  ]);
  expect(await chatsOf(id)).toHaveLength(1);
});

const message = {
  _id: expect.stringMatching(/^[0-9a-f]{24}$/),
  createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
};

test.each([
  ["null", null],
  ["empty", ""],
  ["unknown", "2b1f8f5e-1d6f-4a57-9a50-6f3f9f4d2f11"],
  ["no uuid", "🙂 not an id"],
  ["a name that means something to the machine", "error"],
  ["a key of every object", "__proto__"],
])("a chat id that is %s opens a new chat", async (_case, sessionId) => {
  const { token } = await server.signedIn();
  const { status, body } = await ask(token, "hello there", sessionId);
  expect(status).toBe(200);
  expect(body.activeSessionId).toMatch(uuid);
  expect(body.activeSessionId).not.toBe(sessionId);
  expect(body.conversationHistory).toHaveLength(2);
});

test("another user's chat does not exist: asking opens a new one, reading and deleting find nothing", async () => {
  const owner = await server.signedIn();
  const stranger = await server.signedIn();
  const sessionId = (await ask(owner.token, "my secret question")).body.activeSessionId;

  const asked = await ask(stranger.token, "and mine", sessionId);
  expect(asked.body.activeSessionId).not.toBe(sessionId);
  expect(asked.body.conversationHistory).toHaveLength(2);
  const path = `/api/user/chat/${sessionId}`;
  expect(await server.get(path, stranger.token)).toMatchObject(refusal(404, "Chat session not found"));
  expect(await server.delete(path, stranger.token)).toMatchObject(refusal(404, "Chat not found"));
  const list = await server.post("/api/user/previous-chats", {}, stranger.token);
  expect(list.body.chats.map((chat: { sessionId: string }) => chat.sessionId)).toEqual([asked.body.activeSessionId]);
  expect((await server.get(path, owner.token)).body.messages).toHaveLength(2);
});

describe("bad input", () => {
  test("is refused and asks nothing of the provider", async () => {
    const { id, token } = await server.signedIn();
    aiOf(server).forgetCalls();
    for (const content of [undefined, "", " \n\t "]) {
      expect(await ask(token, content)).toMatchObject(refusal(400, "Missing message"));
    }
    for (const content of [42, null, ["hi"], { $gt: "" }, "x".repeat(4001), "🙂".repeat(4001)]) {
      expect(await ask(token, content)).toMatchObject(refusal(400, "Invalid request data"));
    }
    for (const sessionId of [7, {}, ["a"], { $ne: "" }]) {
      expect(await ask(token, "hello", sessionId)).toMatchObject(refusal(400, "Invalid request data"));
    }
    expect(aiOf(server).calls()).toEqual([]);
    expect(await chatsOf(id)).toEqual([]);
  });

  test("4000 characters are counted as users count them, after trimming", async () => {
    const { token } = await server.signedIn();
    const content = "🙂".repeat(4000);
    const { status, body } = await ask(token, ` ${content} `);
    expect(status).toBe(200);
    expect(body.conversationHistory[0].content).toBe(content);
  });

  test("the thirty-first question within ten minutes is refused", async () => {
    const { token } = await server.signedIn();
    const answers = await Promise.all(Array.from({ length: 31 }, () => ask(token, "")));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(30);
    expect(answers.find(({ status }) => status === 429)).toMatchObject(
      refusal(429, "Too many requests. Please wait a moment before sending another message."),
    );
  });
});

test("a chat that is deleted while the model is thinking stays deleted, and the turn is kept in a new one", async () => {
  const { id, token } = await server.signedIn();
  const sessionId = (await ask(token, "opening")).body.activeSessionId;
  aiOf(server).forgetCalls();
  aiOf(server).faults.add({ kind: "slow", firstByteMs: 300, times: 1 });
  const turn = ask(token, "still there?", sessionId);
  await expect.poll(() => callsAbout(server, "still there?")).toHaveLength(1);
  expect((await server.delete(`/api/user/chat/${sessionId}`, token)).body).toEqual({
    success: true,
    message: "Chat deleted successfully",
  });
  const { status, body } = await turn;
  expect(status).toBe(200);
  expect(body.activeSessionId).not.toBe(sessionId);
  expect((await chatsOf(id)).map((chat) => chat.sessionId)).toEqual([body.activeSessionId]);
});

test("a chat that is full goes on in a new one, and keeps what it has", async () => {
  const { id, token } = await server.signedIn();
  const sessionId = (await ask(token, "opening")).body.activeSessionId;
  await server.deps.db.ChatSession.updateOne({ sessionId }, { $set: { bytes: fullChatBytes } });
  const { status, body } = await ask(token, "one more", sessionId);
  expect(status).toBe(200);
  expect(body.activeSessionId).not.toBe(sessionId);
  expect(body.conversationHistory).toHaveLength(2);
  expect((await chatsOf(id)).map(({ messages }) => messages.length).sort()).toEqual([2, 2]);
});

describe("stored chats", () => {
  test("are listed newest created first with their first question", async () => {
    const { token } = await server.signedIn();
    const first = (await ask(token, "about loops")).body.activeSessionId;
    const second = (await ask(token, "about types")).body.activeSessionId;
    await ask(token, "more about loops", first);
    expect((await server.post("/api/user/previous-chats", {}, token)).body).toEqual({
      success: true,
      chats: [
        { _id: message._id, sessionId: second, messages: "about types", updatedAt: message.updatedAt },
        { _id: message._id, sessionId: first, messages: "about loops", updatedAt: message.updatedAt },
      ],
    });
  });

  test("are read whole and deleted once", async () => {
    const { token } = await server.signedIn();
    const { activeSessionId, conversationHistory } = (await ask(token, "about maps")).body;
    expect((await server.get(`/api/user/chat/${activeSessionId}`, token)).body).toEqual({
      success: true,
      _id: message._id,
      messages: conversationHistory,
    });
    expect((await server.delete(`/api/user/chat/${activeSessionId}`, token)).status).toBe(200);
    expect((await server.delete(`/api/user/chat/${activeSessionId}`, token)).status).toBe(404);
    expect((await server.get(`/api/user/chat/${activeSessionId}`, token)).status).toBe(404);
    expect((await server.post("/api/user/previous-chats", {}, token)).body).toEqual({ success: true, chats: [] });
  });
});
