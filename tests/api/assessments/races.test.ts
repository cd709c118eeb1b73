import { expect, test } from "vitest";
import { rules } from "../../factories/assessments.js";
import { startTestServer } from "../../server/test-server.js";
import { wrongFigures } from "../learners/classroom.js";
import { endAgo, examRoom, look, runJob, save, submit } from "./exam-room.js";

const server = await startTestServer({ own: "runs jobs over all rows" });
const other = await server.another();
const { db } = server.deps;
const at = (i: number) => (i % 2 ? other : server);
const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

test("many starts at once are one attempt; the limit holds when starts and submits are as fast as possible", async () => {
  const room = await examRoom(server);
  await room.assess({ maxAttempts: 3 });
  const learner = await room.learner();
  const started = await times(8, (i) => room.start(learner, "ch1", at(i)));
  expect(started.map(({ status }) => status)).toEqual(started.map(() => 200));
  expect(new Set(started.map(({ body }) => JSON.stringify(body.attempt))).size).toBe(1);
  expect(await db.AssessmentAttempt.countDocuments({ userId: learner.id })).toBe(1);
  const statuses = new Set<number>();
  await times(4, async (i) => {
    for (let n = 0; n < 4; n += 1) {
      const { status, body } = await room.start(learner, "ch1", at(i));
      statuses.add(status);
      if (status === 200) statuses.add((await submit(at(i + 1), learner, body.attempt._id)).status);
      else expect(body.message).toBe("No attempts left");
    }
  });
  expect([...statuses].sort()).toEqual([200, 409]);
  const attempts = await db.AssessmentAttempt.find({ userId: learner.id }).sort({ number: 1 }).lean();
  expect(attempts.map(({ number, state }) => `${number} ${state}`)).toEqual(["1 graded", "2 graded", "3 graded"]);
  expect(await db.Enrollment.findOne({ userId: learner.id }).lean()).toMatchObject({ quizAttempts: 3 });
});

test("an assessment whose last questions are deleted at once is not required", async () => {
  for (let round = 0; round < 5; round += 1) {
    const room = await examRoom(server);
    const questions = await times(2, () => room.addStatement());
    await room.put({ ...rules, questionIds: questions.map(({ _id }) => _id), requiredForCompletion: true });
    const { token } = room.educator;
    const remove = (i: number) => at(i).delete(`/api/educator/questions/${questions[i]?._id}`, token);
    expect((await times(2, remove)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await db.Course.findById(room.courseId).lean()).toMatchObject({ completionsDueAt: expect.any(Date) });
  }
});

test("submits at once are one grade, counted once", async () => {
  const room = await examRoom(server);
  const id = await room.assess();
  const learner = await room.learner();
  const { attempt } = (await room.start(learner)).body;
  const results = await times(8, (i) => submit(at(i), learner, attempt._id, { [id]: i % 3 === 0 }));
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 200));
  expect(new Set(results.map(({ body }) => JSON.stringify(body.result))).size).toBe(1);
  expect(await db.Enrollment.findOne({ userId: learner.id }).lean()).toMatchObject({ quizAttempts: 1 });
  expect(await wrongFigures(server)).toEqual([]);
});

test("saves at once keep each other's answers, and none is lost beside a submit", async () => {
  const room = await examRoom(server);
  const questions = await times(8, () => room.addStatement());
  await room.put({ ...rules, questionIds: questions.map(({ _id }) => _id) });
  const learner = await room.learner();
  const { attempt } = (await room.start(learner)).body;
  await times(6, (i) => save(at(i), learner, attempt._id, { [questions[i]?._id ?? ""]: true }));
  const [saved, submitted] = await Promise.all([
    save(other, learner, attempt._id, { [questions[6]?._id ?? ""]: true }),
    submit(server, learner, attempt._id, { [questions[7]?._id ?? ""]: true }),
  ]);
  expect(submitted.body.result.points).toBe(saved.status === 200 ? 8 : 7);
});

test("a submit, a look and the job at the end are one grade", async () => {
  const room = await examRoom(server);
  const id = await room.assess({ timeLimitMinutes: 1 });
  const learners = await times(4, () => room.learner());
  const attempts: string[] = [];
  for (const learner of learners) {
    const { attempt } = (await room.start(learner)).body;
    await save(server, learner, attempt._id, { [id]: true });
    await endAgo(server, attempt._id, 31_000);
    attempts.push(attempt._id);
  }
  await Promise.all([
    runJob(server, "grade-attempts"),
    runJob(other, "grade-attempts"),
    ...learners.map((learner, i) => submit(other, learner, attempts[i] ?? "", { [id]: false })),
    ...learners.map((learner, i) => look(server, learner, attempts[i] ?? "")),
  ]);
  for (const learner of learners) {
    const figures = await db.Enrollment.findOne({ userId: learner.id }).lean();
    expect(figures).toMatchObject({ quizAttempts: 1, bestQuizPercent: 100 });
  }
  expect(await wrongFigures(server)).toEqual([]);
});

test("two educators' requests at once leave one assessment", async () => {
  const room = await examRoom(server);
  const { _id } = await room.addStatement();
  const put = (passPercent: number) => room.put({ ...rules, questionIds: [_id], passPercent });
  const answers = await times(6, put);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const [stored, ...others] = await db.Assessment.find({ courseId: room.courseId, isCurrent: true }).lean();
  expect(others).toEqual([]);
  const { assessments } = await db.Course.findById(room.courseId).orFail().lean();
  expect(assessments).toMatchObject([{ chapterId: "ch1", assessmentId: stored?._id }]);
});
