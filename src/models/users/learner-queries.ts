import type { CourseRating } from "../courses/course-rating.js";
import { type Enrollment, isInForce } from "../enrollments/enrollment.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import type { User } from "./user.js";

interface Learner {
  readonly user: User;
  /** Those in force, oldest first. */
  readonly enrollments: Enrollment[];
}

type Stored = User & { readonly enrollments: Enrollment[]; readonly ratings: CourseRating[] };

/** A user and what is stored of the user in other collections, by one command; null when there is no such user. */
async function findJoined(db: Models, userId: string, others: Partial<Record<"enrollments" | "ratings", string>>) {
  const joined = Object.entries(others).map(([as, from]) => ({
    $lookup: { from, localField: "_id", foreignField: "userId", as },
  }));
  const found = await nativeCollection(db.User)
    .aggregate<Stored>([{ $match: { _id: userId } }, ...joined])
    .toArray();
  return found[0] ?? null;
}

const ofNow = (enrollments: readonly Enrollment[]): Enrollment[] =>
  enrollments
    .filter((enrollment) => isInForce(enrollment))
    .sort((a, b) => a.enrolledAt.getTime() - b.enrolledAt.getTime() || (String(a._id) < String(b._id) ? -1 : 1));

export async function findLearner(db: Models, userId: string): Promise<Learner | null> {
  const found = await findJoined(db, userId, { enrollments: db.Enrollment.collection.name });
  if (!found) return null;
  const { enrollments, ...user } = found;
  return { user, enrollments: ofNow(enrollments) };
}

/** The courses of a learner, and the learner's rating of each; null when there is no such user. */
export async function findLearnerCourses(
  db: Models,
  userId: string,
): Promise<(Pick<Learner, "enrollments"> & { ratings: Pick<CourseRating, "courseId" | "rating">[] }) | null> {
  const others = { enrollments: db.Enrollment.collection.name, ratings: db.CourseRating.collection.name };
  const found = await findJoined(db, userId, others);
  return found && { enrollments: ofNow(found.enrollments), ratings: found.ratings };
}
