import type { Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import { readInOrder } from "../../../db/read-in-order.js";
import type { OrderedList } from "../../../http/reply-with-list.js";
import type { Course } from "../../../models/courses/course.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import type { User } from "../../../models/users/user.js";
import { toMajor } from "../../../services/payments/price.js";
import { deletedUserCard } from "../../../services/users/user-cards.js";
import type { purchaseFilter } from "./purchase-filter.js";

const newestFirst = { createdAt: -1, _id: -1 } as const;

type Place<Id> = [createdAt: Date, _id: Id];

type ListedUser = Pick<User, "_id" | "name" | "email" | "imageUrl" | "createdAt">;

/** Every user, newest first, with what is counted of them. */
export function usersNewestFirst(db: Db) {
  const fields = { name: 1, email: 1, imageUrl: 1, createdAt: 1 } as const;
  return {
    read: (after, size) =>
      readInOrder<User, ListedUser>(db.User, { filter: {}, fields, sort: newestFirst, after, size }),
    keyOf: ({ createdAt, _id }: ListedUser): Place<string> => [createdAt, _id],
    async describe(users) {
      const ids = users.map(({ _id }) => _id);
      const [enrolled, created, educators] = await Promise.all([
        db.Enrollment.aggregate<Count>([{ $match: { userId: { $in: ids }, active: true } }, countBy("$userId")]),
        db.Course.aggregate<Count>([{ $match: { educatorId: { $in: ids } } }, countBy("$educatorId")]),
        db.RoleRecord.find({ _id: { $in: ids }, role: "educator" }, { _id: 1 }).lean(),
      ]);
      const isEducator = new Set(educators.map(({ _id }) => _id));
      const [enrollments, courses] = [countsIn(enrolled), countsIn(created)];
      // Added to the rows: of a copy with more fields V8 (Node 20) makes a shape of its own, kept until a full collection.
      return users.map((user) =>
        Object.assign(user, {
          enrolledCount: enrollments.get(user._id) ?? 0,
          coursesCreated: courses.get(user._id) ?? 0,
          isEducator: isEducator.has(user._id),
        }),
      );
    },
  } satisfies OrderedList<ListedUser, Place<string>, unknown>;
}

interface Count {
  _id: string;
  count: number;
}
const countBy = (field: string) => ({ $group: { _id: field, count: { $sum: 1 } } });
const countsIn = (counts: readonly Count[]) => new Map(counts.map(({ _id, count }) => [_id, count]));

type CourseRow = Pick<
  Course,
  | ("_id" | "courseTitle" | "educatorId" | "isPublished" | "coursePrice" | "discount" | "createdAt")
  | ("totalEnrolledStudents" | "revenueMinor" | "completedPurchases")
>;

/** Every course, drafts too, newest first, with its educator and its figures. */
export function coursesNewestFirst(db: Db, currency: string) {
  const shown = { courseTitle: 1, educatorId: 1, isPublished: 1, coursePrice: 1, discount: 1, createdAt: 1 } as const;
  const fields = { ...shown, totalEnrolledStudents: 1, revenueMinor: 1, completedPurchases: 1 } as const;
  return {
    read: (after, size) =>
      readInOrder<Course, CourseRow>(db.Course, { filter: {}, fields, sort: newestFirst, after, size }),
    keyOf: ({ createdAt, _id }: CourseRow): Place<Types.ObjectId> => [createdAt, _id],
    async describe(courses) {
      const educator = await findContacts(db, new Set(courses.map(({ educatorId }) => educatorId)));
      return courses.map((course) =>
        Object.assign(course as Omit<CourseRow, "educatorId">, {
          educatorId: educator(course.educatorId),
          educator: educator(course.educatorId),
          enrolledCount: course.totalEnrolledStudents,
          revenue: toMajor(course.revenueMinor, currency),
          purchases: course.completedPurchases,
        }),
      );
    },
  } satisfies OrderedList<CourseRow, Place<Types.ObjectId>, unknown>;
}

async function findContacts(db: Db, userIds: ReadonlySet<string>) {
  const users = await db.User.find({ _id: { $in: [...userIds] } }, { name: 1, email: 1 }).lean();
  const known = new Map(users.map(({ _id, name, email }) => [_id, { _id, name, email }]));
  return (userId: string) => known.get(userId) ?? { _id: userId, name: deletedUserCard(userId).name, email: "" };
}

/** The course of each purchase with its title, in one query; null for a course that is not there. */
export async function findTitles(db: Db, purchases: readonly Pick<Purchase, "courseId">[]) {
  const ids = new Set(purchases.map(({ courseId }) => String(courseId)));
  const courses = await db.Course.find({ _id: { $in: [...ids] } }, { courseTitle: 1 }).lean<
    Pick<Course, "_id" | "courseTitle">[]
  >();
  const known = new Map(courses.map((course) => [String(course._id), course]));
  return ({ courseId }: Pick<Purchase, "courseId">) => known.get(String(courseId)) ?? null;
}

type ListedPurchase = Pick<
  Purchase,
  "_id" | "userId" | "courseId" | "amount" | "currency" | "status" | "reviewReason" | "createdAt" | "completedAt"
>;

/** Purchases that fit a filter, newest first, each with its course. @param filter undefined fits none. */
export function purchasesNewestFirst(db: Db, filter: ReturnType<typeof purchaseFilter>) {
  const fields = { userId: 1, courseId: 1, amount: 1, currency: 1, status: 1, reviewReason: 1 } as const;
  const dates = { createdAt: 1, completedAt: 1 } as const;
  return {
    read: (after, size) =>
      filter
        ? readInOrder<Purchase, ListedPurchase>(db.Purchase, {
            ...{ filter, fields: { ...fields, ...dates }, sort: newestFirst },
            ...{ after, size },
          })
        : none(),
    keyOf: ({ createdAt, _id }: ListedPurchase): Place<Types.ObjectId> => [createdAt, _id],
    async describe(purchases) {
      const course = await findTitles(db, purchases);
      return purchases.map((purchase) => {
        const shown = { courseId: course(purchase), boughtCourseId: purchase.courseId };
        return Object.assign(purchase as Omit<ListedPurchase, "courseId">, shown);
      });
    },
  } satisfies OrderedList<ListedPurchase, Place<Types.ObjectId>, unknown>;
}

async function* none(): AsyncGenerator<never> {}
