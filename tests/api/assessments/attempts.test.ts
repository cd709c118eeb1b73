import { Types } from "mongoose";
import { afterEach, expect, test, vi } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { rules } from "../../factories/assessments.js";
import { startTestServer } from "../../server/test-server.js";
import { wrongFigures } from "../learners/classroom.js";
import { answersTo, answerTo, endAgo, examRoom, kinds, look, runJob, save, submit } from "./exam-room.js";

const server = await startTestServer({ own: "runs jobs over all rows" });
const { db } = server.deps;

afterEach(() => {
  vi.useRealTimers();
});
const letPass = (minutes: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });

const idsOf = (rows: { _id: string }[]) => rows.map(({ _id }) => _id);
const secrets = /"(correct|accepted|tolerance|caseSensitive|explanation)"/;

test("an attempt shows questions without answers, keeps what is saved, and is graded", async () => {
  const room = await examRoom(server);
  const ids = await room.addKinds();
  await room.put({ ...rules, questionIds: ids });
  const learner = await room.learner();
  expect(await room.view(learner)).toEqual({
    ...{ title: "Chapter 1", questionCount: 6, totalPoints: 6, passPercent: 50, maxAttempts: null },
    ...{ cooldownMinutes: 0, timeLimitMinutes: null, attemptsUsed: 0, bestPercent: null, passed: false },
    ...{ nextAttemptAt: null, openAttemptId: null },
  });
  const { status, body } = await room.start(learner);
  expect(status).toBe(200);
  const { attempt } = body;
  expect(Object.keys(attempt).sort()).toEqual(["_id", "answers", "endsAt", "questions", "startedAt"]);
  expect(attempt).toMatchObject({ endsAt: null, answers: {} });
  expect(idsOf(attempt.questions)).toEqual(ids);
  expect(attempt.questions.map(({ prompt }: { prompt: string }) => prompt)).toEqual(kinds.map(({ prompt }) => prompt));
  expect(JSON.stringify(body)).not.toMatch(secrets);
  expect(await room.view(learner)).toMatchObject({ attemptsUsed: 1, openAttemptId: attempt._id, bestPercent: null });
  expect((await room.start(learner)).body).toEqual(body);

  const answers = answersTo(attempt);
  const [first = "", second = "", ...others] = ids;
  const half = answerTo(attempt.questions[1], ["Porto"]);
  const saved = await Promise.all([
    save(server, learner, attempt._id, { [first]: answers[first], unknown: 1 }),
    save(server, learner, attempt._id, { [second]: half }),
  ]);
  for (const { status, body } of saved) {
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, savedAt: expect.any(String) });
  }
  const open = await look(server, learner, attempt._id);
  expect(open.body).toEqual({
    success: true,
    attempt: { ...attempt, answers: { [first]: answers[first], [second]: half } },
  });

  const rest = Object.fromEntries(others.map((id) => [id, answers[id]]));
  const { body: graded } = await submit(server, learner, attempt._id, rest);
  const { review, ...result } = graded.result;
  expect(result).toEqual({ percent: 92, points: 5.5, totalPoints: 6, passed: true, group: "mastered" });
  expect(review.map(({ points }: { points: number }) => points)).toEqual([1, 0.5, 1, 1, 1, 1]);
  expect(review[0]).toEqual({
    question: {
      ...{ _id: first, kind: "single", prompt: "Capital of Portugal?", points: 1, explanation: "Since 1255." },
      ...{ options: attempt.questions[0].options, correct: answers[first] },
    },
    ...{ answer: answers[first], points: 1, pointsPossible: 1 },
  });
  // Repeatable; nothing is accepted any more.
  expect((await submit(server, learner, attempt._id, { [first]: "x" })).body).toEqual(graded);
  expect(await save(server, learner, attempt._id, {})).toMatchObject(refusal(409, "The attempt is over"));
  const { body: shown } = await look(server, learner, attempt._id);
  expect(shown.result).toEqual(graded.result);
  expect(shown.attempt.answers[second]).toEqual(half);
  const best = { attemptsUsed: 1, bestPercent: 92, passed: true, openAttemptId: null };
  expect(await room.view(learner)).toMatchObject(best);
});

