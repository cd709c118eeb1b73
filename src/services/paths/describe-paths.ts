import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { distinct } from "../../lib/distinct.js";
import type { Course } from "../../models/courses/course.js";
import type { Path } from "../../models/paths/path.js";
import { averageRating } from "../courses/course-view.js";
import { priceBreakdown, toMajor } from "../payments/price.js";
import { userCards } from "../users/user-cards.js";

const courseFields = {
  courseTitle: 1,
  courseThumbnail: 1,
  coursePrice: 1,
  discount: 1,
  isPublished: 1,
  totalRatings: 1,
  ratingSum: 1,
  totalLectures: 1,
  totalDurationMinutes: 1,
} as const;

/** A path, and its courses in order as they are now. */
export type PathWithCourses = Path & { readonly courses: readonly Pick<Course, "_id" | keyof typeof courseFields>[] };

export async function withCourses(
  db: Db,
  paths: readonly Path[],
  session: ClientSession | null = null,
): Promise<PathWithCourses[]> {
  const _id = { $in: distinct(paths.flatMap(({ courseIds }) => courseIds)) };
  const found = await db.Course.find({ _id }, courseFields)
    .session(session)
    .lean<PathWithCourses["courses"][number][]>();
  const known = new Map(found.map((course) => [String(course._id), course]));
  return paths.map((path) => ({
    ...path,
    courses: path.courseIds.flatMap((courseId) => known.get(String(courseId)) ?? []),
  }));
}

/** The paths as clients see them, with figures for their educators. Amounts are in the major unit of the currency (ISO 4217). */
export async function describePaths(db: Db, currency: string, paths: readonly PathWithCourses[]) {
  const cardOf = await userCards(
    db,
    paths.map(({ educatorId }) => educatorId),
  );
  return paths.map((path) => {
    const prices = path.courses.map((course) => priceBreakdown({ course, buyer: null, currency }).totalMinor);
    return {
      ...path,
      slug: path.slugs[0] ?? String(path._id),
      educatorId: cardOf(path.educatorId),
      courses: path.courses.map((course) => ({ ...course, averageRating: averageRating(course) })),
      listPrice: toMajor(
        prices.reduce((sum, price) => sum + price, 0),
        currency,
      ),
      revenue: toMajor(path.revenueMinor, currency),
      purchases: path.completedPurchases,
    };
  });
}

/** The view of one path, which was read just now. */
export async function describePath(db: Db, currency: string, path: Path) {
  const [view] = await describePaths(db, currency, await withCourses(db, [path]));
  return view as NonNullable<typeof view>;
}
