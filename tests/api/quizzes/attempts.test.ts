import { beforeEach, describe, expect, test } from "vitest";
import { attemptDiscrepancies } from "../../assertions/learning-recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { aiOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
beforeEach(() => {
  aiOf(server).faults.clear();
  aiOf(server).forgetCalls();
});

const missingId = "665f1c2ab7e4d90012ab34cd";
const submit = (courseId: unknown, answers: unknown, token: string, chapterId: unknown = "ch1", on = server) =>
  on.post("/api/quiz/submit", { courseId, chapterId, answers }, token);
const advice = /^(• \S.*\n){3,4}• \S.*$/;

/** A course with a quiz of `size` questions whose right answers are all 0. */
async function quizRoom(size: number, learnerCount = 1) {
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id });
  const learners = await Promise.all(Array.from({ length: learnerCount }, () => server.signedIn()));
  for (const { id } of learners) await enroll(server, id, course._id);
  await server.deps.db.Quiz.create({
    courseId: course._id,
    chapterId: "ch1",
    chapterTitle: "Chapter 1",
    courseTitle: course.courseTitle,
    version: 1,
    questions: Array.from({ length: size }, (_q, n) => ({
      question: `Question ${n}?`,
      options: [`right ${n}`, `b${n}`, `c${n}`, `d${n}`],
      correctIndex: 0,
      explanation: `Because ${n}.`,
    })),
  });
  const [learner] = learners as [SignedIn];
  return { educator, learner, learners, course };
}
/** Answers of which the first `right` are right. */
const answers = (right: number, size: number, wrong = 2) =>
  Array.from({ length: size }, (_a, i) => (i < right ? 0 : wrong));

describe("an attempt", () => {
  test("is graded, reviewed, stored and listed", async () => {
    const { learner, course } = await quizRoom(3);
    const { status, body } = await submit(course._id, [0, 3, 0], learner.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      result: {
        score: 2,
        total: 3,
        percentage: 67,
        group: "on_track",
        recommendations: expect.stringMatching(advice),
        review: [0, 3, 0].map((chosenIndex, n) => ({
          question: `Question ${n}?`,
          options: [`right ${n}`, `b${n}`, `c${n}`, `d${n}`],
          chosenIndex,
          correctIndex: 0,
          explanation: `Because ${n}.`,
        })),
      },
    });
    const stored = {
      _id: expect.any(String),
      userId: learner.id,
      courseId: String(course._id),
      chapterId: "ch1",
      score: 2,
      total: 3,
      percentage: 67,
      group: "on_track",
      recommendations: body.result.recommendations,
      answers: [0, 3, 0],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    const list = await server.get(`/api/quiz/results/${course._id}/ch1`, learner.token);
    expect(list.body).toEqual({ success: true, results: [stored] });
  });

  test.each([
    [0, 5, 0, "needs_review"],
    [2, 5, 40, "needs_review"],
    [7, 17, 41, "on_track"],
    [3, 4, 75, "on_track"],
    [13, 17, 76, "mastered"],
    [5, 5, 100, "mastered"],
    [1, 8, 13, "needs_review"],
  ])("with %i of %i right has %i percent and is %s", async (right, size, percentage, group) => {
    const { learner, course } = await quizRoom(size);
    const { body } = await submit(course._id, answers(right, size), learner.token);
    expect(body.result).toMatchObject({ score: right, total: size, percentage, group });
  });

  test("is the educator's to make as well", async () => {
    const { educator, course } = await quizRoom(2);
    expect((await submit(course._id, [0, 0], educator.token)).status).toBe(200);
  });

  test("that does not fit is refused, in order, and nothing is stored", async () => {
    const { learner, course } = await quizRoom(3);
    const stranger = await server.signedIn();
    for (const wrong of [undefined, [], [4], [-1], [0.5], ["0"], "000", [null], Array(21).fill(0), { 0: 0 }]) {
      expect(await submit(missingId, wrong, stranger.token)).toMatchObject(refusal(400, "Invalid request data"));
    }
    expect(await submit("", [0], stranger.token)).toMatchObject(refusal(400, "Invalid request data"));
    expect(await submit(missingId, [0], stranger.token)).toMatchObject(refusal(404, "Course not found"));
    expect(await submit("nonsense", [0], stranger.token)).toMatchObject(refusal(404, "Course not found"));
    expect(await submit(course._id, [0], stranger.token)).toMatchObject(refusal(403, "Course not purchased"));
    expect(await submit(course._id, [0], learner.token, "ch2")).toMatchObject(refusal(404, "Quiz not found"));
    expect(await submit(course._id, [0, 0], learner.token)).toMatchObject(
      refusal(400, "Answer count does not match question count"),
    );
    expect(await server.deps.db.QuizResult.countDocuments({ courseId: course._id })).toBe(0);
    expect(aiOf(server).calls()).toEqual([]);
  });
});

