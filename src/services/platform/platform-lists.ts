import type { Db } from "../../db/db.js";
import { newestFirst } from "../../db/ordered-list.js";
import { isObjectId } from "../../lib/fields.js";
import { cutPage } from "../../lib/read-batches.js";
import type { AuditEntry } from "../../models/audit-entry.js";
import type { Course } from "../../models/courses/course.js";
import { type PaymentEvent, paymentEventStates } from "../../models/payments/payment-event.js";
import {
  flaggedPurchases,
  type Purchase,
  purchaseStates,
  salesInReach,
  soldId,
} from "../../models/payments/purchase.js";
import { coursesInReach, inReach, type KeyUse } from "../../models/users/api-key.js";
import type { User } from "../../models/users/user.js";
import { enrolledUserIds } from "../enrollments/students-of-educator.js";
import { currencyDecimals, toMajor } from "../payments/price.js";
import { deletedUserCard } from "../users/user-cards.js";

/**
 * Every user, newest first, with counts of their enrollments and courses. For a key with `courseIds`: the users enrolled in
 * these courses, by their ids, with counts in these courses.
 */
export function usersOf(db: Db, key: KeyUse | undefined) {
  const fields = { name: 1, email: 1, imageUrl: 1, createdAt: 1 } as const;
  const everyone = newestFirst(db.User, { filter: {}, fields });
  return {
    ...everyone,
    async find(after: readonly [Date, string] | undefined, limit: number) {
      if (!key?.courseIds) return everyone.find(after, limit);
      const users: User[] = [];
      for await (const ids of enrolledUserIds(db, key.courseIds, { after: after?.[1], size: limit })) {
        // A learner whose profile was removed is not listed.
        users.push(
          ...(await db.User.find({ _id: { $in: ids } }, fields)
            .sort({ _id: 1 })
            .lean<User[]>()),
        );
        if (users.length >= limit) break;
      }
      return users.slice(0, limit);
    },
    async describe(users: readonly User[]) {
      const ids = users.map(({ _id }) => _id);
      const [enrolled, created, educators] = await Promise.all([
        db.Enrollment.aggregate<Count>([
          { $match: { userId: { $in: ids }, active: true, ...inReach(key) } },
          countBy("$userId"),
        ]),
        db.Course.aggregate<Count>([
          { $match: { educatorId: { $in: ids }, ...coursesInReach(key) } },
          countBy("$educatorId"),
        ]),
        db.RoleRecord.find({ _id: { $in: ids }, role: "educator" }, { _id: 1 }).lean(),
      ]);
      const isEducator = new Set(educators.map(({ _id }) => _id));
      const [enrollments, courses] = [countsIn(enrolled), countsIn(created)];
      return users.map((user) => ({
        ...user,
        enrolledCount: enrollments.get(user._id) ?? 0,
        coursesCreated: courses.get(user._id) ?? 0,
        isEducator: isEducator.has(user._id),
      }));
    },
  };
}

interface Count {
  _id: string;
  count: number;
}
const countBy = (field: string) => ({ $group: { _id: field, count: { $sum: 1 } } });
const countsIn = (counts: readonly Count[]) => new Map(counts.map(({ _id, count }) => [_id, count]));

/** Every course, drafts too, newest first, with its educator and its figures. */
export function coursesNewestFirst(db: Db, currency: string, key?: KeyUse) {
  const fields = {
    courseTitle: 1,
    educatorId: 1,
    isPublished: 1,
    coursePrice: 1,
    discount: 1,
    createdAt: 1,
    totalEnrolledStudents: 1,
    revenueMinor: 1,
    completedPurchases: 1,
  } as const;
  return newestFirst(db.Course, {
    filter: coursesInReach(key),
    fields,
    async describe(courses) {
      const educator = await findContacts(db, new Set(courses.map(({ educatorId }) => educatorId)));
      return courses.map((course) => ({
        ...course,
        educatorId: educator(course.educatorId),
        educator: educator(course.educatorId),
        enrolledCount: course.totalEnrolledStudents,
        revenue: toMajor(course.revenueMinor, currency),
        purchases: course.completedPurchases,
      }));
    },
  });
}

async function findContacts(db: Db, userIds: ReadonlySet<string>) {
  const users = await db.User.find({ _id: { $in: [...userIds] } }, { name: 1, email: 1 }).lean();
  const known = new Map(users.map(({ _id, name, email }) => [_id, { _id, name, email }]));
  return (userId: string) => known.get(userId) ?? { _id: userId, name: deletedUserCard(userId).name, email: "" };
}

