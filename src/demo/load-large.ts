import type { Model } from "mongoose";
import { isDuplicateKey } from "../db/database-errors.js";
import type { Deps } from "../deps.js";
import { touchCatalog } from "../models/courses/catalog-revision.js";
import { priceBreakdown, toMajor } from "../services/payments/price.js";
import { chaptersOf } from "./course.js";
import { storeDemoFilm } from "./demo-film.js";
import { type LargePurchase, type LargeSize, largeCurriculum, largeData } from "./large-data.js";
import { thumbnail } from "./thumbnail.js";

const batchSize = 1_000;

/** Is told how much is done, 0 to 1, and of what. */
export type Progress = (share: number, what: string) => void;

/**
 * Loads a thousand courses and twenty thousand learners with their purchases, written as the application leaves them:
 * every figure of a course is the sum of its purchases. The same each time; what is there stays as it is.
 * @param size smaller for a quick look
 */
export async function loadLarge({ db, storage, config }: Deps, progress: Progress, size?: LargeSize): Promise<void> {
  const { courses, learners, purchases } = largeData(size);
  const { currency } = config;
  const priceOf = ({ course }: LargePurchase) => priceBreakdown({ coursePrice: course.price, discount: 0 }, currency);
  const minorOf = (purchase: LargePurchase) => priceOf(purchase).totalMinor;
  const salesOf = groupBy(purchases, ({ course }) => course);
  const picture = thumbnail("A thousand courses", ["#0f766e", "#1e3a8a"]);
  const shown = await storage.put({ publicId: "thumbnails/demo-large", kind: "image", bytes: picture });
  if (!largeCurriculum) throw new Error("the demo has no course");
  const courseContent = chaptersOf({ ...largeCurriculum, key: "large" }, await storeDemoFilm(storage));
  const lectures = courseContent.flatMap(({ chapterContent }) => chapterContent);
  const curriculum = {
    courseContent,
    totalLectures: lectures.length,
    totalDurationMinutes: lectures.reduce((sum, { lectureDuration }) => sum + lectureDuration, 0),
  };
  const steps: [string, Model<never>, object[]][] = [
    ["learners", db.User as never, learners.map((learner) => ({ ...learner, updatedAt: learner.createdAt }))],
    [
      "courses",
      db.Course as never,
      courses.map((course) => {
        const sales = salesOf.get(course) ?? [];
        const { _id, title, educatorId, price: coursePrice, createdAt } = course;
        const texts = { courseTitle: title, courseDescription: `**${title}**, one of a thousand courses.` };
        const figures = {
          totalEnrolledStudents: sales.length,
          completedPurchases: sales.length,
          revenueMinor: sales.reduce((sum, sale) => sum + minorOf(sale), 0),
        };
        const fixed = { courseThumbnail: shown, discount: 0, isPublished: true, updatedAt: createdAt };
        return { _id, ...texts, educatorId, coursePrice, createdAt, ...fixed, ...curriculum, ...figures };
      }),
    ],
    [
      "enrollments",
      db.Enrollment as never,
      purchases.map(({ _id, learner: userId, course, at }) => {
        const dates = { enrolledAt: at, purchasedAt: at, createdAt: at, updatedAt: at };
        return { _id, userId, courseId: course._id, active: true, purchases: 1, ...dates };
      }),
    ],
    [
      "purchases",
      db.Purchase as never,
      purchases.map((purchase) => {
        const { _id, learner: userId, course, at } = purchase;
        const paid = { amount: toMajor(minorOf(purchase), currency), currency, status: "completed", completedAt: at };
        const terms = { courseTitle: course.title, coursePrice: course.price, discount: 0, accessDays: null };
        const ids = { providerOrderId: `order_large_${_id}`, providerPaymentId: `pay_large_${_id}` };
        return {
          _id,
          userId,
          courseId: course._id,
          price: priceOf(purchase),
          terms,
          ...paid,
          ...ids,
          createdAt: at,
          updatedAt: at,
        };
      }),
    ],
    ["days of sale", db.CourseDailySales as never, courseDays(purchases, minorOf)],
  ];
  const total = steps.reduce((sum, [, , rows]) => sum + rows.length, 0);
  let done = 0;
  for (const [what, model, rows] of steps) {
    for (let i = 0; i < rows.length; i += batchSize) {
      const batch = rows.slice(i, i + batchSize);
      await store(model, batch);
      done += batch.length;
      progress(done / total, what);
    }
  }
  await db.Account.updateMany(
    { _id: { $in: [...new Set(courses.map(({ educatorId }) => educatorId))] } },
    { hasCourses: true },
  );
  await db.transaction((session) => touchCatalog(db, session));
}

function courseDays(purchases: readonly LargePurchase[], minorOf: (purchase: LargePurchase) => number): object[] {
  const dayOf = ({ at }: LargePurchase) => at.toISOString().slice(0, 10);
  const sold = groupBy(purchases, (purchase) => `${purchase.course._id} ${dayOf(purchase)}`);
  return [...sold.values()].flatMap((sales) => {
    const [first] = sales;
    if (!first) return [];
    const revenueMinor = sales.reduce((sum, sale) => sum + minorOf(sale), 0);
    return [{ courseId: first.course._id, day: dayOf(first), sales: sales.length, revenueMinor }];
  });
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Rows that are there already stay as they are. */
async function store(model: Model<never>, rows: object[]): Promise<void> {
  await model.insertMany(rows as never[], { ordered: false, timestamps: false }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
}
