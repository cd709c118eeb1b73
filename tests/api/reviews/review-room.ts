import { buildCourse, enroll } from "../../factories/courses.js";
import type { Answer, SignedIn, TestServer } from "../../server/test-server.js";

/** A course whose learners write reviews. */
export async function reviewRoom(server: TestServer) {
  const educator = await server.signedIn("educator");
  const { _id } = await buildCourse(server, { educatorId: educator.id });
  const courseId = String(_id);
  const path = `/api/course/${courseId}/reviews`;
  const rate = ({ token }: SignedIn, fields: object, on = server): Promise<Answer> =>
    on.post("/api/user/add-rating", { courseId, ...fields }, token);
  const list = async (query = "", viewer?: SignedIn) => (await server.get(path + query, viewer?.token)).body;
  /** A new learner of the course who has rated it. */
  const reviewer = async (rating: number, review?: string) => {
    const learner = await server.signedIn();
    await enroll(server, learner.id, _id);
    await rate(learner, { rating, review });
    const found = await server.deps.db.CourseRating.findOne({ userId: learner.id }).orFail().lean();
    return { ...learner, reviewId: String(found._id) };
  };
  const helpful = (reviewId: string, { token }: SignedIn, on = server): Promise<Answer> =>
    on.post(`${path}/${reviewId}/helpful`, {}, token);
  const response = (reviewId: string) => `/api/educator/courses/${courseId}/reviews/${reviewId}/response`;
  return { _id, courseId, educator, path, rate, list, reviewer, helpful, response };
}
