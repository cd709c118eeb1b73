import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../../db/db.js";
import { isDuplicateKey } from "../../db/duplicate-key.js";
import { failure } from "../../http/errors.js";
import { isObjectId } from "../../http/fields.js";
import type { Course } from "../../models/course.js";
import { freeSlot, type Purchase, unfinishedSlot } from "../../models/purchase.js";
import type { Payments } from "../../providers/razorpay.js";
import { CourseNotFound } from "../courses/course-view.js";
import { enroll } from "../enrollments/enrollment.js";
import { UserNotFound } from "../users/user-cards.js";
import { firstCheckMs, purchaseLifeMs } from "./check-schedule.js";
import { failPurchase } from "./fail-purchase.js";
import { rememberCourse } from "./fulfill-purchase.js";
import { lockMs, placeOrder } from "./place-order.js";
import { payableMinor, toMajor, toMinor } from "./price.js";
import { movedTo } from "./purchase-states.js";
import { recordSale } from "./record-sale.js";

export const CourseAlreadyPurchased = failure("course_already_purchased", 409, "Course already purchased");

/** How long a request waits for the order that another one is opening. */
const waitMs = lockMs + 1_000;

interface PurchaseDeps {
  readonly db: Db;
  readonly payments: Payments;
  /** ISO 4217. */
  readonly currency: string;
}

type Offer = Pick<Course, "_id" | "courseTitle" | "coursePrice" | "discount" | "isPublished" | "educatorId">;

/**
 * Opens the purchase of a course, or returns the learner's unfinished one: at most one per learner and course, with at
 * most one live order. A free course is born completed. After a provider fault the purchase is kept, and the next call
 * finishes it.
 * @returns the purchase, `pending` with its order or (free) `completed`.
 * @throws UserNotFound, CourseNotFound, CourseAlreadyPurchased, ProviderFault.
 */
export async function openPurchase(deps: PurchaseDeps, userId: string, courseId: string): Promise<Purchase> {
  const { db } = deps;
  if (!(await db.User.exists({ _id: userId }))) throw UserNotFound();
  const until = Date.now() + waitMs;
  const holder = randomUUID();
  do {
    // Read each time: a request that waited at an old price must not close the purchase that another one opened at the new price.
    const course = await findOffer(db, courseId, userId);
    if (await db.Enrollment.exists({ userId, courseId: course._id, active: true })) throw CourseAlreadyPurchased();
    const amountMinor = payableMinor(course.coursePrice, course.discount, deps.currency);
    const purchase = await currentPurchase(deps, { userId, course, amountMinor, holder });
    if (purchase?.status === "completed" || purchase?.providerOrderId) return purchase;
    if (purchase) {
      const placed = await placeOrder(deps, purchase, { holder, title: course.courseTitle });
      if (placed === "superseded") continue;
      if (placed) return placed;
      await pause(60 + Math.random() * 60);
    }
  } while (Date.now() < until);
  throw new Error("the order that another request is opening did not come in time");
}

async function findOffer(db: Db, courseId: string, userId: string): Promise<Offer> {
  const fields = { courseTitle: 1, coursePrice: 1, discount: 1, isPublished: 1, educatorId: 1 };
  const course = isObjectId(courseId) ? await db.Course.findById(courseId, fields).lean<Offer>() : null;
  if (!course || (!course.isPublished && course.educatorId !== userId)) throw CourseNotFound();
  return course;
}

interface Wanted {
  readonly userId: string;
  readonly course: Offer;
  readonly amountMinor: number;
  readonly holder: string;
}

/** The purchase to go on with; undefined when the one there was had to be closed first. */
async function currentPurchase(deps: PurchaseDeps, wanted: Wanted): Promise<Purchase | undefined> {
  const { db, currency } = deps;
  const { userId, course, amountMinor } = wanted;
  const open = await db.Purchase.findOne({ slot: unfinishedSlot(userId, course._id) }).lean<Purchase>();
  if (!open) return amountMinor === 0 ? takeFree(deps, wanted) : startPaid(deps, wanted);
  const expired = Date.now() - open.createdAt.getTime() > purchaseLifeMs;
  const changed = open.currency !== currency || toMinor(open.amount, currency) !== amountMinor;
  if (!expired && !changed && open.reviewReason === null) return open;
  await failPurchase(db, open._id);
  return undefined;
}

/** A free course is the learner's at once: one purchase for good, however often it is asked for. */
function takeFree({ db, currency }: PurchaseDeps, { userId, course }: Wanted): Promise<Purchase> {
  const slot = freeSlot(userId, course._id);
  return db.transaction(
    async (session) => {
      const known = await db.Purchase.findOne({ slot }).session(session).lean<Purchase>();
      if (known) return known;
      const fields = { userId, courseId: course._id, amount: 0, currency, slot };
      const completed = { ...movedTo("openFree"), completedAt: new Date() };
      const [created] = await db.Purchase.create([{ ...fields, ...completed }], { session });
      const purchase = created?.toObject<Purchase>() as Purchase;
      const enrolledBefore = await enroll(db, session, purchase);
      await recordSale(db, session, purchase, { sales: 1, students: enrolledBefore ? 0 : 1 });
      return purchase;
    },
    { mutex: `course:${course._id}` },
  );
}

async function startPaid(
  deps: PurchaseDeps,
  { userId, course, amountMinor, holder }: Wanted,
): Promise<Purchase | undefined> {
  const now = Date.now();
  const opened = await insert(deps.db, {
    userId,
    courseId: course._id,
    amount: toMajor(amountMinor, deps.currency),
    currency: deps.currency,
    ...movedTo("open"),
    slot: unfinishedSlot(userId, course._id),
    orderLock: { holder, until: new Date(now + lockMs) },
    nextCheckAt: new Date(now + firstCheckMs),
  });
  if (opened) rememberCourse(deps.db, opened);
  return opened;
}

/** @returns undefined when another request has opened one. */
async function insert(db: Db, purchase: Partial<Purchase>): Promise<Purchase | undefined> {
  try {
    return (await db.Purchase.create(purchase)).toObject();
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}
