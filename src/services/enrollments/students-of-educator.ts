import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { type Course, inCreationOrder } from "../../models/course.js";
import type { Enrollment } from "../../models/enrollment.js";
import type { Purchase } from "../../models/purchase.js";
import { findPeople, type Person } from "../users/user-cards.js";

type OwnCourse = Pick<Course, "_id" | "courseTitle" | "revenueMinor">;
type Seat = Pick<Enrollment, "_id" | "userId" | "courseId" | "enrolledAt">;

/** One active enrollment as its educator sees it. */
export interface StudentSeat {
  student: Person;
  course: OwnCourse;
  /** When the completed purchase behind it was created. */
  purchaseDate: Date;
}

/** An educator's courses in datastore order, without their content. */
export function coursesOf(db: Db, educatorId: string): Promise<OwnCourse[]> {
  return db.Course.find({ educatorId }, { courseTitle: 1, revenueMinor: 1 }).sort(inCreationOrder).lean<OwnCourse[]>();
}

const seatFields = { userId: 1, courseId: 1, enrolledAt: 1 } as const;

/** The active enrollments of `courses`: course by course as they come there, in enrollment order. */
export async function seatsOf(db: Db, courses: readonly OwnCourse[]): Promise<Seat[]> {
  const seats = await db.Enrollment.find({ courseId: { $in: courses.map(({ _id }) => _id) }, active: true }, seatFields)
    .sort({ courseId: 1, enrolledAt: 1, _id: 1 })
    .lean<Seat[]>();
  const ofCourse = new Map(courses.map(({ _id }) => [String(_id), [] as Seat[]]));
  for (const seat of seats) ofCourse.get(String(seat.courseId))?.push(seat);
  return [...ofCourse.values()].flat();
}

/** Every student of an educator, by purchase date, oldest first. Three queries, linear in what is returned. */
export async function studentsOf(db: Db, educatorId: string): Promise<StudentSeat[]> {
  const courses = await coursesOf(db, educatorId);
  const seats = await seatsOf(db, courses);
  const students = await describe(db, courses, seats, {});
  return students.sort((a, b) => a.purchaseDate.getTime() - b.purchaseDate.getTime());
}

const batchSize = 500;

/**
 * The same students in batches, course by course in enrollment order, for exports: memory holds one batch. Each batch
 * is a query of its own that continues by index, so no cursor has to outlive a slow reader.
 */
export async function* studentBatches(db: Db, educatorId: string): AsyncGenerator<StudentSeat[]> {
  for (const course of await coursesOf(db, educatorId)) {
    let last: Seat | undefined;
    do {
      const seats: Seat[] = await db.Enrollment.find(
        { courseId: course._id, active: true, ...(last ? after(last) : {}) },
        seatFields,
      )
        .sort({ enrolledAt: 1, _id: 1 })
        .limit(batchSize)
        .lean<Seat[]>();
      if (seats.length > 0) {
        yield await describe(db, [course], seats, { userId: { $in: seats.map(({ userId }) => userId) } });
      }
      last = seats.length === batchSize ? seats.at(-1) : undefined;
    } while (last);
  }
}

const after = ({ enrolledAt, _id }: Seat) => ({
  enrolledAt: { $gte: enrolledAt },
  $or: [{ enrolledAt: { $gt: enrolledAt } }, { _id: { $gt: _id } }],
});

async function describe(
  db: Db,
  courses: readonly OwnCourse[],
  seats: readonly Seat[],
  buyers: { userId?: { $in: string[] } },
): Promise<StudentSeat[]> {
  const purchases = await db.Purchase.find(
    { courseId: { $in: courses.map(({ _id }) => _id) }, status: "completed", ...buyers },
    { userId: 1, courseId: 1, createdAt: 1, _id: 0 },
  ).lean<Pick<Purchase, "userId" | "courseId" | "createdAt">[]>();
  const bought = new Map<string, Date>();
  for (const { userId, courseId, createdAt } of purchases) {
    const key = pair(userId, courseId);
    const known = bought.get(key);
    if (!known || createdAt < known) bought.set(key, createdAt);
  }
  const person = await findPeople(
    db,
    seats.map(({ userId }) => userId),
  );
  const byId = new Map(courses.map((course) => [String(course._id), course]));
  return seats.flatMap(({ userId, courseId, enrolledAt }) => {
    const course = byId.get(String(courseId));
    // A refund at this very moment takes the purchase first and the enrollment after it.
    const purchaseDate = bought.get(pair(userId, courseId)) ?? enrolledAt;
    return course ? [{ student: person(userId), course, purchaseDate }] : [];
  });
}

const pair = (userId: string, courseId: Types.ObjectId): string => `${courseId}:${userId}`;
