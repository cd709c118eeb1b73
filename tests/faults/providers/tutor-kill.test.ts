import { expect, test, vi } from "vitest";
import { callsAbout, mostAtOnce } from "../../assertions/ai-calls.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { aiOf } from "../../server/emulators.js";
import { startServerProcess } from "../../server/server-process.js";
import { startTestServer } from "../../server/test-server.js";

vi.setConfig({ testTimeout: 120_000 });

test("a server process killed while the AI thinks holds up its chat and its quiz for seconds only, and stores nothing of them", async () => {
  const server = await startTestServer({ own: "is killed" });
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  await enroll(server, learner.id, course._id);
  const ask = (content: string, sessionId?: string) =>
    server.post("/api/user/ai-chat", { content, sessionId }, learner.token);
  const sessionId = (await ask("opening")).body.activeSessionId;

  const doomed = await startServerProcess(server);
  aiOf(server).faults.add({ kind: "hang", times: 3 });
  const headers = { authorization: `Bearer ${learner.token}`, "content-type": "application/json" };
  const send = (content: string) =>
    fetch(`${doomed.url}/api/user/ai-chat`, {
      method: "POST",
      headers,
      body: JSON.stringify({ content, sessionId }),
    }).catch(() => undefined);
  const lost = [
    send("never answered"),
    fetch(`${doomed.url}/api/quiz/${course._id}/ch1`, { headers }).catch(() => undefined),
  ];
  const running = () =>
    aiOf(server)
      .calls()
      .filter(({ state }) => state === "running");
  await expect.poll(running).toHaveLength(2);
  lost.push(send("never asked"));
  await doomed.kill();
  expect(await Promise.all(lost)).toEqual([undefined, undefined, undefined]);

  aiOf(server).faults.clear();
  const [turn, quiz] = await Promise.all([
    ask("and after that?", sessionId),
    server.get(`/api/quiz/${course._id}/ch1`, learner.token),
  ]);
  expect(turn.status).toBe(200);
  expect(turn.body.activeSessionId).toBe(sessionId);
  expect(turn.body.conversationHistory.map(({ content }: { content: string }) => content)).toEqual([
    ...["opening", expect.any(String), "and after that?", turn.body.response],
  ]);
  expect(quiz.status).toBe(200);
  expect(await server.deps.db.Quiz.countDocuments({ courseId: course._id })).toBe(1);
  expect(callsAbout(server, "never asked")).toEqual([]);
  expect(mostAtOnce(callsAbout(server, '"lectures":['))).toBe(1);
  expect(await server.deps.db.Lease.countDocuments({ _id: /^(chat|quiz):/ })).toBe(0);
});