describe("advice", () => {
  test("is the AI's when it has the right shape", async () => {
    const { learner, course } = await quizRoom(2);
    aiOf(server).faults.add({ kind: "answer", content: "• one\n\n•two\r\n• three \n• four\n" });
    const { body } = await submit(course._id, [0, 1], learner.token);
    expect(body.result.recommendations).toBe("• one\n•two\n• three\n• four");
    const { results } = (await server.get(`/api/quiz/results/${course._id}/ch1`, learner.token)).body;
    expect(results[0].recommendations).toBe(body.result.recommendations);
    const [call] = aiOf(server).calls();
    expect(call?.prompt).toContain("Question 1?");
    for (const secret of ["right 1", "b1", "Because 1.", learner.name]) expect(call?.prompt).not.toContain(secret);
  });

  test.each([
    ["is too short", { kind: "answer", content: "• one\n• two\n• three" }],
    ["is too long", { kind: "answer", content: "• 1\n• 2\n• 3\n• 4\n• 5\n• 6" }],
    ["has other lines", { kind: "answer", content: "Here you go:\n• 1\n• 2\n• 3\n• 4" }],
    ["is no text", { kind: "empty" }],
    ["is a refusal", { kind: "refusal" }],
    ["is truncated", { kind: "truncation" }],
    ["fails", { kind: "error" }],
    ["must wait", { kind: "rate-limit", retryAfterSeconds: 60 }],
    ["is cut off", { kind: "cut" }],
  ] as const)("of the AI that %s is replaced by plain advice that is the same every time", async (_case, fault) => {
    const { learner, course } = await quizRoom(2);
    aiOf(server).faults.add(fault);
    const first = await submit(course._id, [0, 1], learner.token);
    const second = await submit(course._id, [0, 1], learner.token);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.result.recommendations).toMatch(advice);
    expect(second.body).toEqual(first.body);
    aiOf(server).faults.clear();
    await submit(course._id, [0, 0], learner.token);
  });

  test("is not waited for before the attempt is stored", async () => {
    const { learner, course } = await quizRoom(2);
    aiOf(server).faults.add({ kind: "hang" });
    const leaving = new AbortController();
    const attempt = fetch(`${server.url}/api/quiz/submit`, {
      method: "POST",
      headers: { authorization: `Bearer ${learner.token}`, "content-type": "application/json" },
      body: JSON.stringify({ courseId: course._id, chapterId: "ch1", answers: [0, 1] }),
      signal: leaving.signal,
    });
    const list = async () => (await server.get(`/api/quiz/results/${course._id}/ch1`, learner.token)).body.results;
    await expect.poll(list).toHaveLength(1);
    expect((await list())[0].recommendations).toMatch(advice);
    leaving.abort();
    await expect(attempt).rejects.toThrow();
  });
});

describe("results", () => {
  test("are the caller's own, newest first, with titles or their fallbacks", async () => {
    const { learner, course, educator } = await quizRoom(1);
    for (const right of [1, 0, 1]) await submit(course._id, answers(right, 1), learner.token);
    await submit(course._id, [0], educator.token);
    const perfect = { score: 1, total: 1, percentage: 100, group: "mastered" as const };
    const rest = { userId: learner.id, ...perfect, recommendations: "• x", answers: [0], version: 1 };
    await server.deps.db.QuizResult.create({ ...rest, courseId: missingId, chapterId: "ch1" });
    await server.deps.db.QuizResult.create({ ...rest, courseId: course._id, chapterId: "removed" });

    const one = await server.get(`/api/quiz/results/${course._id}/ch1`, learner.token);
    expect(one.body.results.map(({ score }: { score: number }) => score)).toEqual([1, 0, 1]);
    const inCourse = await server.get(`/api/quiz/course-results/${course._id}`, learner.token);
    expect(inCourse.body).toEqual({
      success: true,
      results: [
        { chapterId: "removed", chapterTitle: "Unknown Chapter", percentage: 100, group: "mastered" },
        { chapterId: "ch1", chapterTitle: "Chapter 1", percentage: 100, group: "mastered" },
        { chapterId: "ch1", chapterTitle: "Chapter 1", percentage: 0, group: "needs_review" },
        { chapterId: "ch1", chapterTitle: "Chapter 1", percentage: 100, group: "mastered" },
      ],
    });
    const all = (await server.get("/api/quiz/my-results", learner.token)).body.results;
    expect(all).toHaveLength(5);
    expect(all[1]).toEqual({
      _id: expect.any(String),
      chapterTitle: "Unknown Chapter",
      courseTitle: "Unknown Course",
      percentage: 100,
      group: "mastered",
      createdAt: expect.any(String),
    });
    expect(all[0].courseTitle).toBe("Practical TypeScript");
  });

  test("are written in batches, in one order, however many there are", async () => {
    const { learner, course } = await quizRoom(1);
    const rest = { score: 1, total: 1, group: "mastered" as const, recommendations: "• x", answers: [0], version: 1 };
    const own = { userId: learner.id, courseId: course._id, chapterId: "ch1" };
    // Two at each moment: their ids decide.
    const made = Array.from({ length: 450 }, (_, n) => {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + Math.floor(n / 2) * 1_000);
      return { ...own, ...rest, percentage: n % 101, createdAt, updatedAt: createdAt };
    });
    await server.deps.db.QuizResult.insertMany(made, { timestamps: false } as never);
    const stored = await server.deps.db.QuizResult.find(own).sort({ createdAt: -1, _id: -1 }).lean();
    const expected = stored.map(({ percentage }) => percentage);
    for (const path of [`results/${course._id}/ch1`, `course-results/${course._id}`, "my-results"]) {
      const { results } = (await server.get(`/api/quiz/${path}`, learner.token)).body;
      expect(results.map(({ percentage }: { percentage: number }) => percentage)).toEqual(expected);
    }
  });

  test("of a course id that is none are a fault, of an unknown one an empty list", async () => {
    const { token } = await server.signedIn();
    for (const path of ["results/nonsense/ch1", "course-results/nonsense"]) {
      expect(await server.get(`/api/quiz/${path}`, token)).toMatchObject(refusal(500, "An unexpected error occurred"));
    }
    for (const path of [`results/${missingId}/ch1`, `course-results/${missingId}`, "my-results"]) {
      expect((await server.get(`/api/quiz/${path}`, token)).body).toEqual({ success: true, results: [] });
    }
  });
});

