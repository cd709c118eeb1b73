import { beforeEach, describe, expect, test } from "vitest";
import type { Course } from "../../../src/models/courses/course.js";
import { stateOf } from "../../assertions/ai-calls.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

/** Two instances on one database and one provider, which is given little time. */
const server = await startTestServer({ env: { OPENAI_TIMEOUT_MS: "5000" } });
const other = await server.another();
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});

const show = (courseId: unknown, token: string | undefined, on = server) => on.get(`/api/quiz/${courseId}/ch1`, token);
const storedQuizzes = (courseId: unknown) => server.deps.db.Quiz.find({ courseId: String(courseId) }).lean();

/** A course with one enrolled learner. */
async function classroom() {
  const course = await buildCourse(server);
  const [learner = await server.signedIn()] = await classmates(course, 1);
  return { course, learner };
}
async function classmates(course: Course, count: number) {
  const learners = await Promise.all(Array.from({ length: count }, () => server.signedIn()));
  await Promise.all(learners.map(({ id }) => enroll(server, id, course._id)));
  return learners;
}

describe("learners who open a new chapter at once", () => {
  test("share one generation over two instances, at the cost of one unit for one of them", async () => {
    const { course } = await classroom();
    aiOf(server).faults.add({ kind: "slow", firstByteMs: 250 });
    const learners = await classmates(course, 20);
    const answers = await Promise.all(
      learners.map(({ token }, i) => show(course._id, token, i % 2 === 0 ? server : other)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.quiz._id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has("ratelimit-limit"))).toHaveLength(1);
    expect(aiOf(server).calls()).toHaveLength(1);
    expect(await storedQuizzes(course._id)).toHaveLength(1);
  });

  test("share one failure over two instances, and the next to ask starts again", async () => {
    const { course } = await classroom();
    const learners = await classmates(course, 12);
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const answers = await Promise.all(
      learners.map(({ token }, i) => show(course._id, token, i % 2 === 0 ? server : other)),
    );
    const failed = { status: 500, body: { success: false, message: "An unexpected error occurred" } };
    for (const { status, body } of answers) expect({ status, body }).toEqual(failed);
    expect(aiOf(server).calls()).toHaveLength(1);
    expect(answers.filter(({ headers }) => headers.has("ratelimit-limit"))).toHaveLength(1);
    expect(await storedQuizzes(course._id)).toEqual([]);

    const again = await Promise.all(learners.map(({ token }, i) => show(course._id, token, i % 2 ? server : other)));
    expect(again.map(({ status }) => status)).toEqual(learners.map(() => 200));
    expect(aiOf(server).calls()).toHaveLength(2);
    expect(await storedQuizzes(course._id)).toHaveLength(1);
  });

  test("go on when the one who started it has no allowance left", async () => {
    const { learner: spent, course } = await classroom();
    for (let i = 0; i < 10; i += 1) await server.post("/api/user/generate-custom-roadmap", {}, spent.token);
    const [classmate] = await classmates(course, 1);
    const [refused, served] = await Promise.all([show(course._id, spent.token), show(course._id, classmate?.token)]);
    expect([200, 429]).toContain(refused.status); // 200 when the other one was first
    expect(served.status).toBe(200);
  });

  test("get it from one of them who takes over when the process that started it died", async () => {
    const { course } = await classroom();
    const learners = await classmates(course, 6);
    await server.deps.db.Lease.create({
      _id: `quiz:${course._id}:ch1`,
      holder: "a process that died",
      expiresAt: new Date(Date.now() + 400),
    });
    const answers = await Promise.all(
      learners.map(({ token }, i) => show(course._id, token, i % 2 === 0 ? server : other)),
    );
    expect(answers.map(({ status }) => status)).toEqual(learners.map(() => 200));
    expect(aiOf(server).calls()).toHaveLength(1);
  });

  test("get one quiz when the one who made it lost its lease: the call is stopped and another takes over", async () => {
    const { learner, course } = await classroom();
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const asked = show(course._id, learner.token);
    await expect.poll(() => aiOf(server).calls()).toHaveLength(1);
    const lease = { _id: `quiz:${course._id}:ch1` };
    await server.deps.db.Lease.updateOne(lease, {
      $set: { holder: "another", expiresAt: new Date(Date.now() + 4_500) },
    });
    await expect.poll(() => stateOf(server)).toEqual(["aborted"]);
    expect((await asked).status).toBe(200);
    expect(stateOf(server)).toEqual(["aborted", "answered"]);
    expect(await storedQuizzes(course._id)).toHaveLength(1);
  });

  test("find it made although the one who started it left", async () => {
    const { learner, course } = await classroom();
    aiOf(server).faults.add({ kind: "slow", firstByteMs: 250 });
    const leaving = new AbortController();
    const first = fetch(`${server.url}/api/quiz/${course._id}/ch1`, {
      headers: { authorization: `Bearer ${learner.token}` },
      signal: leaving.signal,
    });
    await expect.poll(() => aiOf(server).calls()).toHaveLength(1);
    leaving.abort();
    await expect(first).rejects.toThrow();
    await expect.poll(() => storedQuizzes(course._id)).toHaveLength(1);
    expect(
      aiOf(server)
        .calls()
        .map(({ state }) => state),
    ).toEqual(["answered"]);
  });
});
