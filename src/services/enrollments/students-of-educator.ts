import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { gather, mergeInOrder, readInOrder } from "../../db/read-in-order.js";
import { type Course, inCreationOrder } from "../../models/courses/course.js";
import { type EnrolledStudent, findEnrolledStudents } from "../../models/enrollments/enrolled-student.js";
import { type Enrollment, inForce } from "../../models/enrollments/enrollment.js";
import type { InOrder } from "../../models/find-in-order.js";
import { deletedUserCard, type UserCard, userCards } from "../users/user-cards.js";
import { fillPurchaseDates } from "./purchase-dates.js";

type OwnCourse = Pick<Course, "_id" | "courseTitle" | "createdAt">;

/** One active enrollment in a course of the educator. */
export interface StudentRow extends Pick<Enrollment, "_id" | "userId" | "enrolledAt" | "purchasedAt"> {
  course: OwnCourse;
}

/** The same with its learner. */
type FoundStudent = EnrolledStudent & { course: OwnCourse };

/** One active enrollment as its educator sees it. */
export interface StudentView {
  student: UserCard;
  course: OwnCourse;
  courseTitle: string;
  /** When the purchase was created that gives access now; of a grant, when access began. */
  purchaseDate: Date;
}

const courseFields = { courseTitle: 1, createdAt: 1 } as const;
const rowFields = { userId: 1, enrolledAt: 1, purchasedAt: 1 } as const;
/** Courses that are read at a time; their titles are small. */
const coursesAtATime = 500;

/** What an educator's running totals say: over the courses, drafts too. */
export async function totalsOf(db: Db, educatorId: string): Promise<{ revenueMinor: number; courses: number }> {
  const [sums] = await db.Course.aggregate<{ revenueMinor: number; courses: number }>([
    { $match: { educatorId } },
    { $group: { _id: null, revenueMinor: { $sum: "$revenueMinor" }, courses: { $sum: 1 } } },
  ]);
  return sums ?? { revenueMinor: 0, courses: 0 };
}

/**
 * Students of a batch of a whole list: they are read as bytes and weigh little, so that commands are what they cost. Of
 * batches of 400 and more some get into V8's old generation.
 */
const studentsAtATime = 250;

/** Where a list that goes course by course continues. */
export type PlaceByCourse = [courseCreatedAt: Date, courseId: Types.ObjectId, enrolledAt: Date, _id: Types.ObjectId];

/** The educator's students, course by course in creation order, in each by enrollment. */
export function studentsByCourse(db: Db, educatorId: string) {
  return {
    rowsAtATime: studentsAtATime,
    read: (after: PlaceByCourse | undefined, size: number) => gather(readByCourse(db, educatorId, after, size), size),
    keyOf: ({ course, enrolledAt, _id }: FoundStudent): PlaceByCourse => [
      ...([course.createdAt, course._id] as const),
      ...([enrolledAt, _id] as const),
    ],
    describe: async (rows: readonly FoundStudent[]) => {
      return rows.map((row) => ({ courseTitle: row.course.courseTitle, student: cardOf(row) }));
    },
  };
}

const cardOf = ({ userId: _id, name, imageUrl }: EnrolledStudent): UserCard =>
  name === undefined || imageUrl === undefined ? deletedUserCard(_id) : { _id, name, imageUrl };

async function* readByCourse(db: Db, educatorId: string, after: PlaceByCourse | undefined, size: number) {
  const sort = { enrolledAt: 1, _id: 1 } as const;
  const find = (asked: InOrder) => findEnrolledStudents(db, asked);
  async function* readCourse(course: OwnCourse, place?: readonly unknown[]): AsyncGenerator<FoundStudent[]> {
    const read = readInOrder<Enrollment, EnrolledStudent>(db.Enrollment, {
      ...{ filter: activeIn(course), sort, size, after: place, find },
    });
    for await (const rows of read) yield rows.map((row) => Object.assign(row, { course }));
  }
  if (after) {
    const course = await db.Course.findOne({ _id: after[1], educatorId }, courseFields).lean<OwnCourse>();
    if (course) yield* readCourse(course, after.slice(2));
  }
  for await (const courses of readCourses(db, educatorId, after?.slice(0, 2))) {
    for (const course of courses) yield* readCourse(course);
  }
}

const readCourses = (db: Db, educatorId: string, after?: readonly unknown[]): AsyncGenerator<OwnCourse[]> =>
  readInOrder<Course, OwnCourse>(db.Course, {
    ...{ filter: { educatorId }, fields: courseFields, sort: inCreationOrder, after, size: coursesAtATime },
  });

