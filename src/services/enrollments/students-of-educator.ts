import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { findAfter, orderedList } from "../../db/ordered-list.js";
import { batchRows, inBatches } from "../../lib/read-batches.js";
import { cursorLimitMs } from "../../models/command-limit.js";
import { type Course, inCreationOrder } from "../../models/courses/course.js";
import { type Enrollment, inForce } from "../../models/enrollments/enrollment.js";
import { type CourseManager, managedCourses } from "../courses/managed-course.js";
import { managedPaths } from "../paths/managed-path.js";
import { userCards } from "../users/user-cards.js";

export type EducatorCourse = Pick<Course, "_id" | "courseTitle" | "createdAt" | "revenueMinor">;

type StudentRow = Pick<Enrollment, "_id" | "userId" | "courseId" | "enrolledAt" | "purchasedAt">;

const rowFields = { userId: 1, courseId: 1, enrolledAt: 1, purchasedAt: 1 } as const;

/** An educator's courses in creation order, drafts too. */
export function findEducatorCourses(db: Db, manager: CourseManager): Promise<EducatorCourse[]> {
  return db.Course.find(managedCourses(manager), { courseTitle: 1, createdAt: 1, revenueMinor: 1 })
    .sort(inCreationOrder)
    .lean<EducatorCourse[]>();
}

/** The minor units that an educator's paths have earned by completed purchases. */
export async function pathEarnings(db: Db, manager: CourseManager): Promise<number> {
  const paths = await db.Path.find(managedPaths(manager), { revenueMinor: 1 }).lean();
  return paths.reduce((sum, path) => sum + path.revenueMinor, 0);
}

/** The place of a student in the list that goes course by course. */
type PlaceByCourse = [courseCreatedAt: Date, courseId: Types.ObjectId, enrolledAt: Date, _id: Types.ObjectId];

/** The students of an educator's courses, course by course in creation order, in each by enrollment. */
export function studentsByCourse(db: Db, courses: readonly EducatorCourse[]) {
  const courseOf = byId(courses);
  return {
    async find(after: PlaceByCourse | undefined, limit: number): Promise<StudentRow[]> {
      const rows: StudentRow[] = [];
      for (const { _id: courseId, createdAt } of courses) {
        if (after && isBefore(courseId, createdAt, after)) continue;
        const isBegun = after?.[1].equals(courseId);
        const found = await findAfter<Enrollment, StudentRow>(db.Enrollment, {
          filter: { courseId, ...inForce() },
          fields: rowFields,
          sort: { enrolledAt: 1, _id: 1 },
          after: isBegun ? after?.slice(2) : undefined,
          limit: limit - rows.length,
        });
        rows.push(...found);
        if (rows.length === limit) break;
      }
      return rows;
    },
    keyOf: ({ courseId, enrolledAt, _id }: StudentRow): PlaceByCourse => [
      courseOf(courseId).createdAt,
      courseId,
      enrolledAt,
      _id,
    ],
    describe: (rows: readonly StudentRow[]) => describe(db, rows, courseOf),
  };
}

function isBefore(courseId: Types.ObjectId, createdAt: Date, [placeCreatedAt, placeId]: PlaceByCourse): boolean {
  const difference = createdAt.getTime() - placeCreatedAt.getTime();
  return difference === 0 ? String(courseId) < String(placeId) : difference < 0;
}

/** The students of an educator's courses, oldest purchase first over all courses. */
export function studentsByPurchaseDate(db: Db, courses: readonly EducatorCourse[]) {
  const filter = { courseId: { $in: courses.map(({ _id }) => _id) }, ...inForce() };
  const sort = { purchasedAt: 1, _id: 1 } as const;
  return {
    ...orderedList(db.Enrollment, {
      filter,
      fields: rowFields,
      sort,
      describe: (rows: readonly StudentRow[]) => describe(db, rows, byId(courses)),
    }),
    readAll() {
      const query = db.Enrollment.find(filter, rowFields).sort(sort).lean<StudentRow[]>();
      return inBatches(query.maxTimeMS(cursorLimitMs).cursor({ batchSize: batchRows }), batchRows);
    },
  };
}

type FindCourse = (courseId: Types.ObjectId) => EducatorCourse;

/** Finds the course of a row. Every row has one, because the rows were found by course id. */
function byId(courses: readonly EducatorCourse[]): FindCourse {
  const known = new Map(courses.map((course) => [String(course._id), course]));
  return (courseId) => known.get(String(courseId)) as EducatorCourse;
}

async function describe(db: Db, rows: readonly StudentRow[], courseOf: FindCourse) {
  const card = await userCards(
    db,
    rows.map(({ userId }) => userId),
  );
  return rows.map(({ userId, courseId, purchasedAt }) => ({
    student: card(userId),
    courseId,
    courseTitle: courseOf(courseId).courseTitle,
    purchaseDate: purchasedAt,
  }));
}

/** The ids of the users enrolled in some courses, in ascending order and in batches. @param after only ids behind it */
export async function* enrolledUserIds(
  db: Db,
  courseIds: readonly Types.ObjectId[],
  { after = "", size }: { after?: string | undefined; size: number },
): AsyncGenerator<string[]> {
  const enrolled = { courseId: { $in: [...courseIds] }, ...inForce() };
  let last = after;
  let rows: Pick<Enrollment, "userId">[];
  do {
    rows = await findAfter(db.Enrollment, {
      filter: enrolled,
      fields: { userId: 1 },
      sort: { userId: 1 },
      after: [last],
      limit: size,
    });
    // A user has one row for each course, and the rows behind the batch may be of its last user.
    last = rows.at(-1)?.userId ?? last;
    if (rows.length > 0) yield [...new Set(rows.map(({ userId }) => userId))];
  } while (rows.length === size);
}
