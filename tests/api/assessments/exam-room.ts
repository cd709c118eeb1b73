import { backgroundJobs } from "../../../src/jobs/index.js";
import { rules } from "../../factories/assessments.js";
import { buildChapters } from "../../factories/course-content.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { storeQuestion } from "../../factories/questions.js";
import type { SignedIn, TestServer } from "../../server/test-server.js";

const options = ["Porto", "Lisbon", "Braga"].map((text, i) => ({ id: `o${i}`, text }));

/** Questions of every kind, each of one point, with their right answers. */
export const kinds = [
  { kind: "single", prompt: "Capital of Portugal?", options, correct: "o1", explanation: "Since 1255." },
  { kind: "multiple", prompt: "In the north?", options, correct: ["o0", "o2"], partial: true },
  { kind: "boolean", prompt: "The earth is round.", correct: true },
  { kind: "number", prompt: "0.3?", correct: 0.3, tolerance: 0.1 },
  { kind: "text", prompt: "Spell it", accepted: ["Lisboa"] },
  { kind: "order", prompt: "From north to south", items: options },
];
const rightAnswers = ["Lisbon", ["Braga", "Porto"], true, 0.4, " lisboa ", ["Porto", "Lisbon", "Braga"]];

/** A question as a learner sees it. */
interface Shown {
  readonly _id: string;
  readonly options?: readonly { id: string; text: string }[];
  readonly items?: readonly { id: string; text: string }[];
}

/** An answer to a question with the ids that its options have in the attempt. @param answer names options by their texts. */
export function answerTo(question: Shown, answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map((one) => answerTo(question, one));
  return (question.options ?? question.items)?.find(({ text }) => text === answer)?.id ?? answer;
}

/** The right answers to an attempt with a question of every kind. */
export const answersTo = ({ questions }: { questions: readonly Shown[] }): Record<string, unknown> =>
  Object.fromEntries(questions.map((question, i) => [question._id, answerTo(question, rightAnswers[i])]));

/** A course of an educator with a bank of questions, and learners who take its assessments. */
export async function examRoom(server: TestServer, { chapters = 2 } = {}) {
  const educator = await server.signedIn("educator");
  const course = await buildCourse(server, { educatorId: educator.id, courseContent: buildChapters(chapters, 1) });
  const courseId = String(course._id);
  const path = (chapterId = "ch1") => `/api/educator/courses/${courseId}/chapters/${chapterId}/assessment`;
  const quiz = (rest = "", chapterId = "ch1") => `/api/quiz/assessments/${courseId}/${chapterId}${rest}`;
  const put = (body: object, chapterId?: string) =>
    server.call("PUT", path(chapterId), { body, token: educator.token });
  return {
    ...{ educator, course, courseId, path, put, quiz },
    remove: (chapterId?: string) => server.delete(path(chapterId), educator.token),
    /** Adds a question of each kind. @returns their ids. */
    async addKinds(): Promise<string[]> {
      const ids: string[] = [];
      for (const fields of kinds) ids.push((await storeQuestion(server, educator, fields))._id);
      return ids;
    },
    addStatement: (fields = {}) => storeQuestion(server, educator, fields),
    /** Gives a chapter an assessment of one true statement by default. */
    async assess(fields: object = {}, chapterId?: string): Promise<string> {
      const { _id } = await storeQuestion(server, educator);
      const { status, body } = await put({ ...rules, questionIds: [_id], ...fields }, chapterId);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      return _id;
    },
    async learner(): Promise<SignedIn> {
      const user = await server.signedIn();
      await enroll(server, user.id, course._id);
      return user;
    },
    view: async ({ token }: SignedIn, chapterId?: string) =>
      (await server.get(quiz("", chapterId), token)).body.assessment,
    start: ({ token }: SignedIn, chapterId?: string, on = server) =>
      on.post(quiz("/attempts", chapterId), undefined, token),
  };
}

export const save = (server: TestServer, { token }: SignedIn, attemptId: string, answers: unknown) =>
  server.call("PUT", `/api/quiz/attempts/${attemptId}/answers`, { body: { answers }, token });

export const submit = (server: TestServer, { token }: SignedIn, attemptId: string, answers?: unknown) =>
  server.post(`/api/quiz/attempts/${attemptId}/submit`, answers === undefined ? {} : { answers }, token);

export const look = (server: TestServer, { token }: SignedIn, attemptId: string) =>
  server.get(`/api/quiz/attempts/${attemptId}`, token);

export const runJob = (server: TestServer, name: string) =>
  backgroundJobs(server.deps)
    .find((job) => job.name === name)
    ?.run(new AbortController().signal);

/** Moves the end of an open attempt so far into the past. */
export async function endAgo(server: TestServer, attemptId: string, ms: number): Promise<void> {
  const endsAt = new Date(Date.now() - ms);
  const gradeAt = new Date(endsAt.getTime() + 30_000);
  await server.deps.db.AssessmentAttempt.updateOne({ _id: attemptId }, { endsAt, gradeAt });
}
