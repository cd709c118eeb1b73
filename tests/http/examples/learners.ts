import { Types } from "mongoose";
import { enroll } from "../../factories/courses.js";
import { type Examples, must, newAdmin, newcomer, type Scene } from "./scene.js";

/** Routes about the learners of a course, which have the same path for its educator and for administrators. */
const audiences = {
  educator: async ({ educator }: Scene) => educator.token,
  admin: async (scene: Scene) => (await newAdmin(scene)).token,
};

/** A learner of the course who has completed a lecture. */
async function studied(scene: Scene): Promise<string> {
  const learner = await newcomer(scene);
  await enroll(scene.server, learner.id, new Types.ObjectId(scene.courseId));
  const course = await scene.server.deps.db.Course.findById(scene.courseId).orFail().lean();
  const body = { courseId: scene.courseId, lectureId: course.courseContent[0]?.chapterContent[0]?.lectureId };
  await must(scene.server.post("/api/user/update-course-progress", body, learner.token));
  return learner.id;
}

export const learners: Examples = Object.assign(
  {},
  ...Object.entries(audiences).map(([role, tokenOf]): Examples => {
    const course = `/api/${role}/courses/{id}`;
    const get = (rest: string, query = "") => ({
      [`GET ${course}${rest}`]: async (scene: Scene) => {
        const userId = await studied(scene);
        const path = `${course}${rest}`.replace("{id}", scene.courseId).replace("{userId}", userId);
        return { path: path + query, token: await tokenOf(scene) };
      },
    });
    return {
      ...get("/learners", "?limit=1"),
      ...get("/learners/{userId}"),
      ...get("/funnel"),
      ...get("/gradebook.csv"),
      [`POST ${course}/learners/{userId}/reset`]: async (scene) => ({
        path: `/api/${role}/courses/${scene.courseId}/learners/${await studied(scene)}/reset`,
        token: await tokenOf(scene),
        body: { reason: "The learner takes the course once more" },
      }),
    };
  }),
);