test("a wrong type, unknown ids and missing answers earn nothing, and other shapes are 400", async () => {
  const room = await examRoom(server);
  const ids = await room.addKinds();
  await room.put({ ...rules, questionIds: ids });
  const learner = await room.learner();
  const { attempt } = (await room.start(learner)).body;
  const strange = ["o9", ["o9"], "true", "0.3", 5, ["o0", "o1"]];
  const wrong = Object.fromEntries(ids.map((id, i) => [id, strange[i]]));
  const invalid = refusal(400, "Invalid request data");
  for (const answers of [undefined, null, [], "x", 1]) {
    expect(await save(server, learner, attempt._id, answers)).toMatchObject(invalid);
    if (answers) expect(await submit(server, learner, attempt._id, answers)).toMatchObject(invalid);
  }
  expect((await save(server, learner, attempt._id, { [ids[0] ?? ""]: "o1" })).status).toBe(200);
  const { result } = (await submit(server, learner, attempt._id, wrong)).body;
  expect(result).toMatchObject({ percent: 0, points: 0, passed: false, group: "needs_review" });
  const kept = ["o9", ["o9"], null, null, null, ["o0", "o1"]];
  expect(result.review.map(({ answer }: { answer: unknown }) => answer)).toEqual(kept);
  const long = { [ids[1] ?? ""]: Array.from({ length: 40_000 }, () => "o0") };
  const next = (await room.start(learner)).body.attempt;
  expect((await save(server, learner, next._id, long)).status).toBe(200);
  expect((await look(server, learner, next._id)).body.attempt.answers).toEqual({ [ids[1] ?? ""]: null });
  const tooLong = { [ids[1] ?? ""]: "x".repeat(513 * 1_024) };
  expect((await save(server, learner, next._id, tooLong)).status).toBe(413);
});

test("an attempt belongs to its learner; only learners and the educator of the course take part", async () => {
  const room = await examRoom(server);
  const id = await room.assess();
  const [learner, other, stranger] = [await room.learner(), await room.learner(), await server.signedIn()];
  const { attempt } = (await room.start(learner)).body;
  for (const answer of [
    await look(server, other, attempt._id),
    await save(server, other, attempt._id, { [id]: true }),
    await submit(server, room.educator, attempt._id),
    await look(server, learner, String(new Types.ObjectId())),
  ])
    expect(answer).toMatchObject(refusal(404, "Attempt not found"));
  expect(await room.start(stranger)).toMatchObject(refusal(403, "Course not purchased"));
  expect(await server.get(room.quiz(), stranger.token)).toMatchObject(refusal(403, "Course not purchased"));
  expect(await server.get(room.quiz("", "ch2"), learner.token)).toMatchObject(refusal(404, "Assessment not found"));
  expect(await room.start(learner, "nowhere")).toMatchObject(refusal(404, "Assessment not found"));
  const unknown = `/api/quiz/assessments/${new Types.ObjectId()}/ch1`;
  expect(await server.get(unknown, learner.token)).toMatchObject(refusal(404, "Course not found"));
  const own = (await room.start(room.educator)).body.attempt;
  expect((await submit(server, room.educator, own._id, { [id]: true })).body.result).toMatchObject({ percent: 100 });
});

test("versions stay as given: an edit and a deletion change no attempt", async () => {
  const room = await examRoom(server);
  const [kept, deleted] = [await room.addStatement(), await room.addStatement({ prompt: "Going", points: 3 })];
  await room.put({ ...rules, questionIds: [kept._id, deleted._id] });
  const learner = await room.learner();
  const { attempt } = (await room.start(learner)).body;
  const bank = (id: string) => `/api/educator/questions/${id}`;
  const edited = { prompt: "Other", correct: false, points: 7 };
  expect((await server.patch(bank(kept._id), edited, room.educator.token)).status).toBe(200);
  expect((await server.delete(bank(deleted._id), room.educator.token)).status).toBe(200);
  expect((await look(server, learner, attempt._id)).body.attempt).toEqual(attempt);
  const { result } = (await submit(server, learner, attempt._id, { [kept._id]: true, [deleted._id]: true })).body;
  expect(result).toMatchObject({ percent: 100, points: 4, totalPoints: 4 });
  // The next attempt has the present questions.
  expect(await room.view(learner)).toMatchObject({ questionCount: 1, totalPoints: 7 });
  expect((await room.start(learner)).body.attempt.questions).toEqual([
    { _id: kept._id, kind: "boolean", prompt: "Other", points: 7 },
  ]);
  expect((await server.delete(bank(kept._id), room.educator.token)).status).toBe(200);
  const late = await room.learner();
  expect(await room.view(late)).toMatchObject({ questionCount: 0, totalPoints: 0, openAttemptId: null });
  expect(await room.start(late)).toMatchObject(refusal(409, "Assessment has no questions"));
});

