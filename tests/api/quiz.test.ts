import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aiOf } from "../support/ai.js";
import { buildCourse, enroll } from "../support/courses.js";
import { type SignedIn, startTestServer, type TestServer } from "../support/server.js";

let server: TestServer;
let educator: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  educator = await server.signedIn("educator");
});
afterAll(() => server.close());
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});

const missingId = "665f1c2ab7e4d90012ab34cd";
const show = (courseId: unknown, token: string, chapterId = "ch1", on = server) =>
  on.get(`/api/quiz/${courseId}/${chapterId}`, token);
const generate = (courseId: unknown, token = educator.token, chapterId = "ch1", on = server) =>
  on.post("/api/quiz/generate", { courseId, chapterId }, token);
const submit = (courseId: unknown, answers: unknown, token: string, chapterId = "ch1") =>
  server.post("/api/quiz/submit", { courseId, chapterId, answers }, token);

const failure = (status: number, message: string) => ({ status, body: { success: false, message } });
const unexpected = failure(500, "An unexpected error occurred");

const question = (n: number, correctIndex: unknown = n % 4) => ({
  question: `Question ${n}?`,
  options: [`a${n}`, `b${n}`, `c${n}`, `d${n}`],
  correctIndex,
  explanation: `Because ${n}.`,
});
const answer = (questions: unknown[], times?: number) =>
  aiOf(server).faults.add({ kind: "answer", content: JSON.stringify({ questions }), ...(times ? { times } : {}) });

/** A course of the educator with one enrolled learner. */
async function classroom() {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { educatorId: educator.id });
  await enroll(server, learner.id, course._id);
  return { learner, course };
}
/** The educator's token with a fresh allowance: the same person cannot have one, so the course changes hands. */
async function ownerOf(course: { _id: unknown }) {
  const owner = await server.signedIn("educator");
  await server.deps.models.Course.updateOne({ _id: String(course._id) }, { $set: { educatorId: owner.id } });
  return owner;
}
const storedQuizzes = (courseId: unknown) =>
  server.deps.models.Quiz.find({ courseId: String(courseId) })
    .sort({ version: 1 })
    .lean();

