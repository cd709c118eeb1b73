import { beforeEach, describe, expect, test } from "vitest";
import { stateOf } from "../../assertions/ai-calls.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { openChatStream, streamTurn } from "../../server/chat-stream.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

/** An instance with little patience for its provider; what must succeed is sent to the other. */
const server = await startTestServer({ own: "counts all quizzes" });
const hasty = await server.another({ OPENAI_TIMEOUT_MS: "400" });
// The first call loads the SDK, which may take longer than a hasty call has.
await server.post("/api/user/ai-chat", { content: "hello" }, (await server.signedIn()).token);
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});

const noChat = { success: false, message: "Failed to generate AI response." };
const fault = { success: false, message: "An unexpected error occurred" };
const ask = (token: string, content: string, sessionId?: string, on = server) =>
  on.post("/api/user/ai-chat", { content, sessionId }, token);
const chatsOf = (userId: string) => server.deps.db.ChatSession.find({ userId }).lean();
const hang = () => aiOf(server).faults.add({ kind: "hang" });

/** The provider was asked once, and told that no user waits any longer. */
async function expectOneStoppedCall(): Promise<void> {
  await expect.poll(() => stateOf(server)).toEqual(["aborted"]);
}

async function classroom() {
  const educator = await server.signedIn("educator");
  const learner = await server.signedIn();
  const course = await buildCourse(server, { educatorId: educator.id });
  await enroll(server, learner.id, course._id);
  return { educator, learner, course };
}

describe("a provider that does not answer in time", () => {
  test("fails a chat turn, once asked, leaves the chat as it was, and the next turn goes on with it", async () => {
    const { id, token } = await server.signedIn();
    const { activeSessionId } = (await ask(token, "opening")).body;
    const before = await chatsOf(id);
    aiOf(server).forgetCalls();
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const { status, body } = await ask(token, "anybody?", activeSessionId, hasty);
    expect({ status, body }).toEqual({ status: 500, body: noChat });
    await expectOneStoppedCall();
    const conversation = ({ messages, updatedAt }: (typeof before)[number]) => ({ messages, updatedAt });
    expect((await chatsOf(id)).map(conversation)).toEqual(before.map(conversation));
    expect((await ask(token, "again?", activeSessionId)).body.conversationHistory).toHaveLength(4);
  });

  test("fails a stream that has not begun with a status and a JSON body, and leaves no chat behind", async () => {
    const { id, token } = await server.signedIn();
    hang();
    const { response } = await openChatStream(hasty, token, { content: "anybody?" });
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toEqual(noChat);
    await expectOneStoppedCall();
    expect(await chatsOf(id)).toEqual([]);
  });

  test.each([
    ["stalls between two texts", { kind: "stall", afterChunks: 4 }],
    ["trickles on for longer", { kind: "slow", perChunkMs: 60 }],
  ] as const)("and a stream that %s ends with an error event and stores nothing", async (_case, scripted) => {
    const { id, token } = await server.signedIn();
    aiOf(server).faults.add(scripted);
    const { response, events, text } = await streamTurn(hasty, token, { content: "Tell me a long story, please" });
    expect(response.status).toBe(200);
    expect(text).not.toBe("");
    expect(events.at(-1)).toEqual({ event: "error", data: noChat });
    expect(events.slice(0, -1).every(({ event }) => event === "delta")).toBe(true);
    await expectOneStoppedCall();
    expect(await chatsOf(id)).toEqual([]);
  });

  test("fails a quiz generation and stores none", async () => {
    const { learner, course } = await classroom();
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const { status, body } = await hasty.get(`/api/quiz/${course._id}/ch1`, learner.token);
    expect({ status, body }).toEqual({ status: 500, body: fault });
    await expectOneStoppedCall();
    expect(await server.deps.db.Quiz.countDocuments({ courseId: course._id })).toBe(0);
    expect((await server.get(`/api/quiz/${course._id}/ch1`, learner.token)).status).toBe(200);
  });

  test("fails an educator's new quiz and leaves the former in force", async () => {
    const { educator, learner, course } = await classroom();
    const { quiz } = (await server.get(`/api/quiz/${course._id}/ch1`, learner.token)).body;
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const wanted = { courseId: course._id, chapterId: "ch1" };
    const { status, body } = await hasty.post("/api/quiz/generate", wanted, educator.token);
    expect({ status, body }).toEqual({ status: 500, body: fault });
    expect((await server.get(`/api/quiz/${course._id}/ch1`, learner.token)).body.quiz).toEqual(quiz);
  });

  test.each(["generate-personal-roadmap", "generate-custom-roadmap"])("fails %s", async (path) => {
    const { learner } = await classroom();
    hang();
    const { status, body } = await hasty.post(`/api/user/${path}`, { topic: "Rust" }, learner.token);
    expect({ status, body }).toEqual({ status: 500, body: fault });
    await expectOneStoppedCall();
  });
});

test("advice has a shorter time than a call, and being late costs it only: the result is stored with plain advice", async () => {
  const advised = await server.another({ OPENAI_ADVICE_TIMEOUT_MS: "100" });
  const { learner, course } = await classroom();
  const { quiz } = (await server.get(`/api/quiz/${course._id}/ch1`, learner.token)).body;
  aiOf(server).forgetCalls();
  hang();
  const answers = quiz.questions.map(() => 0);
  const attempt = { courseId: course._id, chapterId: "ch1", answers };
  const { status, body } = await advised.post("/api/quiz/submit", attempt, learner.token);
  expect(status).toBe(200);
  const { score, total, percentage, group, recommendations } = body.result;
  expect(recommendations.split("\n")[0]).toBe(
    `• You answered ${score} of ${total} questions on “Chapter 1” correctly (${percentage}%).`,
  );
  await expectOneStoppedCall();
  const { results } = (await server.get(`/api/quiz/results/${course._id}/ch1`, learner.token)).body;
  expect(results).toMatchObject([{ score, total, percentage, group, recommendations, answers }]);
});