/** Finds the course title of each purchase in one query; null for a missing course, and for a path. */
export async function findTitles(db: Db, purchases: readonly Pick<Purchase, "courseId">[]) {
  const ids = new Set(purchases.flatMap(({ courseId }) => (courseId ? [String(courseId)] : [])));
  const courses = await db.Course.find({ _id: { $in: [...ids] } }, { courseTitle: 1 }).lean<
    Pick<Course, "_id" | "courseTitle">[]
  >();
  const known = new Map(courses.map((course) => [String(course._id), course]));
  return ({ courseId }: Pick<Purchase, "courseId">) => known.get(String(courseId)) ?? null;
}

/** What purchases to list. An unknown status matches nothing, `all` everything. */
interface WhichPurchases {
  readonly status?: string | undefined;
  readonly flagged?: "true" | undefined;
}

/** Lists purchases, newest first, each with its course. */
export function purchasesNewestFirst(db: Db, { status = "all", flagged }: WhichPurchases, key?: KeyUse) {
  const ofStatus = status === "all" ? {} : { status: { $in: purchaseStates.filter((known) => known === status) } };
  const fields = {
    userId: 1,
    courseId: 1,
    pathId: 1,
    "terms.courseTitle": 1,
    amount: 1,
    currency: 1,
    status: 1,
    reviewReason: 1,
    createdAt: 1,
    completedAt: 1,
  } as const;
  return newestFirst(db.Purchase, {
    filter: { ...ofStatus, ...(flagged && flaggedPurchases), ...salesInReach(key) },
    fields,
    async describe(purchases) {
      const course = await findTitles(db, purchases);
      return purchases.map((purchase) => ({
        ...purchase,
        courseId: course(purchase),
        pathId: purchase.pathId ?? null,
        bought: {
          id: soldId(purchase),
          title: course(purchase)?.courseTitle ?? (purchase.pathId ? purchase.terms.courseTitle : null),
        },
      }));
    },
  });
}

type ListedPurchase = Awaited<ReturnType<ReturnType<typeof purchasesNewestFirst>["describe"]>>[number];

export const purchaseColumns = [
  "Purchase ID",
  "User ID",
  "Course ID",
  "Course",
  "Amount",
  "Currency",
  "Status",
  "Review reason",
  "Created",
  "Completed",
];

/** The cells of a purchase, in the order of `purchaseColumns`. */
export const purchaseRow = (purchase: ListedPurchase) => [
  String(purchase._id),
  purchase.userId,
  String(purchase.bought.id),
  purchase.bought.title,
  purchase.amount.toFixed(currencyDecimals(purchase.currency)),
  purchase.currency,
  purchase.status,
  purchase.reviewReason,
  purchase.createdAt,
  purchase.completedAt,
];

/** A page of payment events without their bodies, newest first. An unknown state or an id that is none matches nothing. */
export async function findPaymentEvents(
  db: Db,
  { state = "all", before, limit }: { state?: string | undefined; before?: string | undefined; limit: number },
): Promise<{ events: PaymentEvent[]; hasMore: boolean; nextBefore: string | null }> {
  const known = paymentEventStates.find((one) => one === state);
  if ((state !== "all" && !known) || (before !== undefined && !isObjectId(before))) {
    return { events: [], hasMore: false, nextBefore: null };
  }
  const filter = { ...(known ? { state: known } : {}), ...(before ? { _id: { $lt: before } } : {}) };
  const found = await db.PaymentEvent.find(filter, { body: 0 })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .lean<PaymentEvent[]>();
  const { rows: events, hasMore } = cutPage(found, limit);
  return { events, hasMore, nextBefore: hasMore ? String(events.at(-1)?._id) : null };
}

/** A page of the audit log, newest first. @param before id of an entry: only older ones */
export async function findAuditEntries(
  db: Db,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<{ entries: AuditEntry[]; nextBefore: string | null }> {
  const last =
    before === undefined
      ? undefined
      : isObjectId(before) && (await db.AuditEntry.findById(before, { createdAt: 1 }).lean());
  if (last === null || last === false) return { entries: [], nextBefore: null };
  const after = last && ([last.createdAt, last._id] as const);
  const found = await newestFirst(db.AuditEntry, { filter: {} }).find(after, limit + 1);
  const { rows: entries, hasMore } = cutPage(found, limit);
  return { entries, nextBefore: hasMore ? String(entries.at(-1)?._id) : null };
}
