import { beforeEach, describe, expect, test } from "vitest";
import { callsAbout, mostAtOnce } from "../../assertions/ai-calls.js";
import { commandsDuring } from "../../assertions/commands.js";
import { streamTurn } from "../../server/chat-stream.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

/** Two instances on one database and one provider. */
const server = await startTestServer({ watchCommands: true });
const other = await server.another();
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});

const failed = { status: 500, body: { success: false, message: "Failed to generate AI response." } };
const ask = (token: string, content: string, sessionId?: string, on = server) =>
  on.post("/api/user/ai-chat", { content, sessionId }, token);
const stored = (sessionId: string) => server.deps.db.ChatSession.findOne({ sessionId }).lean();
const lineOf = async (sessionId: string) => (await stored(sessionId))?.queue ?? [];
const put = (sessionId: string, line: object) => server.deps.db.ChatSession.updateOne({ sessionId }, { $set: line });
const inMs = (ms: number) => new Date(Date.now() + ms);

/** A learner with a chat of one turn. */
async function openChat() {
  const learner = await server.signedIn();
  const sessionId = (await ask(learner.token, "opening")).body.activeSessionId as string;
  return { ...learner, sessionId };
}

test("turns of one chat on two instances are taken one at a time in the order they came, each knowing those before", async () => {
  const { token, sessionId } = await openChat();
  aiOf(server).faults.add({ kind: "slow", firstByteMs: 30 });
  aiOf(server).forgetCalls();
  await put(sessionId, { queue: ["somebody"], turnUntil: inMs(60_000) });
  const questions = Array.from({ length: 9 }, (_q, i) => `question ${i}`);
  const turns = [];
  for (const [i, question] of questions.entries()) {
    turns.push(ask(token, question, sessionId, i % 3 === 0 ? server : other));
    await expect.poll(() => lineOf(sessionId), { interval: 5 }).toHaveLength(i + 2);
  }
  await put(sessionId, { turnUntil: inMs(0) });
  const answers = await Promise.all(turns);
  expect(answers.map(({ status }) => status)).toEqual(questions.map(() => 200));
  expect(answers.map(({ body }) => body.conversationHistory.length)).toEqual(questions.map((_q, i) => 4 + 2 * i));

  const calls = callsAbout(server, "question");
  expect(mostAtOnce(calls)).toBe(1);
  expect(calls.map(({ messages }) => messages.length)).toEqual(questions.map((_q, i) => 4 + 2 * i));
  const chat = await stored(sessionId);
  expect(chat?.messages.slice(2).map(({ content }) => content)).toEqual(
    questions.flatMap((question, i) => [question, answers[i]?.body.response]),
  );
  expect(chat?.queue).toEqual([]);
});

test("many turns at once, streamed or not, on both instances: none is lost, one call at a time", async () => {
  const { token, sessionId } = await openChat();
  aiOf(server).faults.add({ kind: "slow", firstByteMs: 15 });
  const ids = Array.from({ length: 12 }, (_q, i) => i);
  const done = await Promise.all(
    ids.map(async (i) => {
      const on = i % 2 === 0 ? server : other;
      if (i % 3 > 0) return (await ask(token, `send ${i}.`, sessionId, on)).body;
      return (await streamTurn(on, token, { content: `send ${i}.`, sessionId })).events.at(-1)?.data;
    }),
  );
  expect(done.map(({ success }) => success)).toEqual(ids.map(() => true));
  expect(mostAtOnce(callsAbout(server, "send "))).toBe(1);
  const messages = (await stored(sessionId))?.messages.slice(2) ?? [];
  const pairs = messages.flatMap(({ content }, i) => (i % 2 === 0 ? [[content, messages[i + 1]?.content]] : []));
  expect(pairs.toSorted()).toEqual(ids.map((i) => [`send ${i}.`, done[i].response]).toSorted());
});

test("chats of one learner do not wait for one another", async () => {
  const one = await openChat();
  const two = (await ask(one.token, "another opening")).body.activeSessionId;
  aiOf(server).faults.add({ kind: "slow", firstByteMs: 1_500, on: "the slow one", times: 1 });
  const slow = ask(one.token, "the slow one", one.sessionId);
  await expect.poll(() => callsAbout(server, "the slow one")).toHaveLength(1);
  expect((await ask(one.token, "the quick one", two)).status).toBe(200);
  expect(callsAbout(server, "the slow one").map(({ state }) => state)).toEqual(["running"]);
  expect((await slow).status).toBe(200);
});

test("a turn in a chat costs the database no more commands than before there were others to wait for", async () => {
  const { token, sessionId } = await openChat();
  const sent = await commandsDuring(server, () => ask(token, "again", sessionId));
  const ofChats = sent.filter((command) => Object.values(command)[0] === "chatsessions");
  expect(ofChats.map((command) => Object.keys(command)[0])).toEqual(["findAndModify", "findAndModify"]);
});

