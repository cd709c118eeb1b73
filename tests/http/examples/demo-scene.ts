import { demoId } from "../../../src/demo/demo-id.js";
import { loadDemo } from "../../../src/demo/load-demo.js";
import { officialGroup, writePost, writeReply } from "../../factories/posts.js";
import { identityOf } from "../../server/emulators.js";
import type { TestServer } from "../../server/test-server.js";
import { everyRoute } from "./every-route.js";
import type { Examples, Scene } from "./scene.js";

const course = (key: string): string => String(demoId("course", key));

/** The demo data, as the development server loads them: Asha learns, Meera teaches. */
export async function demoScene(server: TestServer): Promise<Scene> {
  const identity = identityOf(server.emulators);
  await loadDemo(server.deps);
  const demoUser = (name: string) => {
    const id = `user_demo_${name.toLowerCase()}`;
    return { id, name, token: identity.issueToken(id, { role: "student" }) };
  };
  const learner = demoUser("Asha");
  const post = await writePost(server, learner);
  const reply = await writeReply(server, learner, post._id);
  return {
    server,
    learner,
    educator: demoUser("Meera"),
    courseId: course("typescript"),
    postId: post._id,
    replyId: reply._id,
    groupId: await officialGroup(server),
  };
}

const asLearner = (path: string, body?: unknown) => (scene: Scene) => ({ path, body, token: scene.learner.token });
const asEducator = (path: string, body?: unknown) => (scene: Scene) => ({ path, body, token: scene.educator.token });

/** What the API reference shows: where it can be, a request that Asha or Meera can send just so. */
export const documented: Examples = {
  ...everyRoute,
  "POST /api/user/purchase": asLearner("/api/user/purchase", { courseId: course("kubernetes") }),
  "POST /api/user/coupon/check": asLearner("/api/user/coupon/check", {
    courseId: course("kubernetes"),
    code: "WELCOME10",
  }),
  "GET /api/user/purchases": asLearner("/api/user/purchases"),
  "POST /api/user/update-course-progress": asLearner("/api/user/update-course-progress", {
    courseId: course("react"),
    lectureId: "react-5",
  }),
  "GET /api/user/certificate/check/{courseId}": asLearner(`/api/user/certificate/check/${course("typescript")}`),
  "POST /api/user/certificate/generate/{courseId}": asLearner(
    `/api/user/certificate/generate/${course("typescript")}`,
    {},
  ),
  "GET /api/user/certificate/{courseId}": asLearner(`/api/user/certificate/${course("typescript")}`),
  "POST /api/user/add-rating": asLearner("/api/user/add-rating", { courseId: course("security"), rating: 5 }),
  "POST /api/user/track-time": asLearner("/api/user/track-time", {
    page: "Learning",
    path: `/player/${course("react")}`,
    duration: 60,
  }),
  "POST /api/user/ai-chat": asLearner("/api/user/ai-chat", { content: "What does narrowing mean?" }),
  "POST /api/user/generate-personal-roadmap": asLearner("/api/user/generate-personal-roadmap", {}),
  "POST /api/quiz/generate": asEducator("/api/quiz/generate", { courseId: course("typescript"), chapterId: "ch2" }),
  "GET /api/quiz/{courseId}/{chapterId}": asLearner(`/api/quiz/${course("typescript")}/ch1`),
  "GET /api/quiz/results/{courseId}/{chapterId}": asLearner(`/api/quiz/results/${course("typescript")}/ch1`),
  "GET /api/quiz/course-results/{courseId}": asLearner(`/api/quiz/course-results/${course("typescript")}`),
  "GET /api/quiz/my-results": asLearner("/api/quiz/my-results"),
  "GET /api/quiz/educator-insights": asEducator("/api/quiz/educator-insights"),
  "POST /api/community/groups": asLearner("/api/community/groups", {
    name: "Type theory",
    description: "For the curious.",
  }),
  "GET /api/user/export": asLearner("/api/user/export"),
};
