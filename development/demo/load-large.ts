import type { Types } from "mongoose";
import { isDuplicateKey } from "../../src/db/database-errors.js";
import type { Deps } from "../../src/deps.js";
import { chunk } from "../../src/lib/chunk.js";
import { dayMs, utcDay } from "../../src/lib/days.js";
import { slugOf } from "../../src/lib/slug.js";
import { touchCatalog } from "../../src/models/courses/catalog-revision.js";
import { renderLessons } from "../../src/services/lessons/render-lessons.js";
import { priceBreakdown, toMajor } from "../../src/services/payments/price.js";
import { courses as demoCourses } from "./content.js";
import { buildChapters, drawThumbnail, storeDemoFilm } from "./course.js";
import { demoId } from "./demo-id.js";
import { demoUsers } from "./users.js";

export interface LargeSize {
  readonly courses: number;
  readonly learners: number;
}

/** Receives the finished share, from 0 to 1, and the name of the rows in progress. */
export type Progress = (share: number, what: string) => void;

interface LargeCourse {
  readonly _id: Types.ObjectId;
  readonly title: string;
  readonly educatorId: string;
  /** In major units. */
  readonly price: number;
  readonly createdAt: Date;
}

interface LargePurchase {
  readonly _id: Types.ObjectId;
  readonly learner: string;
  readonly course: LargeCourse;
  readonly at: Date;
}

const defaultSize: LargeSize = { courses: 1_000, learners: 20_000 };
const purchasesPerLearner = 2;
const firstDay = Date.UTC(2026, 0, 1);
const saleDays = 90;

/**
 * Loads courses and learners with their purchases; every figure of a course is the sum of its purchases.
 * It writes the same data each time and leaves existing rows unchanged.
 */
export async function loadLarge(
  { db, storage, config, renderInTurn }: Deps,
  progress: Progress,
  size: LargeSize = defaultSize,
): Promise<void> {
  const { courses, learners, purchases } = generateLargeData(size);
  const { currency } = config;
  const priceOf = ({ course }: LargePurchase) =>
    priceBreakdown({ course: { coursePrice: course.price, discount: 0 }, buyer: null, currency });
  const minorOf = (purchase: LargePurchase) => priceOf(purchase).totalMinor;
  const salesByCourse = groupBy(purchases, ({ course }) => course);
  const picture = drawThumbnail("A thousand courses", ["#0f766e", "#1e3a8a"]);
  const courseThumbnail = await storage.put({ publicId: "thumbnails/demo-large", kind: "image", content: picture });
  const [model] = demoCourses;
  if (!model) throw new Error("the demo has no course");
  const lessons = await renderLessons(buildChapters({ ...model, key: "large" }, await storeDemoFilm(storage)), {
    educatorId: "demo",
    renderInTurn,
  });
  const lectures = lessons.courseContent.flatMap(({ chapterContent }) => chapterContent);
  const shared = {
    courseThumbnail,
    ...lessons,
    discount: 0,
    isPublished: true,
    totalLectures: lectures.length,
    totalDurationMinutes: lectures.reduce((sum, { lectureDuration }) => sum + lectureDuration, 0),
  };

  const userRows = learners.map((learner) => ({ ...learner, updatedAt: learner.createdAt }));
  const courseRows = courses.map((course) => {
    const { _id, title, educatorId, price: coursePrice, createdAt } = course;
    const sales = salesByCourse.get(course) ?? [];
    return {
      ...shared,
      _id,
      courseTitle: title,
      category: title.split(" ", 1)[0],
      slugs: [`${slugOf(title, "course")}-${String(_id).slice(-6)}`],
      courseDescription: `**${title}**, one of a thousand courses.`,
      educatorId,
      coursePrice,
      createdAt,
      updatedAt: createdAt,
      totalEnrolledStudents: sales.length,
      completedPurchases: sales.length,
      revenueMinor: sales.reduce((sum, sale) => sum + minorOf(sale), 0),
    };
  });
  const enrollmentRows = purchases.map(({ _id, learner: userId, course, at }) => {
    const dates = { enrolledAt: at, purchasedAt: at, createdAt: at, updatedAt: at };
    return { _id, userId, courseId: course._id, active: true, purchases: 1, ...dates };
  });
  const purchaseRows = purchases.map((purchase) => {
    const { _id, learner: userId, course, at } = purchase;
    const price = priceOf(purchase);
    const paid = { price, amount: toMajor(price.totalMinor, currency), currency, status: "completed", completedAt: at };
    const terms = { courseTitle: course.title, coursePrice: course.price, discount: 0, accessDays: null };
    const ids = { providerOrderId: `order_large_${_id}`, providerPaymentId: `pay_large_${_id}` };
    return { _id, userId, courseId: course._id, terms, ...paid, ...ids, createdAt: at, updatedAt: at };
  });

  const insertion = { ordered: false, timestamps: false } as const;
  const steps: { what: string; rows: object[]; insert: (rows: object[]) => Promise<unknown> }[] = [
    { what: "learners", rows: userRows, insert: (rows) => db.User.insertMany(rows, insertion) },
    { what: "courses", rows: courseRows, insert: (rows) => db.Course.insertMany(rows, insertion) },
    { what: "enrollments", rows: enrollmentRows, insert: (rows) => db.Enrollment.insertMany(rows, insertion) },
    { what: "purchases", rows: purchaseRows, insert: (rows) => db.Purchase.insertMany(rows, insertion) },
    {
      what: "days of sale",
      rows: sumDays(purchases, minorOf),
      insert: (rows) => db.CourseDailySales.insertMany(rows, insertion),
    },
  ];
  const totalRows = steps.reduce((sum, { rows }) => sum + rows.length, 0);
  let doneRows = 0;
  for (const { what, rows, insert } of steps) {
    for (const batch of chunk(rows)) {
      await insert(batch).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
      doneRows += batch.length;
      progress(doneRows / totalRows, what);
    }
  }
  const educatorIds = [...new Set(courses.map(({ educatorId }) => educatorId))];
  await db.Account.updateMany({ _id: { $in: educatorIds } }, { hasCourses: true });
  await db.transaction((session) => touchCatalog(db, session));
}