const activeIn = ({ _id: courseId }: OwnCourse) => ({ courseId, ...inForce() });

async function* readStudents(
  db: Db,
  course: OwnCourse,
  sort: Readonly<Record<string, 1>>,
  size: number,
  after?: readonly unknown[],
): AsyncGenerator<StudentRow[]> {
  const batches = readInOrder<Enrollment, Omit<StudentRow, "course">>(db.Enrollment, {
    ...{ filter: activeIn(course), fields: rowFields, sort, size, after },
  });
  for await (const rows of batches) yield rows.map((row) => Object.assign(row, { course }));
}

/** Where the list by purchase date continues. Equal dates go by course, in it by enrollment. */
export type PlaceByDate = [
  purchasedAt: Date,
  courseCreatedAt: Date,
  courseId: Types.ObjectId,
  enrolledAt: Date,
  _id: Types.ObjectId,
];

/** Rows that the reads of all courses together hold, and the least that one reads at a time. */
const rowsHeld = 5_000;
const leastOfCourse = 10;

/** The educator's students over all courses, oldest purchase first: one read for each course, merged. */
export function studentsByPurchaseDate(db: Db, educatorId: string) {
  return {
    async *read(after: PlaceByDate | undefined, size: number) {
      const courses: OwnCourse[] = [];
      for await (const some of readCourses(db, educatorId)) {
        await fillPurchaseDates(
          db,
          some.map(({ _id }) => _id),
        );
        courses.push(...some);
      }
      const each = Math.min(size, Math.max(leastOfCourse, Math.floor(rowsHeld / Math.max(1, courses.length))));
      const reads = courses.map((course) => readStudents(db, course, byDate, each, after && placeIn(course, after)));
      yield* mergeInOrder(reads, (a, b) => comparePlaces(placeByDate(a), placeByDate(b)), size);
    },
    keyOf: placeByDate,
    describe: (rows: readonly StudentRow[]) => describe(db, rows),
  };
}

const byDate = { purchasedAt: 1, enrolledAt: 1, _id: 1 } as const;

/** An enrollment that changes at this moment may have no date yet. */
const dateOf = ({ purchasedAt, enrolledAt }: Pick<Enrollment, "purchasedAt" | "enrolledAt">): Date =>
  purchasedAt ?? enrolledAt;

function placeByDate(row: StudentRow): PlaceByDate {
  return [dateOf(row), row.course.createdAt, row.course._id, row.enrolledAt, row._id];
}

const latest = new Date(8.64e15);
const lastId = new Types.ObjectId("f".repeat(24));

/** Where the read of one course continues after a place of the merged list. */
function placeIn(course: OwnCourse, [purchasedAt, createdAt, courseId, enrolledAt, _id]: PlaceByDate): unknown[] {
  const order = comparePlaces([course.createdAt, course._id], [createdAt, courseId]);
  if (order === 0) return [purchasedAt, enrolledAt, _id];
  // Of an earlier course everything of that date was shown, of a later one nothing.
  return [new Date(purchasedAt.getTime() - (order < 0 ? 0 : 1)), latest, lastId];
}

function comparePlaces(a: readonly (Date | Types.ObjectId)[], b: readonly (Date | Types.ObjectId)[]): number {
  for (const [index, one] of a.entries()) {
    const [left, right] = [orderOf(one), orderOf(b[index] ?? one)];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
const orderOf = (value: Date | Types.ObjectId): number | string =>
  value instanceof Date ? value.getTime() : String(value);

async function describe(db: Db, rows: readonly StudentRow[]): Promise<StudentView[]> {
  const card = await userCards(
    db,
    rows.map(({ userId }) => userId),
  );
  return rows.map((row) => ({
    student: card(row.userId),
    course: row.course,
    courseTitle: row.course.courseTitle,
    purchaseDate: dateOf(row),
  }));
}

/** The students in batches, course by course in enrollment order, with their purchase dates. */
export async function* studentBatches(db: Db, educatorId: string): AsyncGenerator<StudentView[]> {
  for await (const courses of readCourses(db, educatorId)) {
    await fillPurchaseDates(
      db,
      courses.map(({ _id }) => _id),
    );
  }
  const list = studentsByCourse(db, educatorId);
  for await (const rows of list.read(undefined, list.rowsAtATime)) {
    yield rows.map((row) => {
      const { course } = row;
      return { student: cardOf(row), course, courseTitle: course.courseTitle, purchaseDate: dateOf(row) };
    });
  }
}
