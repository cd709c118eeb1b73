import { demoId } from "../../../development/demo/demo-id.js";
import { loadDemo } from "../../../development/demo/load-demo.js";
import { officialGroup, writePost, writeReply } from "../../factories/posts.js";
import { identityOf } from "../../server/emulators.js";
import type { TestServer } from "../../server/test-server.js";
import { everyRoute } from "./every-route.js";
import { after, type Examples, examplesOf, type Scene } from "./scene.js";

const course = (key: string): string => String(demoId("course", key));
const demoPath = String(demoId("path", "production"));

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

const asha = ({ learner }: Scene) => ({ ...learner, chapterId: "ch1" });
const meera = ({ educator }: Scene) => educator;

/** What the API reference shows: where it can be, a request that Asha or Meera can send just so. */
export const documented: Examples = {
  ...everyRoute,
  ...examplesOf({
    "POST /api/user/purchase": after(asha, () => ({ courseId: course("kubernetes") })),
    "POST /api/user/coupon/check": after(asha, () => ({ courseId: course("kubernetes"), code: "WELCOME10" })),
    "GET /api/user/purchases": after(asha),
    "POST /api/user/update-course-progress": after(asha, () => ({ courseId: course("react"), lectureId: "react-5" })),
    "GET /api/user/certificate/check/{courseId}": after(asha),
    "POST /api/user/certificate/generate/{courseId}": after(asha, () => ({})),
    "GET /api/user/certificate/{courseId}": after(asha),
    "POST /api/user/add-rating": after(asha, () => ({ courseId: course("security"), rating: 5 })),
    "POST /api/user/track-time": after(asha, () => ({
      ...{ page: "Learning", path: `/player/${course("react")}`, duration: 60 },
    })),
    "POST /api/user/ai-chat": after(asha, () => ({ content: "What does narrowing mean?" })),
    "POST /api/user/generate-personal-roadmap": after(asha, () => ({})),
    "POST /api/quiz/generate": after(meera, () => ({ courseId: course("typescript"), chapterId: "ch2" })),
    "GET /api/quiz/{courseId}/{chapterId}": after(asha),
    "GET /api/quiz/results/{courseId}/{chapterId}": after(asha),
    "GET /api/quiz/course-results/{courseId}": after(asha),
    "GET /api/quiz/my-results": after(asha),
    "GET /api/quiz/educator-insights": after(meera),
    "GET /api/paths/{pathId}": after(() => ({ pathId: demoPath })),
    "GET /api/educator/paths": after(meera, undefined, "?limit=1"),
    "GET /api/paths": after(() => ({}), undefined, "?limit=1"),
    "POST /api/community/groups": after(asha, () => ({ name: "Type theory", description: "For the curious." })),
    "GET /api/user/export": after(asha),
  }),
};