test("options are shuffled once for each attempt, items always, and their ids belong to the attempt", async () => {
  const room = await examRoom(server);
  const many = Array.from({ length: 10 }, (_, i) => ({ id: `i${i}`, text: `Item ${i}` }));
  const texts = many.map(({ text }) => text);
  const order = await room.addStatement({ kind: "order", prompt: "Order", items: many, correct: undefined });
  const single = await room.addStatement({ kind: "single", prompt: "One", options: many, correct: "i3" });
  const textsOf = (list: { text: string }[]) => list.map(({ text }) => text);
  const learner = await room.learner();
  await room.put({ ...rules, questionIds: [order._id, single._id] });
  const { attempt } = (await room.start(learner)).body;
  expect(textsOf(attempt.questions[0].items)).not.toEqual(texts);
  expect(textsOf(attempt.questions[0].items).sort()).toEqual(texts);
  expect(textsOf(attempt.questions[1].options)).toEqual(texts);
  expect((await look(server, learner, attempt._id)).body.attempt).toEqual(attempt);
  const right = {
    [order._id]: answerTo(attempt.questions[0], texts),
    [single._id]: answerTo(attempt.questions[1], "Item 3"),
  };
  const { result } = (await submit(server, learner, attempt._id, right)).body;
  expect(result).toMatchObject({ percent: 100, review: [{ answer: right[order._id] }, { answer: right[single._id] }] });
  expect(result.review[0].question.items.map(({ id }: { id: string }) => id)).toEqual(right[order._id]);
  expect(result.review[1].question.correct).toBe(right[single._id]);
  await room.put({ ...rules, questionIds: [order._id, single._id], shuffle: true });
  const { attempt: next } = (await room.start(learner)).body;
  const shown = next.questions.find(({ kind }: { kind: string }) => kind === "single");
  expect(textsOf(shown.options)).not.toEqual(texts);
  // No id is the author's, and none occurs in two questions or attempts.
  const ids = [...attempt.questions, ...next.questions].flatMap(({ options, items }) =>
    (options ?? items).map(({ id }: { id: string }) => id),
  );
  expect(new Set([...ids, ...many.map(({ id }) => id)]).size).toBe(50);
  expect((await look(server, learner, next._id)).body.attempt).toEqual(next);
});

test("the number of questions and points is that of an attempt that starts now, which draws each once", async () => {
  const room = await examRoom(server);
  const both = await room.addStatement({ tags: ["a", "b"], points: 2 });
  const other = await room.addStatement({ tags: ["b"], points: 5 });
  const third = await room.addStatement({ tags: ["b"], points: 9 });
  const draw = [
    { tag: "b", count: 2 },
    { tag: "a", count: 1 },
  ];
  await room.put({ ...rules, draw });
  const learner = await room.learner();
  const { attempt } = (await room.start(learner)).body;
  expect(idsOf(attempt.questions).sort()).toEqual([both, other, third].map(({ _id }) => _id).sort());
  const sizes = [];
  for (const gone of [undefined, third, other, both]) {
    if (gone) await server.delete(`/api/educator/questions/${gone._id}`, room.educator.token);
    const { questionCount, totalPoints } = await room.view(learner);
    sizes.push([questionCount, totalPoints]);
  }
  expect(sizes).toEqual([
    [3, 16],
    [2, 7],
    [1, 2],
    [0, 0],
  ]);
});

