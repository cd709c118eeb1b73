import { Types } from "mongoose";
import { enroll } from "../../factories/courses.js";
import { after, examplesOf, must, newAdmin, newcomer, type Scene } from "./scene.js";

/** A review by a new learner of the scene's course, and a newcomer who asks. */
async function reviewed(scene: Scene) {
  const { server, courseId } = scene;
  const author = await newcomer(scene);
  await enroll(server, author.id, new Types.ObjectId(courseId));
  const text = "Short lectures with real code. The part about generics is worth the price alone.";
  await must(server.post("/api/user/add-rating", { courseId, rating: 5, review: text }, author.token));
  const { _id } = await server.deps.db.CourseRating.findOne({ userId: author.id }).orFail().lean();
  return { id: courseId, reviewId: String(_id), token: (await newcomer(scene)).token };
}

/** The same, for the educator, who has responded. */
async function responded(scene: Scene) {
  const { id, reviewId } = await reviewed(scene);
  const { server, educator } = scene;
  const path = `/api/educator/courses/${id}/reviews/${reviewId}/response`;
  const body = { content: "Thank you. A part about mapped types comes next." };
  await must(server.call("PUT", path, { body, token: educator.token }));
  return { id, reviewId, token: educator.token };
}

export const reviews = examplesOf({
  "GET /api/course/{id}/reviews": after(
    async (scene) => ({ id: (await responded(scene)).id, token: scene.learner.token }),
    undefined,
    "?sort=newest&limit=1",
  ),
  "POST /api/course/{id}/reviews/{reviewId}/helpful": after(reviewed, () => ({})),
  "POST /api/course/{id}/reviews/{reviewId}/report": after(reviewed, () => ({ reason: "Advertisement" })),
  "PUT /api/educator/courses/{id}/reviews/{reviewId}/response": after(responded, () => ({
    content: "Thank you. The part about mapped types is there now.",
  })),
  "DELETE /api/educator/courses/{id}/reviews/{reviewId}/response": after(responded),
  "POST /api/admin/reviews/{id}/hide": after(
    async (scene) => ({ id: (await reviewed(scene)).reviewId, token: (await newAdmin(scene)).token }),
    () => ({ hidden: true, reason: "Advertisement" }),
  ),
});
