import { answerTo, examRoom, kinds } from "../../api/assessments/exam-room.js";
import { rules } from "../../factories/assessments.js";
import { storeQuestion } from "../../factories/questions.js";
import { type Examples, must, type Scene } from "./scene.js";

/** A chapter with an assessment of two questions, and a learner of the course. */
async function assessed({ server }: Scene) {
  const room = await examRoom(server);
  const questionIds: string[] = [];
  for (const fields of kinds.slice(0, 2)) questionIds.push((await storeQuestion(server, room.educator, fields))._id);
  const body = { title: "Portugal", ...rules, timeLimitMinutes: 20, maxAttempts: 3, questionIds };
  await must(room.put(body));
  const { token } = await room.learner();
  return { ...room, body, token };
}

/** The same with an attempt that the learner has started. */
async function started(scene: Scene) {
  const { quiz, token } = await assessed(scene);
  const { attempt } = await must(scene.server.post(quiz("/attempts"), undefined, token));
  const [first] = attempt.questions;
  return { path: `/api/quiz/attempts/${attempt._id}`, token, answers: { [first._id]: answerTo(first, "Lisbon") } };
}

export const assessments: Examples = {
  "PUT /api/educator/courses/{courseId}/chapters/{chapterId}/assessment": async (scene) => {
    const { path, body, educator } = await assessed(scene);
    return { path: path(), body, token: educator.token };
  },
  "DELETE /api/educator/courses/{courseId}/chapters/{chapterId}/assessment": async (scene) => {
    const { path, educator } = await assessed(scene);
    return { path: path(), token: educator.token };
  },
  "GET /api/quiz/assessments/{courseId}/{chapterId}": async (scene) => {
    const { quiz, token } = await assessed(scene);
    return { path: quiz(), token };
  },
  "POST /api/quiz/assessments/{courseId}/{chapterId}/attempts": async (scene) => {
    const { quiz, token } = await assessed(scene);
    return { path: quiz("/attempts"), token };
  },
  "GET /api/quiz/attempts/{attemptId}": async (scene) => {
    const { path, token, answers } = await started(scene);
    await must(scene.server.post(`${path}/submit`, { answers }, token));
    return { path, token };
  },
  "PUT /api/quiz/attempts/{attemptId}/answers": async (scene) => {
    const { path, token, answers } = await started(scene);
    return { path: `${path}/answers`, token, body: { answers } };
  },
  "POST /api/quiz/attempts/{attemptId}/submit": async (scene) => {
    const { path, token, answers } = await started(scene);
    return { path: `${path}/submit`, token, body: { answers } };
  },
};
