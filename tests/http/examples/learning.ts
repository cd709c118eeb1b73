import { buildCourse, enroll } from "../../factories/courses.js";
import { type Examples, must, newcomer, type Scene } from "./scene.js";

const read =
  (path: (scene: Scene) => string) =>
  (scene: Scene): { path: string; token: string } => ({ path: path(scene), token: scene.learner.token });

/** A learner in a course of their own. */
async function enrolled(scene: Scene) {
  const { server } = scene;
  const learner = await newcomer(scene);
  const { _id } = await buildCourse(server);
  await enroll(server, learner.id, _id);
  return { learner, courseId: String(_id) };
}

/** The same with every lecture completed, and so with a certificate. */
async function completed(scene: Scene) {
  const { learner, courseId } = await enrolled(scene);
  const course = await scene.server.deps.db.Course.findById(courseId).orFail().lean();
  for (const { lectureId } of course.courseContent.flatMap(({ chapterContent }) => chapterContent)) {
    await must(scene.server.post("/api/user/update-course-progress", { courseId, lectureId }, learner.token));
  }
  return { learner, courseId };
}

async function certified(scene: Scene) {
  const made = await completed(scene);
  await must(scene.server.post(`/api/user/certificate/generate/${made.courseId}`, {}, made.learner.token));
  return made;
}

async function chatted(scene: Scene) {
  const { token } = await newcomer(scene);
  await must(scene.server.post("/api/user/ai-chat", { content: "What is a type?" }, token));
  const { chats } = await must(scene.server.post("/api/user/previous-chats", {}, token));
  return { token, sessionId: chats[0].sessionId as string };
}

async function withQuiz(scene: Scene) {
  const educator = await scene.server.signedIn("educator");
  const { _id } = await buildCourse(scene.server, { educatorId: educator.id });
  const asked = { courseId: String(_id), chapterId: "ch1" };
  const { quiz } = await must(scene.server.post("/api/quiz/generate", asked, educator.token));
  const learner = await newcomer(scene);
  await enroll(scene.server, learner.id, _id);
  return { ...asked, learner, educator, answers: quiz.questions.map(() => 0) as number[] };
}

async function withAttempt(scene: Scene) {
  const { learner, educator, ...attempt } = await withQuiz(scene);
  await must(scene.server.post("/api/quiz/submit", attempt, learner.token));
  return { learner, educator, courseId: attempt.courseId };
}

