import { numberEvents } from "../../../src/services/events/number-events.js";
import { applicant, application, apply } from "../../factories/applications.js";
import { changeCatalog } from "../../factories/catalog.js";
import { courseData, courseForm } from "../../factories/course-forms.js";
import { buildCourse } from "../../factories/courses.js";
import { storeQuestion } from "../../factories/questions.js";
import { addResource, resourceForm } from "../../factories/resources.js";
import type { SignedIn } from "../../server/test-server.js";
import { after, examplesOf, newAdmin, newcomer, type Scene } from "./scene.js";

const theEducator = ({ educator }: Scene) => educator;
const one = "?limit=1";

const asked = async ({ server, educator }: Scene) => {
  const fields = { explanation: "Sailors went round it.", tags: ["geography"] };
  return { token: educator.token, id: (await storeQuestion(server, educator, fields))._id };
};

/** An educator with a course, which is changed then. */
async function own({ server }: Scene) {
  const { id: educatorId, token } = await server.signedIn("educator");
  // So few examples have this title that no slug gets a random suffix.
  const { _id, version } = await buildCourse(server, { educatorId, courseTitle: "First title" });
  return { id: String(_id), token, version };
}

/** The educator of the course, as the routes of its resources name it. */
const ofCourse = ({ educator, courseId }: Scene) => ({ token: educator.token, id: courseId });
const withResource = async (scene: Scene) => {
  const { resourceId } = await addResource(scene.server, scene.educator, scene.courseId);
  return { ...ofCourse(scene), resourceId };
};

/** Events that wait for their number get it by the first request, which then costs more. */
const numbered = (caller: (scene: Scene) => SignedIn | Promise<SignedIn>) => async (scene: Scene) => {
  const { token } = await caller(scene);
  while ((await numberEvents(scene.server.deps)) > 0);
  return { token };
};

const applied = async (scene: Scene) => {
  const id = await apply(scene.server, await applicant(scene.server));
  return { id, token: (await newAdmin(scene)).token };
};

const nobody = () => ({});

export const teaching = examplesOf({
  "GET /": after(nobody),
  "GET /healthz": after(nobody),
  "GET /readyz": after(nobody),
  "GET /metrics": after(nobody),
  "GET /api/docs": after(nobody),
  "GET /api/openapi.json": after(nobody),
  // A list that was built just now, because a rebuild serves all callers.
  "GET /api/course/all": after(async ({ server }) => {
    await changeCatalog(server.deps.db, async () => undefined);
    await server.get("/api/course/all");
    return {};
  }),
  "GET /api/course/browse": after(
    async ({ server }) => {
      await server.get("/api/course/browse");
      return {};
    },
    undefined,
    "?q=typescript&category=Programming&limit=1",
  ),
  "GET /api/course/slug/{slug}": after(async ({ server, courseId }) => {
    const { slugs } = await server.deps.db.Course.findById(courseId).orFail().lean();
    return { slug: slugs?.[0] };
  }),
  "GET /api/course/{id}": after(({ courseId }) => ({ id: courseId })),
  "GET /api/course/{id}/badge.png": after(({ courseId }) => ({ id: courseId })),
  "POST /api/educator/apply": after(newcomer, () => application()),
  "GET /api/educator/application-status": after(async (scene) => {
    const learner = await newcomer(scene);
    await apply(scene.server, learner);
    return learner;
  }),
  "POST /api/educator/add-course": after(
    ({ server }) => server.signedIn("educator"),
    () => courseForm(courseData()),
  ),
  "GET /api/educator/courses": after(theEducator, undefined, one),
  "GET /api/educator/courses/{id}": after(ofCourse),
  "PATCH /api/educator/courses/{id}": after(own, ({ version }) => ({ version, courseTitle: "Another title" })),
  "PATCH /api/educator/courses/{id}/publish": after(own, () => ({ isPublished: false })),
  "POST /api/educator/courses/{id}/resources": after(ofCourse, () => resourceForm()),
  "GET /api/educator/courses/{id}/resources": after(ofCourse),
  "DELETE /api/educator/courses/{id}/resources/{resourceId}": after(withResource),
  "GET /api/user/enrolled-courses/{courseId}/lectures/{lectureId}": after(async ({ server, courseId, learner }) => {
    const course = await server.deps.db.Course.findById(courseId).orFail().lean();
    return { token: learner.token, lectureId: course.courseContent[0]?.chapterContent[0]?.lectureId };
  }),
  // No lecture names the file, so that only the educator gets it.
  "GET /api/user/resources/{courseId}/{resourceId}": after(withResource),
  "GET /api/educator/dashboard": after(theEducator, undefined, one),
  "GET /api/educator/enrolled-students": after(theEducator, undefined, one),
  "GET /api/educator/enrolled-students.csv": after(theEducator),
  "POST /api/educator/questions": after(asked, () => ({
    ...{ kind: "single", prompt: "Which planet is the **largest**?", points: 2, tags: ["astronomy"] },
    ...{ options: ["Mars", "Jupiter"].map((text, i) => ({ id: String(i), text })), correct: "1" },
  })),
  "GET /api/educator/questions": after(asked, undefined, one),
  "POST /api/educator/questions/import":
    () =>
    ({ educator }) => ({
      ...{ path: "/api/educator/questions/import", token: educator.token },
      ...{ body: "What is the capital of Portugal? {=Lisbon ~Porto}\n\nDescribe it. {}\n" },
      headers: { "content-type": "text/plain" },
    }),
  "GET /api/educator/questions/export.gift": after(asked),
  "GET /api/educator/questions/{id}": after(asked),
  "PATCH /api/educator/questions/{id}": after(asked, () => ({ points: 2 })),
  "DELETE /api/educator/questions/{id}": after(asked),
  "GET /api/educator/events": after(numbered(theEducator), undefined, one),
  "GET /api/admin/events": after(numbered(newAdmin), undefined, one),
  "GET /api/admin/stats": after(newAdmin),
  "GET /api/admin/chart-data": after(newAdmin),
  "GET /api/admin/courses": after(newAdmin, undefined, one),
  "GET /api/admin/purchases": after(newAdmin, undefined, one),
  "GET /api/admin/users": after(newAdmin, undefined, one),
  "GET /api/admin/audit": after(newAdmin, undefined, one),
  "GET /api/admin/purchases.csv": after(newAdmin),
  "GET /api/admin/educator-applications": after(newAdmin, undefined, one),
  "PATCH /api/admin/educator-applications/{id}/approve": after(applied, () => ({})),
  "PATCH /api/admin/educator-applications/{id}/reject": after(applied, () => ({})),
});
