import { Types } from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { rules } from "../../factories/assessments.js";
import { aiOf } from "../../server/emulators.js";
import { startTestServer } from "../../server/test-server.js";
import { examRoom, look, runJob, save, submit } from "./exam-room.js";

const server = await startTestServer({ own: "runs a job over all attempts" });
const { db } = server.deps;

test("an educator gives a chapter an assessment, changes it and takes it back", async () => {
  const room = await examRoom(server);
  const { _id } = await room.addStatement({ tags: ["t"] });
  const { status, body } = await room.put({ ...rules, questionIds: [_id], title: " Final " });
  expect(status).toBe(200);
  const { assessment } = body;
  expect(assessment).toEqual({
    ...{ _id: expect.any(String), courseId: room.courseId, chapterId: "ch1", title: "Final", questionIds: [_id] },
    ...{ ...rules, createdAt: expect.any(String), updatedAt: expect.any(String) },
  });
  const draw = [{ tag: "t", count: 1 }];
  const changed = (await room.put({ ...rules, draw, passPercent: 80 })).body.assessment;
  expect(changed).toMatchObject({ _id: assessment._id, title: "Chapter 1", draw, passPercent: 80 });
  expect(changed).not.toHaveProperty("questionIds");
  expect(await room.remove()).toMatchObject({ status: 200, body: { success: true } });
  expect(await room.remove()).toMatchObject(refusal(404, "Assessment not found"));
  // The next one is another assessment.
  expect((await room.put({ ...rules, draw })).body.assessment._id).not.toBe(assessment._id);
  const { version } = await db.Course.findById(room.courseId).orFail().lean();
  expect(version).toBe(room.course.version);
});

test("every field is checked", async () => {
  const room = await examRoom(server);
  const [one, two] = [await room.addStatement({ tags: ["a", "b"] }), await room.addStatement({ tags: ["a"] })];
  const questionIds = [one._id];
  const bodies: object[] = [
    {},
    rules,
    { ...rules, questionIds, draw: [{ tag: "a", count: 1 }] },
    { ...rules, questionIds: [] },
    { ...rules, questionIds: [one._id, one._id] },
    { ...rules, draw: [] },
    { ...rules, draw: [{ tag: "a", count: 0 }] },
    { ...rules, draw: [{ tag: "a", count: 3 }] },
    { ...rules, draw: [{ tag: "c", count: 1 }] },
    ...[{ passPercent: 101 }, { maxAttempts: 0 }, { maxAttempts: 101 }, { cooldownMinutes: -1 }, { title: " " }],
    ...[{ cooldownMinutes: 10_081 }, { timeLimitMinutes: 0 }, { timeLimitMinutes: 481 }, { shuffle: 1 }],
    ...[{ showAnswers: "always" }, { requiredForCompletion: null }, { title: "x".repeat(201) }],
    ...Object.keys(rules).map((name) => ({ [name]: undefined })),
  ].map((fields, i) => (i < 9 ? fields : { ...rules, questionIds, ...fields }));
  for (const body of bodies)
    expect(await room.put(body), JSON.stringify(body)).toMatchObject(refusal(400, "Invalid request data"));
  // Both tags have enough questions, but not together.
  const drawn = (...counts: [tag: string, count: number][]) =>
    room.put({ ...rules, draw: counts.map(([tag, count]) => ({ tag, count })) });
  const refused = await drawn(["a", 2], ["b", 1]);
  expect(refused.status).toBe(400);
  expect(refused.headers.get("x-invalid")).toBe("body.draw: the bank gives 2 of 3 questions");
  expect((await drawn(["b", 1], ["a", 1])).status).toBe(200);
  expect((await drawn(["a", 1], ["b", 1])).status).toBe(200);
  const nulls = { maxAttempts: null, timeLimitMinutes: null };
  expect((await room.put({ ...rules, ...nulls, questionIds: [two._id, one._id] })).status).toBe(200);
});

test("course, owner, chapter and questions are checked in this order", async () => {
  const [room, other] = [await examRoom(server), await examRoom(server)];
  const { _id } = await room.addStatement();
  const body = { ...rules, questionIds: [_id] };
  const put = (path: string, token: string) => server.call("PUT", path, { body, token });
  const unknown = `/api/educator/courses/${new Types.ObjectId()}/chapters/ch1/assessment`;
  expect(await put(unknown, room.educator.token)).toMatchObject(refusal(404, "Course not found"));
  expect(await server.delete(unknown, room.educator.token)).toMatchObject(refusal(404, "Course not found"));
  expect(await put(room.path(), other.educator.token)).toMatchObject(refusal(403, "Not authorized"));
  expect(await server.delete(room.path(), other.educator.token)).toMatchObject(refusal(403, "Not authorized"));
  expect(await put(room.path("ch9"), room.educator.token)).toMatchObject(refusal(404, "Chapter not found"));
  for (const id of [String(new Types.ObjectId()), "nonsense", (await other.addStatement())._id]) {
    const answer = await room.put({ ...rules, questionIds: [_id, id] });
    expect(answer).toMatchObject(refusal(404, "Question not found"));
  }
  await server.delete(`/api/educator/questions/${_id}`, room.educator.token);
  expect(await room.put(body)).toMatchObject(refusal(404, "Question not found"));
});