export const learning: Examples = {
  "GET /api/user/data": read(() => "/api/user/data"),
  "GET /api/user/enrolled-courses": read(() => "/api/user/enrolled-courses"),
  "GET /api/user/enrolled-courses/{courseId}": read(({ courseId }) => `/api/user/enrolled-courses/${courseId}`),
  "GET /api/user/continue": read(() => "/api/user/continue"),
  "GET /api/user/analytics": read(() => "/api/user/analytics"),
  "POST /api/user/update-course-progress": async (scene) => {
    const { learner, courseId } = await enrolled(scene);
    return { path: "/api/user/update-course-progress", body: { courseId, lectureId: "ch1-l1" }, token: learner.token };
  },
  "POST /api/user/get-course-progress": ({ learner, courseId }) => ({
    ...{ path: "/api/user/get-course-progress", body: { courseId }, token: learner.token },
  }),
  "GET /api/user/certificate/check/{courseId}": async (scene) => {
    const { learner, courseId } = await certified(scene);
    return { path: `/api/user/certificate/check/${courseId}`, token: learner.token };
  },
  "POST /api/user/certificate/generate/{courseId}": async (scene) => {
    const { learner, courseId } = await certified(scene);
    return { path: `/api/user/certificate/generate/${courseId}`, body: {}, token: learner.token };
  },
  "GET /api/user/certificate/{courseId}": async (scene) => {
    const { learner, courseId } = await certified(scene);
    return { path: `/api/user/certificate/${courseId}`, token: learner.token };
  },
  "GET /api/certificate/verify/{certificateId}": async (scene) => {
    const { learner, courseId } = await certified(scene);
    const { db } = scene.server.deps;
    const { certificateId } = await db.Certificate.findOne({ userId: learner.id, courseId }).orFail().lean();
    return { path: `/api/certificate/verify/${certificateId}` };
  },
  "POST /api/user/add-rating": async (scene) => {
    const { learner, courseId } = await enrolled(scene);
    return { path: "/api/user/add-rating", body: { courseId, rating: 5 }, token: learner.token };
  },
  "POST /api/user/track-time": async (scene) => {
    const { learner, courseId } = await enrolled(scene);
    const body = { page: "Learning", path: `/player/${courseId}`, duration: 5 };
    return { path: "/api/user/track-time", body, token: learner.token };
  },
  "POST /api/user/ai-chat": async (scene) => {
    const { token } = await newcomer(scene);
    return { path: "/api/user/ai-chat", body: { content: "What is a type?" }, token };
  },
  "POST /api/user/previous-chats": async (scene) => {
    const { token } = await chatted(scene);
    return { path: "/api/user/previous-chats", body: {}, token };
  },
  "GET /api/user/chat/{sessionId}": async (scene) => {
    const { token, sessionId } = await chatted(scene);
    return { path: `/api/user/chat/${sessionId}`, token };
  },
  "DELETE /api/user/chat/{sessionId}": async (scene) => {
    const { token, sessionId } = await chatted(scene);
    return { path: `/api/user/chat/${sessionId}`, token };
  },
  "POST /api/user/generate-personal-roadmap": async (scene) => {
    const { learner } = await enrolled(scene);
    return { path: "/api/user/generate-personal-roadmap", body: {}, token: learner.token };
  },
  "POST /api/user/generate-custom-roadmap": async (scene) => {
    const { token } = await newcomer(scene);
    return { path: "/api/user/generate-custom-roadmap", body: { topic: "Graph theory" }, token };
  },
  "POST /api/quiz/generate": async ({ server }) => {
    const educator = await server.signedIn("educator");
    const { _id } = await buildCourse(server, { educatorId: educator.id });
    return { path: "/api/quiz/generate", body: { courseId: String(_id), chapterId: "ch1" }, token: educator.token };
  },
  "POST /api/quiz/submit": async (scene) => {
    const { learner, educator, ...attempt } = await withQuiz(scene);
    return { path: "/api/quiz/submit", body: attempt, token: learner.token };
  },
  "GET /api/quiz/my-results": async (scene) => {
    const { learner } = await withAttempt(scene);
    return { path: "/api/quiz/my-results", token: learner.token };
  },
  "GET /api/quiz/educator-insights": async (scene) => {
    const { educator } = await withAttempt(scene);
    return { path: "/api/quiz/educator-insights", token: educator.token };
  },
  "GET /api/quiz/course-results/{courseId}": async (scene) => {
    const { learner, courseId } = await withAttempt(scene);
    return { path: `/api/quiz/course-results/${courseId}`, token: learner.token };
  },
  "GET /api/quiz/results/{courseId}/{chapterId}": async (scene) => {
    const { learner, courseId } = await withAttempt(scene);
    return { path: `/api/quiz/results/${courseId}/ch1`, token: learner.token };
  },
  "GET /api/quiz/{courseId}/{chapterId}": async (scene) => {
    const { learner, courseId } = await withQuiz(scene);
    return { path: `/api/quiz/${courseId}/ch1`, token: learner.token };
  },
  "GET /api/user/export": async (scene) => {
    const { learner } = await certified(scene);
    return { path: "/api/user/export", token: learner.token };
  },
  "DELETE /api/user/data": async (scene) => {
    const { learner } = await certified(scene);
    return { path: "/api/user/data", body: { confirm: learner.id }, token: learner.token };
  },
};
