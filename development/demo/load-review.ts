import type { Deps } from "../../src/deps.js";
import { findManagedCourse } from "../../src/services/courses/managed-course.js";
import { rateCourse } from "../../src/services/ratings/rate-course.js";
import { respondToReview, toggleHelpful } from "../../src/services/ratings/reviews.js";
import { courses, type DemoEnrollment } from "./content.js";
import { daysAgo, demoId, withCreationTime } from "./demo-id.js";

/** Loads the rating of a learner with its review, votes and response. It skips a course that the learner has rated. */
export async function loadReview({ db }: Pick<Deps, "db">, enrollment: DemoEnrollment): Promise<void> {
  const { learner: userId, course: key, bought, rating, review, helpful = [], response } = enrollment;
  const courseId = demoId("course", key);
  if (!rating || (await db.CourseRating.exists({ userId, courseId }))) return;
  await rateCourse(db, { userId, courseId: String(courseId), rating, review });
  const { _id } = await db.CourseRating.findOne({ userId, courseId }, { _id: 1 }).orFail().lean();
  for (const voter of helpful) await toggleHelpful(db, voter, { courseId, _id });
  const educator = courses.find((course) => course.key === key)?.educator ?? "";
  if (response) {
    const manager = { userId: educator, role: "educator", key: undefined } as const;
    await respondToReview(db, await findManagedCourse(db, String(courseId), manager), _id, manager, response);
  }
  const at = daysAgo(Math.floor(bought / 2), 20);
  await db.CourseRating.updateOne({ _id }, { createdAt: at, updatedAt: at }, withCreationTime);
  await db.ReviewResponse.updateOne({ _id }, { createdAt: daysAgo(Math.floor(bought / 3)) }, withCreationTime);
}