test("the AI quiz of the chapter gives way, and comes back with the removal", async () => {
  const room = await examRoom(server);
  const learner = await room.learner();
  const quiz = () => server.get(`/api/quiz/${room.courseId}/ch1`, learner.token);
  const asked = { courseId: room.courseId, chapterId: "ch1" };
  const answersTo = async () => (await quiz()).body.quiz.questions.map(() => 0);
  const answers = await answersTo();
  await room.assess();
  const has = refusal(409, "This chapter has an assessment");
  expect(await quiz()).toMatchObject(has);
  expect(await server.post("/api/quiz/submit", { ...asked, answers }, learner.token)).toMatchObject(has);
  const calls = aiOf(server).calls.length;
  expect(await server.post("/api/quiz/generate", asked, room.educator.token)).toMatchObject(has);
  expect(aiOf(server).calls.length).toBe(calls);
  expect((await server.get(`/api/quiz/${room.courseId}/ch2`, learner.token)).status).toBe(200);
  const stranger = await server.signedIn();
  expect(await server.get(`/api/quiz/${room.courseId}/ch1`, stranger.token)).toMatchObject(
    refusal(403, "Course not purchased"),
  );
  expect((await server.get(`/api/quiz/results/${room.courseId}/ch1`, learner.token)).body.results).toEqual([]);
  await room.remove();
  expect((await quiz()).body.quiz.questions).toHaveLength(answers.length);
  expect((await server.post("/api/quiz/submit", { ...asked, answers }, learner.token)).status).toBe(200);
});

test("a removal grades open attempts with what was saved, and keeps graded ones", async () => {
  const room = await examRoom(server);
  const id = await room.assess();
  const [seen, swept, done] = [await room.learner(), await room.learner(), await room.learner()];
  const ids = [];
  for (const learner of [seen, swept, done]) ids.push((await room.start(learner)).body.attempt._id);
  const [first = "", second = "", third = ""] = ids;
  for (const [learner, attemptId] of [
    [seen, first],
    [swept, second],
  ] as const)
    await save(server, learner, attemptId, { [id]: true });
  await submit(server, done, third, { [id]: true });
  await room.remove();
  expect(await save(server, seen, first, { [id]: false })).toMatchObject(refusal(409, "The attempt is over"));
  expect((await look(server, seen, first)).body.result).toMatchObject({ percent: 100, review: [{ answer: true }] });
  expect(await runJob(server, "grade-attempts")).toBe("1 attempts graded");
  expect((await submit(server, swept, second, { [id]: false })).body.result.percent).toBe(100);
  expect((await look(server, done, third)).body.result.percent).toBe(100);
  expect(await server.get(room.quiz(), seen.token)).toMatchObject(refusal(404, "Assessment not found"));
  // A start that read the assessment before its removal may come later: the job looks once more.
  const later = await db.Assessment.findOne({ courseId: room.courseId }).orFail().lean();
  expect(later.sweepAt?.getTime()).toBe((later.removedAt?.getTime() ?? 0) + 30_000);
  await db.Assessment.updateOne({ _id: later._id }, { removedAt: new Date(0), sweepAt: new Date(1) });
  await runJob(server, "grade-attempts");
  expect((await db.Assessment.findById(later._id).lean())?.sweepAt).toBeUndefined();
  // A new assessment of the chapter counts its own attempts.
  await room.assess({ maxAttempts: 1 });
  expect(await room.view(done)).toMatchObject({ attemptsUsed: 0, bestPercent: null });
  expect((await room.start(done)).status).toBe(200);
});

test("an edit that removes the chapter removes its assessment, other edits do not", async () => {
  const room = await examRoom(server);
  const id = await room.assess();
  const other = await room.assess({}, "ch2");
  const learner = await room.learner();
  const { attempt } = (await room.start(learner)).body;
  await save(server, learner, attempt._id, { [id]: true });
  const edit = async (fields: object) => {
    const { version } = await db.Course.findById(room.courseId).orFail().lean();
    const path = `/api/educator/courses/${room.courseId}`;
    expect(await server.patch(path, { version, ...fields }, room.educator.token)).toMatchObject({ status: 200 });
  };
  const [first, second] = room.course.courseContent;
  await edit({ courseTitle: "New", courseContent: [second, { ...first, chapterTitle: "Renamed", chapterOrder: 9 }] });
  expect(await room.view(learner)).toMatchObject({ openAttemptId: attempt._id });
  await edit({ courseContent: [second] });
  expect(await server.get(room.quiz(), learner.token)).toMatchObject(refusal(404, "Assessment not found"));
  expect((await look(server, learner, attempt._id)).body.result.percent).toBe(100);
  expect(await db.Assessment.countDocuments({ courseId: room.courseId, isCurrent: true })).toBe(1);
  const { assessments } = await db.Course.findById(room.courseId).orFail().lean();
  expect(assessments).toMatchObject([{ chapterId: "ch2", requiredPercent: null }]);
  expect((await room.start(learner, "ch2")).body.attempt.questions[0]._id).toBe(other);
  // A chapter with the same id has no assessment.
  await edit({ courseContent: [second, first] });
  expect(await room.remove("ch1")).toMatchObject(refusal(404, "Assessment not found"));
});