describe("a chapter's quiz", () => {
  test("is generated for the first who asks, at the cost of one unit, and costs nothing afterwards", async () => {
    const { learner, course } = await classroom();
    const first = await show(course._id, learner.token);
    expect(first.status).toBe(200);
    expect(first.headers.get("ratelimit-remaining")).toBe("9");
    expect(first.body).toEqual({
      success: true,
      quiz: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        courseId: String(course._id),
        chapterId: "ch1",
        chapterTitle: "Chapter 1",
        courseTitle: "Practical TypeScript",
        questions: Array.from({ length: 10 }, () => ({
          question: expect.any(String),
          options: Array.from({ length: 4 }, () => expect.any(String)),
        })),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
    const second = await show(course._id, learner.token);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("ratelimit-remaining")).toBeNull();
    expect(await show(course._id, educator.token)).toMatchObject({ status: 200, body: first.body });
    expect(aiOf(server).calls()).toHaveLength(1);
    expect(aiOf(server).calls()[0]?.prompt).toContain('"lectures":["Lecture 1.1","Lecture 1.2","Lecture 1.3"]');
  });

  test("is refused once the caller's allowance is spent, but only when it would have to be generated", async () => {
    const { learner, course } = await classroom();
    for (let i = 0; i < 10; i += 1) await server.post("/api/user/generate-custom-roadmap", {}, learner.token);
    expect(await show(course._id, learner.token)).toMatchObject(
      failure(429, "Too many generation requests. Please try again later."),
    );
    expect(aiOf(server).calls()).toEqual([]);
    const other = await server.signedIn();
    await enroll(server, other.id, course._id);
    expect((await show(course._id, other.token)).status).toBe(200);
    expect((await show(course._id, learner.token)).status).toBe(200);
  });

  test("answers what is not there and who may not, in order", async () => {
    const { course } = await classroom();
    const stranger = await server.signedIn();
    expect(await show("not-an-id", stranger.token)).toMatchObject(unexpected);
    expect(await show(missingId, stranger.token)).toMatchObject(failure(404, "Course not found"));
    expect(await show(course._id, stranger.token, "nowhere")).toMatchObject(failure(404, "Chapter not found"));
    expect(await show(course._id, stranger.token)).toMatchObject(failure(403, "Course not purchased"));
    expect(aiOf(server).calls()).toEqual([]);
  });
});

describe("twenty learners who open a new chapter at once", () => {
  test("share one generation over two instances, at the cost of one unit for one of them", async () => {
    const { course } = await classroom();
    const other = await server.another();
    aiOf(server).faults.add({ kind: "slow", firstByteMs: 250 });
    const learners = await Promise.all(Array.from({ length: 20 }, () => server.signedIn()));
    await Promise.all(learners.map(({ id }) => enroll(server, id, course._id)));
    const answers = await Promise.all(
      learners.map(({ token }, i) => show(course._id, token, "ch1", i % 2 === 0 ? server : other)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.quiz._id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has("ratelimit-limit"))).toHaveLength(1);
    expect(aiOf(server).calls()).toHaveLength(1);
    expect(await storedQuizzes(course._id)).toHaveLength(1);
  });

  test("share its failure too, and the next to ask starts anew", async () => {
    const { learner, course } = await classroom();
    const other = await server.another();
    aiOf(server).faults.add({ kind: "error" });
    const learners = await Promise.all(Array.from({ length: 10 }, () => server.signedIn()));
    await Promise.all(learners.map(({ id }) => enroll(server, id, course._id)));
    const answers = await Promise.all(
      learners.map(({ token }, i) => show(course._id, token, "ch1", i % 2 === 0 ? server : other)),
    );
    expect(answers.map(({ status }) => status)).toEqual(learners.map(() => 500));
    expect(aiOf(server).calls().length).toBeLessThanOrEqual(4);
    aiOf(server).faults.clear();
    expect((await show(course._id, learner.token)).status).toBe(200);
  });

  test("go on when the one who started it has no allowance left", async () => {
    const { learner: spent, course } = await classroom();
    for (let i = 0; i < 10; i += 1) await server.post("/api/user/generate-custom-roadmap", {}, spent.token);
    const other = await server.signedIn();
    await enroll(server, other.id, course._id);
    const [refused, served] = await Promise.all([show(course._id, spent.token), show(course._id, other.token)]);
    expect([200, 429]).toContain(refused.status); // 200 when the other one was first
    expect(served.status).toBe(200);
  });

  test("get it from whoever takes over when the process that started it died", async () => {
    const { learner, course } = await classroom();
    await server.deps.models.Lease.create({
      _id: `quiz:${course._id}:ch1`,
      holder: "a process that died",
      expiresAt: new Date(Date.now() + 400),
    });
    expect((await show(course._id, learner.token)).status).toBe(200);
    expect(aiOf(server).calls()).toHaveLength(1);
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

describe("the model's questions", () => {
  test("that are wrong in any way are dropped, never mended", async () => {
    const { learner, course } = await classroom();
    const good = [question(1), question(2), question(3), question(4), question(5), { ...question(6), explanation: "" }];
    answer([
      ...good,
      question(7, 9),
      question(8, -1),
      question(9, 1.5),
      question(10, "2"),
      question(11, null),
      { ...question(12), options: ["a", "b", "c"] },
      { ...question(13), options: ["a", "b", "c", "d", "e"] },
      { ...question(14), options: ["a", "b", "b", "d"] },
      { ...question(15), options: ["a", "b", " ", "d"] },
      { ...question(16), options: ["a", "b", { text: "c" }, "d"] },
      { ...question(17), question: "  " },
      { ...question(18), question: ["What?"] },
      { ...question(19), explanation: { why: "so" } },
      { ...question(1), options: ["w", "x", "y", "z"] },
      { ...question(20), question: " question  2? " },
      "What?",
      null,
    ]);
    expect((await show(course._id, learner.token)).status).toBe(200);
    const [quiz] = await storedQuizzes(course._id);
    expect(quiz?.questions).toEqual(good);
    expect(aiOf(server).calls()).toHaveLength(1);
  });

  test("are asked for once more when fewer than five are left, and what both answers hold is kept", async () => {
    const { learner, course } = await classroom();
    answer([question(1), question(2), question(3, 9)], 1);
    answer([question(2), question(4), question(5, 4)], 1);
    const { body } = await show(course._id, learner.token);
    expect(body.quiz.questions.map((asked: { question: string }) => asked.question)).toEqual([
      "Question 1?",
      "Question 2?",
      "Question 4?",
    ]);
    expect(aiOf(server).calls()).toHaveLength(2);
  });

  test("are kept when the second try fails", async () => {
    const { learner, course } = await classroom();
    answer([question(1)], 1);
    aiOf(server).faults.add({ kind: "error" });
    expect((await show(course._id, learner.token)).body.quiz.questions).toHaveLength(1);
  });

  test("are at most twenty", async () => {
    const { learner, course } = await classroom();
    answer(Array.from({ length: 25 }, (_q, i) => question(i)));
    expect((await show(course._id, learner.token)).body.quiz.questions).toHaveLength(20);
  });

  test("may come as a bare list or inside a fence", async () => {
    for (const content of [
      JSON.stringify([1, 2, 3, 4, 5].map((n) => question(n))),
      `Here:\n\`\`\`json\n${JSON.stringify({ questions: [1, 2, 3, 4, 5].map((n) => question(n)) })}\n\`\`\``,
    ]) {
      aiOf(server).faults.clear();
      aiOf(server).faults.add({ kind: "answer", content });
      const { learner, course } = await classroom();
      expect((await show(course._id, learner.token)).body.quiz.questions).toHaveLength(5);
    }
  });

  test.each([
    ["junk", { kind: "junk" }],
    ["only invalid ones", { kind: "schema-violation" }],
    ["a refusal", { kind: "refusal" }],
    ["truncated", { kind: "truncation" }],
    ["empty", { kind: "empty" }],
    ["a 500", { kind: "error" }],
    ["cut off", { kind: "cut" }],
  ] as const)("that are %s every time end in 500, store nothing and leave the quiz there was", async (_case, fault) => {
    const { learner, course } = await classroom();
    aiOf(server).faults.add(fault);
    expect(await show(course._id, learner.token)).toMatchObject(unexpected);
    expect(aiOf(server).calls()).toHaveLength(2);
    expect(await storedQuizzes(course._id)).toEqual([]);
    aiOf(server).faults.clear();
    const { quiz } = (await show(course._id, learner.token)).body;
    aiOf(server).faults.add(fault);
    expect(await generate(course._id, (await ownerOf(course)).token)).toMatchObject(unexpected);
    expect((await show(course._id, learner.token)).body.quiz).toEqual(quiz);
  });
});

describe("generating anew", () => {
  beforeEach(async () => {
    educator = await server.signedIn("educator");
  });

  test("is for the course's educator, who sees the answers", async () => {
    const { course } = await classroom();
    const { status, body } = await generate(course._id);
    expect(status).toBe(200);
    expect(body.quiz.questions).toHaveLength(10);
    for (const asked of body.quiz.questions) {
      expect(Object.keys(asked).sort()).toEqual(["correctIndex", "explanation", "options", "question"]);
    }
    expect(Object.keys(body.quiz).sort()).toEqual(
      ["_id", "chapterId", "chapterTitle", "courseId", "courseTitle", "createdAt", "questions", "updatedAt"].sort(),
    );
  });

  test("answers bad input, what is not there and who may not, in order", async () => {
    const { course, learner } = await classroom();
    const other = await server.signedIn("educator");
    expect(await server.post("/api/quiz/generate", { courseId: "", chapterId: "ch1" }, other.token)).toMatchObject(
      failure(400, "Invalid request data"),
    );
    expect(await generate(missingId, other.token)).toMatchObject(failure(404, "Course not found"));
    expect(await generate("nonsense", other.token)).toMatchObject(failure(404, "Course not found"));
    expect(await generate(course._id, other.token, "nowhere")).toMatchObject(failure(403, "Not authorized"));
    expect(await generate(course._id, educator.token, "nowhere")).toMatchObject(failure(404, "Chapter not found"));
    expect(await generate(course._id, learner.token)).toMatchObject(failure(403, "Unauthorized Access"));
  });

  test("makes a new version, and a learner is graded on the one they were shown", async () => {
    const { learner, course } = await classroom();
    const late = await server.signedIn();
    await enroll(server, late.id, course._id);
    const wrong = (n: number) => [0, 1, 2, 3, 0].map((right) => (right + n) % 4);
    answer([0, 1, 2, 3, 4].map((n) => question(n)));
    await show(course._id, learner.token);
    aiOf(server).faults.clear();
    answer([10, 11, 12, 13, 14].map((n) => question(n, 3)));
    expect((await generate(course._id)).status).toBe(200);
    expect((await storedQuizzes(course._id)).map(({ version }) => version)).toEqual([1, 2]);

    aiOf(server).faults.clear();
    const former = (await submit(course._id, wrong(0), learner.token)).body.result;
    expect(former).toMatchObject({ score: 5, total: 5, percentage: 100 });
    const never = (await submit(course._id, [3, 3, 3, 3, 3], late.token)).body.result;
    expect(never).toMatchObject({ score: 5, review: [{ question: "Question 10?" }, {}, {}, {}, {}] });
    const seen = await show(course._id, learner.token);
    expect(seen.body.quiz.questions[0].question).toBe("Question 10?");
    expect((await submit(course._id, wrong(0), learner.token)).body.result.score).toBe(1);
  });

  test("twice at once, on two instances, gives both a quiz and leaves whole versions", async () => {
    const { course } = await classroom();
    const other = await server.another();
    aiOf(server).faults.add({ kind: "slow", firstByteMs: 100 });
    const answers = await Promise.all([
      generate(course._id),
      generate(course._id, educator.token, "ch1", other),
      generate(course._id),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const versions = (await storedQuizzes(course._id)).map(({ version }) => version);
    expect(versions).toEqual(versions.map((_v, i) => i + 1));
    const last = await show(course._id, educator.token);
    expect(answers.map(({ body }) => body.quiz._id)).toContain(last.body.quiz._id);
  });
});