describe("the educator's insights", () => {
  test("equal a recount of all attempts made at once on two instances, and name the hardest questions", async () => {
    const { educator, learners, course } = await quizRoom(4, 12);
    const second = await server.another();
    const made = await Promise.all(
      learners.map(({ token }, i) => {
        const chosen = [0, i % 4, i < 9 ? 3 : 1, i < 2 ? 1 : 0];
        return submit(course._id, chosen, token, "ch1", i % 2 ? second : server);
      }),
    );
    expect(made.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await attemptDiscrepancies(server.deps.db, course._id)).toEqual([]);
    const results = await server.deps.db.QuizResult.find({ courseId: course._id }).lean();
    expect(results).toHaveLength(12);
    const { status, body } = await server.get("/api/quiz/educator-insights", educator.token);
    expect(status).toBe(200);
    const totalPct = results.reduce((sum, { percentage }) => sum + percentage, 0);
    const grouped = (group: string) => results.filter((result) => result.group === group).length;
    expect(body.insights).toEqual([
      {
        courseId: String(course._id),
        chapterId: "ch1",
        courseTitle: "Practical TypeScript",
        chapterTitle: "Chapter 1",
        attempts: 12,
        totalPct,
        avgPct: Math.round(totalPct / 12),
        needs_review: grouped("needs_review"),
        on_track: grouped("on_track"),
        mastered: grouped("mastered"),
        hardestQuestions: [
          {
            question: "Question 2?",
            attempts: 12,
            wrongPct: 100,
            mostChosenWrongOption: "d2",
            mostChosenWrongCount: 9,
          },
          { question: "Question 1?", attempts: 12, wrongPct: 75, mostChosenWrongOption: "b1", mostChosenWrongCount: 3 },
          { question: "Question 3?", attempts: 12, wrongPct: 17, mostChosenWrongOption: "b3", mostChosenWrongCount: 2 },
        ],
      },
    ]);
    const stranger = await server.signedIn("educator");
    expect((await server.get("/api/quiz/educator-insights", stranger.token)).body).toEqual({
      success: true,
      insights: [],
    });
  });

  test("are written in batches, by attempts, and keep chapters that are gone", async () => {
    const { educator, course } = await quizRoom(1);
    const made = Array.from({ length: 450 }, (_, n) => ({
      courseId: course._id,
      ...{ chapterId: `gone${n}`, attempts: 1 + (n % 7), totalPct: 333, on_track: 1 + (n % 7) },
    }));
    await server.deps.db.QuizChapterStats.insertMany(made);
    const sort = { attempts: -1, _id: 1 } as const;
    const stored = await server.deps.db.QuizChapterStats.find({ courseId: course._id }, {}, { sort }).lean();
    const { insights } = (await server.get("/api/quiz/educator-insights", educator.token)).body;
    const idsOf = (rows: { chapterId: string }[]) => rows.map(({ chapterId }) => chapterId);
    expect(idsOf(insights)).toEqual(idsOf(stored));
    expect(insights[0]).toMatchObject({ attempts: 7, chapterTitle: "Unknown", avgPct: 48, hardestQuestions: [] });
  });
});