test("the limit of attempts and the pause hold", async () => {
  const room = await examRoom(server);
  await room.assess({ maxAttempts: 2, cooldownMinutes: 10 });
  const learner = await room.learner();
  const first = (await room.start(learner)).body.attempt;
  await submit(server, learner, first._id);
  const refused = await room.start(learner);
  expect(refused).toMatchObject(refusal(409, "Please wait before the next attempt"));
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(590);
  expect(seconds).toBeLessThanOrEqual(600);
  const { nextAttemptAt } = await room.view(learner);
  expect(Math.abs(Date.parse(nextAttemptAt) - Date.now() - 600_000)).toBeLessThan(10_000);
  letPass(11);
  expect((await room.view(learner)).nextAttemptAt).toBeNull();
  const second = (await room.start(learner)).body.attempt;
  expect(second._id).not.toBe(first._id);
  await submit(server, learner, second._id);
  expect(await room.start(learner)).toMatchObject(refusal(409, "No attempts left"));
  expect(await room.view(learner)).toMatchObject({ attemptsUsed: 2, nextAttemptAt: null });
});

test("answers are accepted until half a minute after the end, and only saved ones count later", async () => {
  const room = await examRoom(server);
  const id = await room.assess({ timeLimitMinutes: 30 });
  const [inTime, late, seen] = [await room.learner(), await room.learner(), await room.learner()];
  const attempts = [];
  for (const learner of [inTime, late, seen]) attempts.push((await room.start(learner)).body.attempt);
  const [first, second, third] = attempts;
  expect(Date.parse(first.endsAt) - Date.parse(first.startedAt)).toBe(30 * 60_000);

  letPass(30.25);
  expect((await save(server, inTime, first._id, { [id]: false })).status).toBe(200);
  expect((await look(server, seen, third._id)).body.result).toBeUndefined();
  expect((await submit(server, inTime, first._id, { [id]: true })).body.result.percent).toBe(100);
  expect((await save(server, seen, third._id, { [id]: true })).status).toBe(200);

  letPass(0.3);
  expect(await save(server, late, second._id, { [id]: true })).toMatchObject(refusal(409, "The attempt is over"));
  expect((await submit(server, late, second._id, { [id]: true })).body.result.percent).toBe(0);
  expect((await look(server, seen, third._id)).body.result).toMatchObject({ percent: 100, passed: true });
  const { endedAt, endsAt } = await db.AssessmentAttempt.findById(third._id).orFail().lean();
  expect(endedAt).toEqual(endsAt);
});

test("the next start and the view grade an attempt whose time is over", async () => {
  const room = await examRoom(server);
  const id = await room.assess({ timeLimitMinutes: 1, maxAttempts: 2 });
  const [one, two] = [await room.learner(), await room.learner()];
  const first = (await room.start(one)).body.attempt;
  await save(server, one, first._id, { [id]: true });
  await endAgo(server, first._id, 31_000);
  const next = (await room.start(one)).body.attempt;
  expect(next._id).not.toBe(first._id);
  expect(await room.view(one)).toMatchObject({ attemptsUsed: 2, bestPercent: 100, openAttemptId: next._id });
  const other = (await room.start(two)).body.attempt;
  await endAgo(server, other._id, 31_000);
  expect(await room.view(two)).toMatchObject({ attemptsUsed: 1, bestPercent: 0, openAttemptId: null });
});

test("the job grades open attempts past their end, and no others", async () => {
  const room = await examRoom(server);
  const id = await room.assess({ timeLimitMinutes: 1 });
  const [over, grace] = [await room.learner(), await room.learner()];
  const [first, second] = [(await room.start(over)).body.attempt, (await room.start(grace)).body.attempt];
  await save(server, over, first._id, { [id]: true });
  await endAgo(server, first._id, 31_000);
  await endAgo(server, second._id, 10_000);
  expect(await runJob(server, "grade-attempts")).toBe("1 attempts graded");
  expect(await runJob(server, "grade-attempts")).toBeUndefined();
  expect(await db.AssessmentAttempt.findById(first._id).lean()).toMatchObject({ state: "graded", percent: 100 });
  expect(await db.AssessmentAttempt.findById(second._id).lean()).toMatchObject({ state: "open" });
});

