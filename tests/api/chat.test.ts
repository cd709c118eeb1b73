import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildCourse, enroll } from "../support/courses.js";
import { startTestServer, type TestServer } from "../support/server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("a first question opens a chat", async () => {
  const { token } = await server.signedIn();
  const answer = await server.post("/api/user/ai-chat", { content: "What is a closure?" }, token);
  console.log(JSON.stringify(answer.body, null, 1));
  expect(answer.status).toBe(200);
});
test("quiz", async () => {
  const educator = await server.signedIn("educator");
  const { id, token } = await server.signedIn();
  const course = await buildCourse(server, { educatorId: educator.id });
  await enroll(server, id, course._id);
  const quiz = await server.get(`/api/quiz/${course._id}/ch1`, token);
  console.log(JSON.stringify(quiz.body, null, 1).slice(0, 800), quiz.headers);
  const sub = await server.post("/api/quiz/submit", {courseId: course._id, chapterId: "ch1", answers: quiz.body.quiz.questions.map(() => 1)}, token);
  console.log(JSON.stringify(sub.body, null, 1).slice(0, 1200));
  console.log(JSON.stringify((await server.get("/api/quiz/educator-insights", educator.token)).body, null, 1));
  console.log(JSON.stringify((await server.get("/api/quiz/my-results", token)).body, null, 1));
  const road = await server.post("/api/user/generate-personal-roadmap", {}, token);
  console.log(road.status, JSON.stringify(road.body, null, 1).slice(0, 2500));
  const road2 = await server.post("/api/user/generate-custom-roadmap", {topic: "Rust"}, token);
  console.log(road2.status, JSON.stringify(road2.body, null, 1).slice(0, 500));
  console.log(server.sandbox.ai?.calls().map(c => c.prompt).join("\n=====\n"));
});