describe("a turn whose instance died", () => {
  test("holds up its chat until its lease expires, and what waited there does so no longer", async () => {
    const { token, sessionId } = await openChat();
    const dead = ["gone:1", "gone:2", "gone:3", "gone:4"];
    await put(sessionId, { queue: dead, turnUntil: inMs(300) });
    const sent = await commandsDuring(server, async () => {
      const answer = await ask(token, "anybody there?", sessionId);
      expect(answer.status).toBe(200);
      expect(answer.body.conversationHistory).toHaveLength(4);
    });
    expect(await lineOf(sessionId)).toEqual([]);
    expect(sent.filter(({ update }) => update === "chatsessions")).toHaveLength(1); // all of an instance at once
  });

  test("makes way for another instance's turn when that had died in line as well", async () => {
    const { token, sessionId } = await openChat();
    await put(sessionId, { queue: ["gone:1", "lost:1"], turnUntil: inMs(100) });
    expect((await ask(token, "and now?", sessionId)).status).toBe(200);
    expect(await lineOf(sessionId)).toEqual([]);
  });

  test("stores nothing should it live all the same: it is told, and its call is stopped", async () => {
    const { token, sessionId } = await openChat();
    aiOf(server).faults.add({ kind: "slow", firstByteMs: 1_000, times: 1 });
    const slow = ask(token, "taken for dead", sessionId);
    await expect.poll(() => callsAbout(server, "taken for dead")).toHaveLength(1);
    await put(sessionId, { queue: ["its successor"], turnUntil: inMs(60_000) });
    expect(await slow).toMatchObject(failed);

    await put(sessionId, { queue: [] });
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const hanging = ask(token, "also taken for dead", sessionId);
    await expect.poll(() => callsAbout(server, "also taken for dead")).toHaveLength(1);
    await put(sessionId, { queue: ["its successor"], turnUntil: inMs(60_000) });
    expect(await hanging).toMatchObject(failed);
    const stateOf = () => callsAbout(server, "also taken for dead").map(({ state }) => state);
    await expect.poll(stateOf).toEqual(["aborted"]);

    const chat = await stored(sessionId);
    expect(chat?.messages).toHaveLength(2);
    expect(chat?.queue).toEqual(["its successor"]);
  });
});

describe("a turn that waits", () => {
  test("waits no longer than two attempts at a call may take, then fails without having asked", async () => {
    const hasty = await startTestServer({ env: { OPENAI_TIMEOUT_MS: "200" } });
    const { token } = await hasty.signedIn();
    const sessionId = (await ask(token, "opening", undefined, hasty)).body.activeSessionId;
    const { ChatSession } = hasty.deps.db;
    await ChatSession.updateOne({ sessionId }, { $set: { queue: ["somebody"], turnUntil: inMs(60_000) } });
    for (const accept of ["application/json", "text/event-stream"]) {
      const answer = await hasty.post("/api/user/ai-chat", { content: "my turn?", sessionId }, token, { accept });
      expect(answer).toMatchObject(failed);
    }
    expect(callsAbout(hasty, "my turn?")).toEqual([]);
    const chat = await ChatSession.findOne({ sessionId }).lean();
    expect(chat?.queue).toEqual(["somebody"]);
    expect(chat?.messages).toHaveLength(2);
  });

  test("leaves the line when its client goes away", async () => {
    const { token, sessionId } = await openChat();
    await put(sessionId, { queue: ["somebody"], turnUntil: inMs(60_000) });
    const leaving = new AbortController();
    const turn = fetch(`${server.url}/api/user/ai-chat`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ content: "I cannot wait", sessionId }),
      signal: leaving.signal,
    });
    await expect.poll(() => lineOf(sessionId)).toHaveLength(2);
    leaving.abort();
    await expect(turn).rejects.toThrow();
    await expect.poll(() => lineOf(sessionId)).toEqual(["somebody"]);
    expect(callsAbout(server, "I cannot wait")).toEqual([]);
  });

  test("is refused when thirty wait already", async () => {
    const { token, sessionId } = await openChat();
    const queue = Array.from({ length: 31 }, (_w, i) => `number ${i}`);
    await put(sessionId, { queue, turnUntil: inMs(60_000) });
    const sent = await commandsDuring(server, async () => {
      expect(await ask(token, "one too many", sessionId)).toMatchObject(failed);
    });
    expect(sent.filter(({ find }) => find === "chatsessions")).toEqual([]); // it did not wait at all
    expect(await lineOf(sessionId)).toEqual(queue);
    expect(callsAbout(server, "one too many")).toEqual([]);
  });

  test("goes on in a new chat when its own is deleted", async () => {
    const { token, sessionId } = await openChat();
    await put(sessionId, { queue: ["somebody"], turnUntil: inMs(60_000) });
    const turn = ask(token, "kept all the same", sessionId, other);
    await expect.poll(() => lineOf(sessionId)).toHaveLength(2);
    expect((await server.delete(`/api/user/chat/${sessionId}`, token)).status).toBe(200);
    const { status, body } = await turn;
    expect(status).toBe(200);
    expect(body.activeSessionId).not.toBe(sessionId);
    expect(body.conversationHistory).toHaveLength(2);
    expect(await stored(sessionId)).toBeNull();
  });

  test("looks at its chat a few times a second at most", async () => {
    const { token, sessionId } = await openChat();
    await put(sessionId, { queue: ["somebody"], turnUntil: inMs(1_500) });
    const sent = await commandsDuring(server, () => ask(token, "how often?", sessionId));
    const looks = sent.filter(({ find }) => find === "chatsessions");
    expect(looks.length).toBeGreaterThan(0);
    expect(looks.length).toBeLessThanOrEqual(12);
  });
});