test.each([
  ["never", [false, false, false]],
  ["after_attempt", [true, true, true]],
  ["after_pass", [false, true, true]],
])("%s decides on the review", async (showAnswers, [failed, passed, earlier]) => {
  const room = await examRoom(server);
  const id = await room.assess({ showAnswers });
  const learner = await room.learner();
  const first = (await room.start(learner)).body.attempt;
  const has = ({ body }: { body: { result: object } }) => {
    expect(secrets.test(JSON.stringify(body))).toBe("review" in body.result);
    return "review" in body.result;
  };
  expect(has(await submit(server, learner, first._id, { [id]: false }))).toBe(failed);
  expect(has(await look(server, learner, first._id))).toBe(failed);
  const second = (await room.start(learner)).body.attempt;
  expect(has(await submit(server, learner, second._id, { [id]: true }))).toBe(passed);
  expect(has(await look(server, learner, first._id))).toBe(earlier);
  expect(has(await submit(server, learner, first._id))).toBe(earlier);
});

test("attempts count in what educators see of learners, and a recount agrees", async () => {
  const room = await examRoom(server);
  const id = await room.assess();
  const learner = await room.learner();
  await db.User.updateOne({ _id: learner.id }, { name: "Ada" }, { upsert: true });
  for (const answer of [true, false]) {
    const { attempt } = (await room.start(learner)).body;
    await submit(server, learner, attempt._id, { [id]: answer });
  }
  await room.start(learner);
  const get = (rest: string) => server.get(`/api/educator/courses/${room.courseId}/${rest}`, room.educator.token);
  const [row] = (await get("learners")).body.learners;
  const lastActiveAt = expect.any(String);
  expect(row).toMatchObject({ userId: learner.id, bestQuizPercent: 100, state: "active", lastActiveAt });
  const { quizzes } = (await get(`learners/${learner.id}`)).body.learner;
  expect(quizzes).toEqual([
    ...[{ chapterId: "ch1", chapterTitle: "Chapter 1", attempts: 2, best: 100, last: 0, lastAt: row.lastActiveAt }],
  ]);
  expect(String((await get("gradebook.csv")).body)).toMatch(/,0,2,100,/);
  const figures = await db.Enrollment.findOne({ userId: learner.id }).orFail().lean();
  expect(figures).toMatchObject({ quizAttempts: 2, bestQuizPercent: 100, phase: "begun" });
  expect(await wrongFigures(server)).toEqual([]);
  await db.Enrollment.updateOne({ _id: figures._id }, { quizAttempts: 5, bestQuizPercent: 1 });
  expect((await wrongFigures(server)).sort()).toEqual([
    `bestQuizPercent of ${figures._id}`,
    `quizAttempts of ${figures._id}`,
  ]);
  await db.Enrollment.updateOne({ _id: figures._id }, { quizAttempts: 2, bestQuizPercent: 100 });
  // A reset leaves attempts, and their activity.
  const reset = `/api/educator/courses/${room.courseId}/learners/${learner.id}/reset`;
  expect((await server.post(reset, { reason: "again" }, room.educator.token)).status).toBe(200);
  expect((await get("learners")).body.learners[0]).toMatchObject({ bestQuizPercent: 100, state: "active" });
});

test("attempts from before attempts had ids of their own keep the author's", async () => {
  const room = await examRoom(server);
  await room.put({ ...rules, questionIds: await room.addKinds() });
  const learner = await room.learner();
  const { attempt } = (await room.start(learner)).body;
  await db.AssessmentAttempt.updateOne({ _id: attempt._id }, { $unset: { "questions.$[].ids": 1 } });
  const shown = (await look(server, learner, attempt._id)).body.attempt;
  expect(shown.questions[0].options).toEqual(kinds[0]?.options);
  const { result } = (await submit(server, learner, attempt._id, answersTo(shown))).body;
  expect(result).toMatchObject({
    percent: 100,
    review: [{ answer: "o1", question: { correct: "o1" } }, {}, {}, {}, {}, {}],
  });
});
