import { issuedCertificate } from "../../factories/certificates.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { after, examplesOf, must, newcomer, type Scene } from "./scene.js";

const theLearner = ({ learner }: Scene) => learner;

/** A learner in a course of their own. */
async function enrolled(scene: Scene) {
  const { server } = scene;
  const { id, token } = await newcomer(scene);
  const { _id } = await buildCourse(server);
  await enroll(server, id, _id);
  return { userId: id, token, courseId: String(_id) };
}

/** The same with every lecture completed, and so with a certificate. */
async function certified(scene: Scene) {
  const { server } = scene;
  const { userId, token, courseId } = await enrolled(scene);
  const course = await server.deps.db.Course.findById(courseId).orFail().lean();
  for (const { lectureId } of course.courseContent.flatMap(({ chapterContent }) => chapterContent)) {
    await must(server.post("/api/user/update-course-progress", { courseId, lectureId }, token));
  }
  const { certificateId } = await issuedCertificate(server, { userId, courseId });
  return { userId, token, courseId, certificateId };
}

/** The same with a credential, which the first request signs. */
async function signed(scene: Scene) {
  const made = await certified(scene);
  const { server } = scene;
  const { body } = await server.get(`/api/user/certificates/${made.certificateId}/credential`, made.token);
  return { ...made, list: body.credentialStatus.statusListCredential.replace(/.*\//, "") as string };
}

async function chatted(scene: Scene) {
  const { token } = await newcomer(scene);
  await must(scene.server.post("/api/user/ai-chat", { content: "What is a type?" }, token));
  const { chats } = await must(scene.server.post("/api/user/previous-chats", {}, token));
  return { token, sessionId: chats[0].sessionId as string };
}

/** An educator with a course, and its first chapter. */
async function teaching({ server }: Scene) {
  const { id, token } = await server.signedIn("educator");
  const { _id } = await buildCourse(server, { educatorId: id });
  return { token, chapter: { courseId: String(_id), chapterId: "ch1" }, _id };
}

/** A learner whom the chapter's quiz waits for. */
async function withQuiz(scene: Scene) {
  const { token: educatorToken, chapter, _id } = await teaching(scene);
  const { quiz } = await must(scene.server.post("/api/quiz/generate", chapter, educatorToken));
  const { id, token } = await newcomer(scene);
  await enroll(scene.server, id, _id);
  return {
    ...chapter,
    token,
    educatorToken,
    attempt: { ...chapter, answers: quiz.questions.map(() => 0) as number[] },
  };
}

async function withAttempt(scene: Scene) {
  const made = await withQuiz(scene);
  await must(scene.server.post("/api/quiz/submit", made.attempt, made.token));
  return made;
}

export const learning = examplesOf({
  "GET /api/user/data": after(theLearner),
  "GET /api/user/enrolled-courses": after(theLearner),
  "GET /api/user/enrolled-courses/{courseId}": after(theLearner),
  "GET /api/user/continue": after(theLearner),
  "GET /api/user/analytics": after(theLearner),
  "POST /api/user/update-course-progress": after(enrolled, ({ courseId }) => ({ courseId, lectureId: "ch1-l1" })),
  "POST /api/user/get-course-progress": after(
    ({ learner, courseId }) => ({ ...learner, courseId }),
    ({ courseId }) => ({ courseId }),
  ),
  "GET /api/user/certificate/check/{courseId}": after(certified),
  "POST /api/user/certificate/generate/{courseId}": after(certified, () => ({})),
  "GET /api/user/certificate/{courseId}": after(certified),
  "GET /api/certificate/verify/{certificateId}": after(async (scene) => {
    const { certificateId } = await certified(scene);
    return { certificateId };
  }),
  "GET /api/user/certificates/{certificateId}/credential": after(signed),
  "GET /api/user/certificates/{certificateId}/badge.png": after(signed),
  "GET /api/certificate/status/{list}": after(async (scene) => ({ list: (await signed(scene)).list })),
  "POST /api/user/add-rating": after(enrolled, ({ courseId }) => ({
    ...{ courseId, rating: 5, review: "Worth every minute." },
  })),
  "POST /api/user/track-time": after(enrolled, ({ courseId }) => ({
    ...{ page: "Learning", path: `/player/${courseId}`, duration: 5 },
  })),
  "POST /api/user/ai-chat": after(newcomer, () => ({ content: "What is a type?" })),
  "POST /api/user/previous-chats": after(chatted, () => ({})),
  "GET /api/user/chat/{sessionId}": after(chatted),
  "DELETE /api/user/chat/{sessionId}": after(chatted),
  "POST /api/user/generate-personal-roadmap": after(enrolled, () => ({})),
  "POST /api/user/generate-custom-roadmap": after(newcomer, () => ({ topic: "Graph theory" })),
  "POST /api/quiz/generate": after(teaching, ({ chapter }) => chapter),
  "POST /api/quiz/submit": after(withQuiz, ({ attempt }) => attempt),
  "GET /api/quiz/my-results": after(withAttempt),
  "GET /api/quiz/educator-insights": after(async (scene) => ({ token: (await withAttempt(scene)).educatorToken })),
  "GET /api/quiz/course-results/{courseId}": after(withAttempt),
  "GET /api/quiz/results/{courseId}/{chapterId}": after(withAttempt),
  "GET /api/quiz/{courseId}/{chapterId}": after(withQuiz),
  "GET /api/user/export": after(certified),
  "DELETE /api/user/data": after(certified, ({ userId }) => ({ confirm: userId })),
});