function sumDays(purchases: readonly LargePurchase[], minorOf: (purchase: LargePurchase) => number): object[] {
  const dayOf = ({ at }: LargePurchase) => utcDay(at);
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

const subjects = "Algebra Baking Chess Drawing Economics French Gardening History Italian Jazz".split(" ");
const levels = ["for Beginners", "in Practice", "in Depth", "from Scratch", "for Teams"];
const firstNames = "Aarav Bea Chidi Dina Emre Fatima Goran Hana Ivo Jun Kavya Leo".split(" ");
const lastNames = "Adeyemi Berg Costa Desai Evans Fischer Gupta Haddad Ito Jensen".split(" ");
const educators = demoUsers.filter(({ role }) => role === "educator");

/** Generates courses, learners and purchases. Equal sizes give equal data. */
function generateLargeData({ courses: courseCount, learners: learnerCount }: LargeSize) {
  const random = createRandom(20_260_101);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const courses: LargeCourse[] = Array.from({ length: courseCount }, (_, n) => ({
    _id: demoId("large-course", courseCount, learnerCount, n),
    title: `${pick(subjects)} ${pick(levels)} ${n + 1}`,
    educatorId: pick(educators).id,
    price: 200 + 50 * Math.floor(random() * 60),
    createdAt: new Date(firstDay + n * 60_000),
  }));
  const learners = Array.from({ length: learnerCount }, (_, n) => ({
    _id: `user_large_${n}`,
    name: `${pick(firstNames)} ${pick(lastNames)}`,
    email: `learner${n}@lyceum.example`,
    createdAt: new Date(firstDay + n * 1_000),
  }));
  const purchases: LargePurchase[] = learners.flatMap(({ _id: learner }) => {
    const start = Math.floor(random() * courses.length);
    return Array.from({ length: purchasesPerLearner }, (_, k) => ({
      _id: demoId("large-purchase", courseCount, learnerCount, learner, k),
      learner,
      course: courses[(start + k * 7) % courses.length] as LargeCourse,
      at: new Date(firstDay + (1 + Math.floor(random() * saleDays)) * dayMs + Math.floor(random() * dayMs)),
    }));
  });
  return { courses, learners, purchases };
}

/** Creates a generator of numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
