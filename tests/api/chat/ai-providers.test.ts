import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse } from "../../factories/courses.js";
import { streamTurn } from "../../server/chat-stream.js";
import { startTestServer } from "../../server/test-server.js";

interface Asked {
  readonly stream?: boolean;
  readonly response_format?: { readonly type: string };
}
interface Given {
  readonly status?: number;
  /** A text is an event stream, anything else JSON. */
  readonly body: unknown;
}

const completion = (content: unknown): Given => ({
  body: { choices: [{ index: 0, message: { role: "assistant", content } }] },
});
const unknownFormat: Given = {
  status: 400,
  body: { error: { message: "This response_format type is unavailable now", type: "invalid_request_error" } },
};

let answer: (asked: Asked) => Given;
let asked: Asked[] = [];
const provider = createServer(async (req, res) => {
  const question = (await json(req)) as Asked;
  asked.push(question);
  const { status = 200, body } = answer(question);
  const stream = typeof body === "string";
  res.writeHead(status, { "content-type": stream ? "text/event-stream" : "application/json" });
  res.end(stream ? body : JSON.stringify(body));
});
provider.listen(0, "127.0.0.1");
await once(provider, "listening");
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});
const { port } = provider.address() as AddressInfo;
const server = await startTestServer({
  env: { OPENAI_API_KEY: "key", OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
});

/** Sets what the provider answers, whatever it is asked for. @returns what it is asked from now on. */
function provide(answers: typeof answer): readonly Asked[] {
  answer = answers;
  asked = [];
  return asked;
}

const roadmap = {
  title: "Rust",
  summary: "From nothing to mastery.",
  stages: [{ id: "foundations", label: "Foundations", status: "upcoming", skills: ["Ownership"] }],
};
const failed = refusal(500, "Failed to generate AI response.");
const question = (n: number) => ({
  question: `Question ${n}?`,
  options: ["a", "b", "c", "d"],
  correctIndex: n % 4,
  explanation: "",
});

test("a provider that knows no schemas is asked again without one", async () => {
  const asked = provide(({ response_format }) =>
    response_format ? unknownFormat : completion(JSON.stringify(roadmap)),
  );
  const learner = await server.signedIn();
  const { status, body } = await server.post("/api/user/generate-custom-roadmap", { topic: "Rust" }, learner.token);
  expect({ status, body }).toEqual({ status: 200, body: { success: true, roadmap } });
  expect(asked.map(({ response_format }) => response_format !== undefined)).toEqual([true, false]);
});

test.each([
  ["negative", { prompt_tokens: -5, completion_tokens: -1 }],
  ["no numbers", { prompt_tokens: "many", completion_tokens: Number.NaN }],
  ["no object", 7],
])("a provider whose token counts are %s is believed its answer, and counted as 0", async (_case, usage) => {
  provide(() => ({ body: { ...(completion("Here.").body as object), usage } }));
  const learner = await server.signedIn();
  const { status, body } = await server.post("/api/user/ai-chat", { content: "Hello?" }, learner.token);
  expect({ status, response: body.response }).toEqual({ status: 200, response: "Here." });
  expect((await server.get("/metrics")).body).toMatch(/lyceum_ai_tokens_total\{purpose="chat",kind="prompt"\} 0/);
});

test.each([
  ["an object", { text: "Here." }],
  ["a list", [{ type: "text", text: "Here." }]],
  ["a number", 7],
  ["null", null],
])("an answer that is %s instead of text counts as none", async (_case, content) => {
  const asked = provide(() => completion(content));
  const learner = await server.signedIn();
  for (const accept of ["application/json", "text/event-stream"]) {
    const answer = await server.post("/api/user/ai-chat", { content: "Hello?" }, learner.token, { accept });
    expect(answer).toMatchObject(failed);
  }
  expect(asked).toHaveLength(4);
  expect((await server.post("/api/user/previous-chats", {}, learner.token)).body.chats).toEqual([]);
});

test("half a character from the model is answered as it is stored", async () => {
  provide(() => completion("Half \ud83d of one"));
  const learner = await server.signedIn();
  const { body } = await server.post("/api/user/ai-chat", { content: "mine \ud83d too" }, learner.token);
  expect(body.response).toBe("Half \ufffd of one");
  const { messages } = (await server.get(`/api/user/chat/${body.activeSessionId}`, learner.token)).body;
  expect(body.conversationHistory).toEqual(messages);
  expect(messages.map(({ content }: { content: string }) => content)).toEqual(["mine \ufffd too", body.response]);
});

const chunk = (delta: unknown, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const done = "data: [DONE]\n\n";

test.each([
  [
    "with comments and empty events",
    `: hello\n\n${chunk({ content: "Yes, " })}: ping\n\n${chunk({ content: "ä🙂." }, "stop")}${done}`,
  ],
  ["with carriage returns", `${chunk({ content: "Yes, ä🙂." }, "stop")}${done}`.replaceAll("\n", "\r\n")],
  ["without a last word, but finished", chunk({ content: "Yes, ä🙂." }, "stop")],
  [
    "with odd chunks between",
    `data: {}\n\n${chunk({ content: { text: "x" } })}${chunk({ content: null })}data: {"choices":[]}\n\n${chunk({ content: "Yes, ä🙂." })}${chunk({}, "stop")}${done}`,
  ],
])("a stream %s is read whole", async (_case, body) => {
  provide(() => ({ body }));
  const learner = await server.signedIn();
  const { events, text } = await streamTurn(server, learner.token, { content: "Hello?" });
  expect(text).toBe("Yes, ä🙂.");
  expect(events.at(-1)).toMatchObject({ event: "done", data: { success: true, response: "Yes, ä🙂." } });
});

const pieces = (...texts: string[]) =>
  `${texts.map((content) => chunk({ content })).join("")}${chunk({}, "stop")}${done}`;

describe("what the model thinks aloud", () => {
  test("is neither streamed nor stored, wherever its tags are cut", async () => {
    const learner = await server.signedIn();
    provide(() => ({ body: pieces("<th", "ink>She wants", " a yes.</", "think>\n\nYe", "s, 1 <", " 2.") }));
    const { events, text } = await streamTurn(server, learner.token, { content: "Hello?" });
    expect([text, events.at(-1)?.data.response]).toEqual(["Yes, 1 < 2.", "Yes, 1 < 2."]);
    provide(() => completion("<THINKING>Hm</THINKING>Yes."));
    expect((await server.post("/api/user/ai-chat", { content: "And?" }, learner.token)).body.response).toBe("Yes.");
  });

  test("before a lone closing tag is not stored, and not streamed once the provider is known for it", async () => {
    const learner = await server.signedIn();
    provide(() => ({ body: pieces("She wants ", "a yes.</think>Yes", ".") }));
    const first = await streamTurn(server, learner.token, { content: "Hello?" });
    expect(first.events.at(-1)?.data.response).toBe("Yes.");
    expect((await streamTurn(server, learner.token, { content: "And?" })).text).toBe("Yes.");
    provide(() => ({ body: pieces("No", " thought.") }));
    expect((await streamTurn(server, learner.token, { content: "And?" })).text).toBe("No thought.");
    const { events } = await streamTurn(server, learner.token, { content: "And?" });
    expect(events.map(({ event }) => event)).toEqual(["delta", "delta", "done"]);
  });
});

test.each([
  ["an error", `data: {"error":{"message":"overloaded","type":"server_error"}}\n\n`],
  ["no JSON", "data: {oops\n\n"],
  ["nothing more", ""],
])("a stream that goes on with %s ends with an error event and stores nothing", async (_case, rest) => {
  const asked = provide(() => ({ body: `${chunk({ content: "Well" })}${rest}` }));
  const learner = await server.signedIn();
  const { events } = await streamTurn(server, learner.token, { content: "Hello?" });
  expect(events).toEqual([
    { event: "delta", data: { text: "Well" } },
    { event: "error", data: failed.body },
  ]);
  expect(asked).toHaveLength(1);
  expect((await server.post("/api/user/previous-chats", {}, learner.token)).body.chats).toEqual([]);
});

test("an educator who regenerated a quiz is graded on the one that the answer showed them", async () => {
  let made = 4;
  provide(() => {
    made += 1;
    return completion(JSON.stringify(Array.from({ length: made }, (_, n) => question(n))));
  });
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id });
  const quiz = { courseId: String(course._id), chapterId: "ch1" };
  const shown = await server.get(`/api/quiz/${course._id}/ch1`, educator.token);
  expect(shown.body.quiz.questions).toHaveLength(5);
  const regenerated = await server.post("/api/quiz/generate", quiz, educator.token);
  expect(regenerated.body.quiz.questions).toHaveLength(6);
  const answers = regenerated.body.quiz.questions.map(({ correctIndex }: { correctIndex: number }) => correctIndex);
  const graded = await server.post("/api/quiz/submit", { ...quiz, answers }, educator.token);
  expect(graded).toMatchObject({ status: 200, body: { result: { score: 6, total: 6, percentage: 100 } } });
});
