import { answerTo, examRoom, kinds } from "../../api/assessments/exam-room.js";
import { rules } from "../../factories/assessments.js";
import { storeQuestion } from "../../factories/questions.js";
import { after, examplesOf, must, type Scene } from "./scene.js";

/** A chapter with an assessment of two questions, whose educator asks. */
async function assessed({ server }: Scene) {
  const room = await examRoom(server);
  const questionIds: string[] = [];
  for (const fields of kinds.slice(0, 2)) questionIds.push((await storeQuestion(server, room.educator, fields))._id);
  const body = { title: "Portugal", ...rules, timeLimitMinutes: 20, maxAttempts: 3, questionIds };
  await must(room.put(body));
  const learner = await room.learner();
  return { courseId: room.courseId, chapterId: "ch1", token: room.educator.token, body, learner, quiz: room.quiz };
}

/** The same, for a learner of the course who asks. */
const offered = async (scene: Scene) => {
  const { courseId, chapterId, quiz, learner } = await assessed(scene);
  return { courseId, chapterId, quiz, token: learner.token };
};

/** The same with an attempt that the learner has started. */
async function started(scene: Scene) {
  const { quiz, token } = await offered(scene);
  const { attempt } = await must(scene.server.post(quiz("/attempts"), undefined, token));
  const [first] = attempt.questions;
  return { attemptId: attempt._id as string, token, answers: { [first._id]: answerTo(first, "Lisbon") } };
}

async function submitted(scene: Scene) {
  const { attemptId, token, answers } = await started(scene);
  await must(scene.server.post(`/api/quiz/attempts/${attemptId}/submit`, { answers }, token));
  return { attemptId, token };
}

const assessment = "/api/educator/courses/{courseId}/chapters/{chapterId}/assessment";

export const assessments = examplesOf({
  [`PUT ${assessment}`]: after(assessed, ({ body }) => body),
  [`DELETE ${assessment}`]: after(assessed),
  "GET /api/quiz/assessments/{courseId}/{chapterId}": after(offered),
  "POST /api/quiz/assessments/{courseId}/{chapterId}/attempts": after(offered),
  "GET /api/quiz/attempts/{attemptId}": after(submitted),
  "PUT /api/quiz/attempts/{attemptId}/answers": after(started, ({ answers }) => ({ answers })),
  "POST /api/quiz/attempts/{attemptId}/submit": after(started, ({ answers }) => ({ answers })),
});
