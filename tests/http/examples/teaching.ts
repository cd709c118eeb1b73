import { numberEvents } from "../../../src/services/events/number-events.js";
import { applicant, application, apply } from "../../factories/applications.js";
import { courseData, courseForm } from "../../factories/course-forms.js";
import { buildCourse } from "../../factories/courses.js";
import { storeQuestion } from "../../factories/questions.js";
import { addResource, resourceForm } from "../../factories/resources.js";
import { type Examples, newAdmin, newcomer, type Scene, type Sent } from "./scene.js";

const ofEducator = (path: string) => (scene: Scene) => ({ path, token: scene.educator.token });
const ofAdmin = (path: string) => async (scene: Scene) => ({ path, token: (await newAdmin(scene)).token });

const question = (path: string, body?: unknown) => async (scene: Scene) => {
  const { _id } = await storeQuestion(scene.server, scene.educator, {
    explanation: "Sailors went round it.",
    tags: ["geography"],
  });
  return { path: `/api/educator/questions${path.replace(":id", _id)}`, body, token: scene.educator.token };
};

/** An educator with a course, which is changed then. */
async function own({ server }: Scene) {
  const { id: educatorId, token } = await server.signedIn("educator");
  const { _id, version } = await buildCourse(server, { educatorId });
  return { path: `/api/educator/courses/${_id}`, token, version };
}

const resources = ({ courseId }: Scene) => `/api/educator/courses/${courseId}/resources`;

/** Events that wait for their number get it by the first request, which then costs more. */
const numbered = (request: (scene: Scene) => Sent | Promise<Sent>) => async (scene: Scene) => {
  const sent = await request(scene);
  while ((await numberEvents(scene.server.deps)) > 0);
  return sent;
};

/** A file of the educator's course. */
async function addedResource({ server, educator, courseId }: Scene): Promise<string> {
  return (await addResource(server, educator, courseId)).resourceId;
}

const decide = (decision: "approve" | "reject") => async (scene: Scene) => {
  const id = await apply(scene.server, await applicant(scene.server));
  const { token } = await newAdmin(scene);
  return { path: `/api/admin/educator-applications/${id}/${decision}`, body: {}, token };
};

export const teaching: Examples = {
  "GET /": () => ({ path: "/" }),
  "GET /healthz": () => ({ path: "/healthz" }),
  "GET /readyz": () => ({ path: "/readyz" }),
  "GET /metrics": () => ({ path: "/metrics" }),
  "GET /api/docs": () => ({ path: "/api/docs" }),
  "GET /api/openapi.json": () => ({ path: "/api/openapi.json" }),
  "GET /api/course/all": async ({ server }) => {
    await server.get("/api/course/all");
    return { path: "/api/course/all" };
  },
  "GET /api/course/{id}": ({ courseId }) => ({ path: `/api/course/${courseId}` }),
  "POST /api/educator/apply": async (scene) => {
    const { token } = await newcomer(scene);
    return { path: "/api/educator/apply", body: application(), token };
  },
  "GET /api/educator/application-status": async (scene) => {
    const learner = await newcomer(scene);
    await apply(scene.server, learner);
    return { path: "/api/educator/application-status", token: learner.token };
  },
  "POST /api/educator/add-course": async ({ server }) => {
    const { token } = await server.signedIn("educator");
    return { path: "/api/educator/add-course", body: courseForm(courseData()), token };
  },
  "GET /api/educator/courses": ofEducator("/api/educator/courses?limit=1"),
  "GET /api/educator/courses/{id}": ({ courseId, educator }) => ({
    ...{ path: `/api/educator/courses/${courseId}`, token: educator.token },
  }),
  "PATCH /api/educator/courses/{id}": async (scene) => {
    const { path, token, version } = await own(scene);
    return { path, token, body: { version, courseTitle: "Another title" } };
  },
  "PATCH /api/educator/courses/{id}/publish": async (scene) => {
    const { path, token } = await own(scene);
    return { path: `${path}/publish`, token, body: { isPublished: false } };
  },
  "POST /api/educator/courses/{id}/resources": (scene) => ({
    ...{ path: resources(scene), token: scene.educator.token, body: resourceForm() },
  }),
  "GET /api/educator/courses/{id}/resources": (scene) => ({ path: resources(scene), token: scene.educator.token }),
  "DELETE /api/educator/courses/{id}/resources/{resourceId}": async (scene) => ({
    ...{ path: `${resources(scene)}/${await addedResource(scene)}`, token: scene.educator.token },
  }),
  "GET /api/user/enrolled-courses/{courseId}/lectures/{lectureId}": async ({ server, courseId, learner }) => {
    const course = await server.deps.db.Course.findById(courseId).orFail().lean();
    const lectureId = course.courseContent[0]?.chapterContent[0]?.lectureId;
    return { path: `/api/user/enrolled-courses/${courseId}/lectures/${lectureId}`, token: learner.token };
  },
  // No lecture names the file, so that only the educator gets it.
  "GET /api/user/resources/{courseId}/{resourceId}": async (scene) => ({
    path: `/api/user/resources/${scene.courseId}/${await addedResource(scene)}`,
    token: scene.educator.token,
  }),
  "GET /api/educator/dashboard": ofEducator("/api/educator/dashboard?limit=1"),
  "GET /api/educator/enrolled-students": ofEducator("/api/educator/enrolled-students?limit=1"),
  "GET /api/educator/enrolled-students.csv": ofEducator("/api/educator/enrolled-students.csv"),
  "POST /api/educator/questions": question("", {
    ...{ kind: "single", prompt: "Which planet is the **largest**?", points: 2, tags: ["astronomy"] },
    ...{ options: ["Mars", "Jupiter"].map((text, i) => ({ id: String(i), text })), correct: "1" },
  }),
  "GET /api/educator/questions": question("?limit=1"),
  "POST /api/educator/questions/import": ({ educator }) => ({
    ...{ path: "/api/educator/questions/import", token: educator.token },
    ...{ body: "What is the capital of Portugal? {=Lisbon ~Porto}\n\nDescribe it. {}\n" },
    headers: { "content-type": "text/plain" },
  }),
  "GET /api/educator/questions/export.gift": question("/export.gift"),
  "GET /api/educator/questions/{id}": question("/:id"),
  "PATCH /api/educator/questions/{id}": question("/:id", { points: 2 }),
  "DELETE /api/educator/questions/{id}": question("/:id"),
  "GET /api/educator/events": numbered(ofEducator("/api/educator/events?limit=1")),
  "GET /api/admin/events": numbered(ofAdmin("/api/admin/events?limit=1")),
  "GET /api/admin/stats": ofAdmin("/api/admin/stats"),
  "GET /api/admin/chart-data": ofAdmin("/api/admin/chart-data"),
  "GET /api/admin/courses": ofAdmin("/api/admin/courses?limit=1"),
  "GET /api/admin/purchases": ofAdmin("/api/admin/purchases?limit=1"),
  "GET /api/admin/users": ofAdmin("/api/admin/users?limit=1"),
  "GET /api/admin/audit": ofAdmin("/api/admin/audit?limit=1"),
  "GET /api/admin/purchases.csv": ofAdmin("/api/admin/purchases.csv"),
  "GET /api/admin/educator-applications": ofAdmin("/api/admin/educator-applications?limit=1"),
  "PATCH /api/admin/educator-applications/{id}/approve": decide("approve"),
  "PATCH /api/admin/educator-applications/{id}/reject": decide("reject"),
};
