import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Course } from "../../../src/models/courses/course.js";
import { stateOf } from "../../assertions/ai-calls.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { aiOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/** Two instances on one database and one provider, and two that give the provider less time. */
const server = await startTestServer({ own: "lets the AI fail" });
const both = [server, await server.another()] as const;
const hasty = { OPENAI_TIMEOUT_MS: "2500" };
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});
afterEach(() => void vi.useRealTimers());

const storedQuizzes = (courseId: unknown) => server.deps.db.Quiz.find({ courseId: String(courseId) }).lean();

/** A course with so many learners. */
async function classroom(count: number) {
  const course = await buildCourse(server);
  const learners = await Promise.all(Array.from({ length: count }, () => server.signedIn()));
  await Promise.all(learners.map(({ id }) => enroll(server, id, course._id)));
  return { course, learners, lease: `quiz:${course._id}:ch1` };
}
/** Lets all learners ask for the quiz at once, on the instances in turn. */
const showAll = ({ _id }: Course, learners: readonly SignedIn[], on: readonly [typeof server, typeof server] = both) =>
  Promise.all(learners.map(({ token }, i) => on[i % 2 === 0 ? 0 : 1].get(`/api/quiz/${_id}/ch1`, token)));
const statuses = (answers: readonly { status: number }[]) => [...new Set(answers.map(({ status }) => status))];
const limited = (answers: readonly { headers: Headers }[]) =>
  answers.filter(({ headers }) => headers.has("ratelimit-limit"));

describe("learners who open a new chapter at once", () => {
  test("share one generation over two instances, at the cost of one unit for one of them", async () => {
    const { course, learners } = await classroom(8);
    aiOf(server).faults.add({ kind: "slow", firstByteMs: 200 });
    const answers = await showAll(course, learners);
    expect(statuses(answers)).toEqual([200]);
    expect(new Set(answers.map(({ body }) => body.quiz._id)).size).toBe(1);
    expect(limited(answers)).toHaveLength(1);
    expect(aiOf(server).calls()).toHaveLength(1);
    expect(await storedQuizzes(course._id)).toHaveLength(1);
  });

  test("share one failure over two instances, and the next to ask starts again", async () => {
    const { course, learners } = await classroom(6);
    const instances = [await server.another(hasty), await server.another(hasty)] as const;
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const answers = await showAll(course, learners, instances);
    const failed = { status: 500, body: { success: false, message: "An unexpected error occurred" } };
    for (const { status, body } of answers) expect({ status, body }).toEqual(failed);
    expect(aiOf(server).calls()).toHaveLength(1);
    expect(limited(answers)).toHaveLength(1);
    expect(await storedQuizzes(course._id)).toEqual([]);

    expect(statuses(await showAll(course, learners, instances))).toEqual([200]);
    expect(aiOf(server).calls()).toHaveLength(2);
    expect(await storedQuizzes(course._id)).toHaveLength(1);
  });

  test("go on when the one who started it has no allowance left", async () => {
    const { course, learners } = await classroom(2);
    for (let i = 0; i < 10; i += 1) await server.post("/api/user/generate-custom-roadmap", {}, learners[0]?.token);
    const [refused, served] = await showAll(course, learners, [server, server]);
    expect([200, 429]).toContain(refused?.status); // 200 when the other one was first
    expect(served?.status).toBe(200);
  });

  test("get it from one of them who takes over when the process that started it died", async () => {
    const { course, learners, lease } = await classroom(6);
    const expiresAt = new Date(Date.now() + 400);
    await server.deps.db.Lease.create({ _id: lease, holder: "a process that died", expiresAt });
    expect(statuses(await showAll(course, learners))).toEqual([200]);
    expect(aiOf(server).calls()).toHaveLength(1);
  });

  test("get one quiz when the one who made it lost its lease: the call is stopped and another takes over", async () => {
    const { course, learners, lease } = await classroom(1);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    aiOf(server).faults.add({ kind: "hang", times: 1 });
    const asked = showAll(course, learners);
    await expect.poll(() => aiOf(server).calls()).toHaveLength(1);
    const another = { holder: "another", expiresAt: new Date(Date.now() + 60_000) };
    await server.deps.db.Lease.updateOne({ _id: lease }, { $set: another });
    // Until the lease is renewed.
    vi.advanceTimersByTime(5_000);
    await expect.poll(() => stateOf(server)).toEqual(["aborted"]);
    await server.deps.db.Lease.deleteOne({ _id: lease });
    expect(statuses(await asked)).toEqual([200]);
    expect(stateOf(server)).toEqual(["aborted", "answered"]);
    expect(await storedQuizzes(course._id)).toHaveLength(1);
  });

  test("find it made although the one who started it left", async () => {
    const { course, learners } = await classroom(1);
    aiOf(server).faults.add({ kind: "slow", firstByteMs: 200 });
    const leaving = new AbortController();
    const first = fetch(`${server.url}/api/quiz/${course._id}/ch1`, {
      headers: { authorization: `Bearer ${learners[0]?.token}` },
      signal: leaving.signal,
    });
    await expect.poll(() => aiOf(server).calls()).toHaveLength(1);
    leaving.abort();
    await expect(first).rejects.toThrow();
    await expect.poll(() => storedQuizzes(course._id)).toHaveLength(1);
    expect(stateOf(server)).toEqual(["answered"]);
  });
});
