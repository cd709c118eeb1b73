import { Types } from "mongoose";
import { enroll } from "../../factories/courses.js";
import { after, type Examples, examplesOf, must, newAdmin, newcomer, type Scene } from "./scene.js";

/** Routes about the learners of a course, which have the same path for its educator and for administrators. */
function routes(role: "educator" | "admin"): Examples {
  /** A learner of the course who has completed a lecture. */
  const studied = async (scene: Scene) => {
    const { server, educator, courseId } = scene;
    const { id: userId, token } = await newcomer(scene);
    await enroll(server, userId, new Types.ObjectId(courseId));
    const course = await server.deps.db.Course.findById(courseId).orFail().lean();
    const body = { courseId, lectureId: course.courseContent[0]?.chapterContent[0]?.lectureId };
    await must(server.post("/api/user/update-course-progress", body, token));
    return { id: courseId, userId, token: role === "admin" ? (await newAdmin(scene)).token : educator.token };
  };
  const course = `/api/${role}/courses/{id}`;
  return examplesOf({
    [`GET ${course}/learners`]: after(studied, undefined, "?limit=1"),
    [`GET ${course}/learners/{userId}`]: after(studied),
    [`GET ${course}/funnel`]: after(studied),
    [`GET ${course}/gradebook.csv`]: after(studied),
    [`POST ${course}/learners/{userId}/reset`]: after(studied, () => ({
      reason: "The learner takes the course once more",
    })),
  });
}

export const learners: Examples = { ...routes("educator"), ...routes("admin") };
