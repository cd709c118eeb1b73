import type { Db } from "../../db/db.js";
import { newestFirst } from "../../db/ordered-list.js";
import type { Course } from "../../models/courses/course.js";
import { coursesOf, type Purchase } from "../../models/payments/purchase.js";
import { toMajor } from "./price.js";

const identity = {
  courseId: 1,
  pathId: 1,
  "terms.courseTitle": 1,
  "terms.courses": 1,
  status: 1,
  createdAt: 1,
  completedAt: 1,
  refundedAt: 1,
} as const;
const money = { amount: 1, currency: 1, refundedMinor: 1, "coupon.code": 1 } as const;
const shown = { ...identity, ...money, invoiceNumber: 1, creditNoteNumber: 1 } as const;

/** Reads a learner's purchases in every state, newest first. The title is that of the day when each was opened. */
export function orderHistory(db: Db, userId: string) {
  return newestFirst(db.Purchase, {
    filter: { userId },
    fields: shown,
    describe: (purchases) => describe(db, purchases),
  });
}

async function describe(db: Db, purchases: readonly Purchase[]) {
  const courses = await db.Course.find(
    { _id: { $in: purchases.flatMap((purchase) => coursesOf(purchase).slice(0, 1)) } },
    { courseThumbnail: 1 },
  ).lean<Pick<Course, "_id" | "courseThumbnail">[]>();
  const courseOf = new Map(courses.map((course) => [String(course._id), course]));
  return purchases.map((purchase) => {
    const course = courseOf.get(String(coursesOf(purchase)[0]));
    return {
      _id: purchase._id,
      courseId: purchase.courseId,
      pathId: purchase.pathId ?? null,
      courseTitle: purchase.terms.courseTitle,
      courseThumbnail: course?.courseThumbnail ?? "",
      amount: purchase.amount,
      currency: purchase.currency,
      status: purchase.status,
      couponCode: purchase.coupon?.code ?? null,
      refundedAmount: toMajor(purchase.refundedMinor, purchase.currency),
      createdAt: purchase.createdAt,
      completedAt: purchase.completedAt,
      refundedAt: purchase.refundedAt,
      invoiceNumber: purchase.invoiceNumber ?? null,
      creditNoteNumber: purchase.creditNoteNumber ?? null,
    };
  });
}
