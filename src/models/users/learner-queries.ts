import type { CourseRating } from "../courses/course-rating.js";
import { type Enrollment, isInForce } from "../enrollments/enrollment.js";
import type { Models } from "../index.js";
import type { User } from "./user.js";

interface Learner {
  readonly user: User;
  /** Those in force, oldest first. */
  readonly enrollments: Enrollment[];
}

type Stored = User & { readonly enrollments: Enrollment[]; readonly ratings: CourseRating[] };

/** Reads users with their rows in other collections, by one command. */
function findJoined(
  db: Models,
  userIds: readonly string[],
  others: Partial<Record<"enrollments" | "ratings", string>>,
) {
  const joined = Object.entries(others).map(([as, from]) => ({
    $lookup: { from, localField: "_id", foreignField: "userId", as },
  }));
  const withoutTexts = { $project: { "ratings.review": 0 } };
  return db.User.aggregate<Stored>([{ $match: { _id: { $in: [...userIds] } } }, ...joined, withoutTexts]);
}

const ofNow = (enrollments: readonly Enrollment[]): Enrollment[] =>
  enrollments
    .filter((enrollment) => isInForce(enrollment))
    .sort((a, b) => a.enrolledAt.getTime() - b.enrolledAt.getTime() || (String(a._id) < String(b._id) ? -1 : 1));

/** The learners among some users, by their ids. */
export async function findLearners(db: Models, userIds: readonly string[]): Promise<Map<string, Learner>> {
  const found = await findJoined(db, userIds, { enrollments: db.Enrollment.collection.name });
  return new Map(found.map(({ enrollments, ...user }) => [user._id, { user, enrollments: ofNow(enrollments) }]));
}

/** The data of a learner's list of courses. */
export type LearnerCourses = Pick<Learner, "enrollments"> & {
  readonly ratings: Pick<CourseRating, "courseId" | "rating">[];
};

/** The courses of learners and their ratings of these, by the learners' ids. */
export async function findLearnersCourses(
  db: Models,
  userIds: readonly string[],
): Promise<Map<string, LearnerCourses>> {
  const others = { enrollments: db.Enrollment.collection.name, ratings: db.CourseRating.collection.name };
  const found = await findJoined(db, userIds, others);
  return new Map(found.map(({ _id, enrollments, ratings }) => [_id, { enrollments: ofNow(enrollments), ratings }]));
}
