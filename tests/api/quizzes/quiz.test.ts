import { beforeEach, describe, expect, test } from "vitest";
import type { Quiz } from "../../../src/models/learning/quiz.js";
import { rememberServed } from "../../../src/services/quizzes/grade-quiz.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "lets the AI fail, which other files would notice" });
let educator = await server.signedIn("educator");
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

const unexpected = refusal(500, "An unexpected error occurred");

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
/** The educator's token with a fresh allowance: the same user cannot have one, so the course changes hands. */
async function ownerOf(course: { _id: unknown }) {
  const owner = await server.signedIn("educator");
  await server.deps.db.Course.updateOne({ _id: String(course._id) }, { $set: { educatorId: owner.id } });
  return owner;
}
const storedQuizzes = (courseId: unknown) =>
  server.deps.db.Quiz.find({ courseId: String(courseId) })
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
      refusal(429, "Too many generation requests. Please try again later."),
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
    expect(await show(missingId, stranger.token)).toMatchObject(refusal(404, "Course not found"));
    expect(await show(course._id, stranger.token, "nowhere")).toMatchObject(refusal(404, "Chapter not found"));
    expect(await show(course._id, stranger.token)).toMatchObject(refusal(403, "Course not purchased"));
    expect(aiOf(server).calls()).toEqual([]);
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
      { ...question(21), options: ["a", "b", "B", "d"] },
      { ...question(22), options: ["a", "b  c", "b c", "d"] },
      { ...question(23), options: ["caf\u00e9", "cafe\u0301", "c", "d"] },
      { ...question(24), options: ["a", "a\u200b", "c", "d"] },
      { ...question(25), options: ["a", "b", "\u2060", "d"] },
      { ...question(26), options: ["a", "b", "c", "d"], question: "\u200b" },
      { ...question(27), question: "bell \u0007" },
      { ...question(16), options: ["a", "b", { text: "c" }, "d"] },
      { ...question(17), question: "  " },
      { ...question(18), question: ["What?"] },
      { ...question(19), explanation: { why: "so" } },
      { ...question(1), options: ["w", "x", "y", "z"] },
      { ...question(20), question: " question  2? " },
      { ...question(28), question: "Question\u00ad 3?" },
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

  test("are those of the second answer alone when it has enough, and at most twenty", async () => {
    const { learner, course } = await classroom();
    answer([question(1), question(2), question(3, 9)], 1);
    answer(
      Array.from({ length: 25 }, (_q, i) => question(i + 4)),
      1,
    );
    const { body } = await show(course._id, learner.token);
    expect(body.quiz.questions).toHaveLength(20);
    expect(body.quiz.questions[0].question).toBe("Question 4?");
  });

  test("are kept when the second try fails", async () => {
    const { learner, course } = await classroom();
    answer([question(1)], 1);
    aiOf(server).faults.add({ kind: "error" });
    expect((await show(course._id, learner.token)).body.quiz.questions).toHaveLength(1);
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
    ["junk", { kind: "junk" }, 2],
    ["only invalid ones", { kind: "schema-violation" }, 2],
    ["a 500", { kind: "error" }, 2],
    ["cut off", { kind: "cut" }, 2],
    ["refused with a long pause", { kind: "rate-limit", retryAfterSeconds: 60 }, 1],
  ] as const)(
    "that are %s every time end in 500, store nothing and leave the quiz there was",
    async (_case, fault, calls) => {
      const { learner, course } = await classroom();
      aiOf(server).faults.add(fault);
      expect(await show(course._id, learner.token)).toMatchObject(unexpected);
      expect(aiOf(server).calls()).toHaveLength(calls);
      expect(await storedQuizzes(course._id)).toEqual([]);
      aiOf(server).faults.clear();
      const { quiz } = (await show(course._id, learner.token)).body;
      aiOf(server).faults.add(fault);
      expect(await generate(course._id, (await ownerOf(course)).token)).toMatchObject(unexpected);
      expect((await show(course._id, learner.token)).body.quiz).toEqual(quiz);
    },
  );
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
    const { course } = await classroom();
    const other = await server.signedIn("educator");
    expect(await server.post("/api/quiz/generate", { courseId: "", chapterId: "ch1" }, other.token)).toMatchObject(
      refusal(400, "Invalid request data"),
    );
    expect(await generate(missingId, other.token)).toMatchObject(refusal(404, "Course not found"));
    expect(await generate("nonsense", other.token)).toMatchObject(refusal(404, "Course not found"));
    expect(await generate(course._id, other.token, "nowhere")).toMatchObject(refusal(403, "Not authorized"));
    expect(await generate(course._id, educator.token, "nowhere")).toMatchObject(refusal(404, "Chapter not found"));
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
    // A request that has read the former version, and was slow.
    const [slow] = await storedQuizzes(course._id);
    await rememberServed(server.deps.db, learner.id, slow as Quiz);
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
