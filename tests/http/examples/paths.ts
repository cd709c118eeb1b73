import { Types } from "mongoose";
import { buildCourse } from "../../factories/courses.js";
import { buildPath } from "../../factories/paths.js";
import { after, examplesOf, newAdmin, type Scene } from "./scene.js";

/** An educator with two courses, and a path of them that is changed then. */
async function own({ server }: Scene) {
  const { id: educatorId, token } = await server.signedIn("educator");
  const courses = [await buildCourse(server, { educatorId }), await buildCourse(server, { educatorId })];
  const courseIds = courses.map(({ _id }) => _id);
  const { _id } = await buildPath(server, { educatorId, courseIds });
  return { token, courseIds: courseIds.map(String), pathId: String(_id) };
}

const shown = async ({ server, educator, courseId }: Scene) => {
  await buildPath(server, { educatorId: educator.id, courseIds: [new Types.ObjectId(courseId)] });
  return { token: educator.token };
};
const toAdmin = async (scene: Scene) => {
  await shown(scene);
  return { token: (await newAdmin(scene)).token };
};

export const paths = examplesOf({
  "GET /api/paths": after(shown, undefined, "?limit=1"),
  "GET /api/paths/{pathId}": after(async (scene) => ({ pathId: (await own(scene)).pathId })),
  "POST /api/educator/paths": after(own, ({ courseIds }) => ({
    ...{ title: "From TypeScript to production", subtitle: "Write a service, and run it.", courseIds },
    ...{ description: "**In order**: the language, then the service.", inOrder: true, price: 1499, isPublished: true },
  })),
  "PATCH /api/educator/paths/{pathId}": after(own, () => ({ version: 1, price: 999 })),
  "DELETE /api/educator/paths/{pathId}": after(own),
  "GET /api/educator/paths": after(shown, undefined, "?limit=1"),
  "GET /api/admin/paths": after(toAdmin, undefined, "?limit=1"),
});
