import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ClientSession } from "mongoose";
import type { Db } from "../../src/db/db.js";
import { withLease } from "../../src/db/lease.js";
import type { Deps } from "../../src/deps.js";
import { type Purchase, unfinishedSlot, unfinishedStates } from "../../src/models/payments/purchase.js";
import { ProviderFault } from "../../src/providers/razorpay.js";
import { issueCertificate } from "../../src/services/certificates/issue-certificate.js";
import { insertCourse } from "../../src/services/courses/create-course.js";
import { applyAsEducator } from "../../src/services/educators/apply-as-educator.js";
import { approveApplication, rejectApplication } from "../../src/services/educators/decide-application.js";
import { numberEvents } from "../../src/services/events/number-events.js";
import { recordEvents } from "../../src/services/events/record-event.js";
import { recordProgress } from "../../src/services/learning/record-progress.js";
import { storeSession } from "../../src/services/learning/track-time.js";
import { renderLessons } from "../../src/services/lessons/render-lessons.js";
import { lockMs, placeOrder } from "../../src/services/payments/place-order.js";
import { priceBreakdown, toMajor } from "../../src/services/payments/price.js";
import { firstCheckMs } from "../../src/services/payments/reconcile/check-schedule.js";
import { beginSale, completedFact, recordSale, refundedFact } from "../../src/services/payments/record-sale.js";
import { applyIdentityEvent } from "../../src/services/users/apply-identity-event.js";
import {
  applications,
  courses,
  type DemoCourse,
  type DemoEnrollment,
  enrollments,
  otherPurchases,
  sessions,
} from "./content.js";
import { buildChapters, describeCourse, drawThumbnail, loadFiles, storeDemoFilm } from "./course.js";
import { daysAgo, demoId } from "./demo-id.js";
import { loadAssessments } from "./load-assessments.js";
import { loadCommunity } from "./load-community.js";
import { loadQuizzes } from "./load-quizzes.js";
import { loadReview } from "./load-review.js";
import { loadPayment, loadSelling } from "./load-selling.js";
import { postToEmulator } from "./post-to-emulator.js";
import { demoUsers, emailOf, fullNameOf } from "./users.js";

/** Longest wait for the lease, because the first start of a development server loads the data too. */
const maxWaitMs = 120_000;

/**
 * Loads the demo data through the server's own services, so that every counter is right.
 * A second load changes no existing data. A lease lets one load run at a time.
 * @param signal stops the load; the next load adds the rest.
 */
export async function loadDemo(deps: Deps, signal = new AbortController().signal): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  while (Date.now() < deadline) {
    const work = async (lost: AbortSignal) => {
      await load(deps, AbortSignal.any([signal, lost]));
      return true;
    };
    if (await withLease(deps.db, "demo-data", work, { ttlMs: 10_000 })) return;
    await pause(100, undefined, { signal });
  }
  throw new Error("another process held the lease of the demo data for two minutes");
}

async function load(deps: Deps, signal: AbortSignal): Promise<void> {
  const steps = [
    () => loadUsers(deps),
    ...courses.map((course) => () => loadCourse(deps, course)),
    ...listPurchases().map((purchase) => () => loadPurchase(deps, purchase)),
    ...enrollments.map((enrollment) => () => loadLearning(deps, enrollment)),
    ...enrollments.map((enrollment) => () => loadReview(deps, enrollment)),
    () => loadSessions(deps),
    () => loadApplications(deps),
    () => loadCommunity(deps),
    () => loadQuizzes(deps),
    () => loadAssessments(deps),
    () => loadSelling(deps),
  ];
  for (const step of steps) {
    signal.throwIfAborted();
    await step();
  }
  // Daily sales and completed lectures are counted with the numbers of their events.
  while ((await numberEvents(deps)) > 0) signal.throwIfAborted();
}

/** Creates the demo users, in the identity emulator too. */
async function loadUsers({ db, config }: Deps): Promise<void> {
  const accounts = demoUsers.map((user) =>
    postToEmulator(config.identity.apiUrl, "/dev/users", { ...user, webhook: false }),
  );
  await Promise.all(accounts);
  for (const { id, firstName, lastName, role, email, imageUrl } of demoUsers) {
    const data = {
      id,
      first_name: firstName,
      last_name: lastName,
      primary_email_address_id: `idn_${id}`,
      email_addresses: [{ id: `idn_${id}`, email_address: email, verification: { status: "verified" } }],
      image_url: imageUrl,
      public_metadata: role ? { role } : {},
      updated_at: Date.UTC(2026, 0, 1),
    };
    const event = { type: "user.created", data, sentAt: data.updated_at };
    await db.transaction((session) => applyIdentityEvent(db, session, event));
  }
}

const courseId = (key: string) => demoId("course", key);

async function loadCourse(deps: Deps, course: DemoCourse): Promise<void> {
  const { db, storage, renderInTurn } = deps;
  const _id = courseId(course.key);
  await loadFiles(deps, course);
  if (await db.Course.exists({ _id })) return;
  const picture = { publicId: `thumbnails/demo-${course.key}`, kind: "image" as const };
  const courseThumbnail = await storage.put({ ...picture, content: drawThumbnail(course.title, course.colours) });
  const chapters = buildChapters(course, await storeDemoFilm(storage));
  const lessons = await renderLessons(chapters, { educatorId: "demo", renderInTurn });
  const lectures = lessons.courseContent.flatMap(({ chapterContent }) => chapterContent);
  const createdAt = daysAgo(60 - courses.indexOf(course));
  const { subtitle, category, tags, level, language, outcomes, requirements } = course;
  const fields = {
    _id,
    courseTitle: course.title,
    courseDescription: describeCourse(course),
    subtitle,
    category,
    tags,
    level,
    language,
    outcomes,
    requirements,
    courseThumbnail,
    coursePrice: course.price,
    discount: course.discount,
    isPublished: !course.draft,
    ...lessons,
    educatorId: course.educator,
    totalLectures: lectures.length,
    totalDurationMinutes: lectures.reduce((sum, { lectureDuration }) => sum + lectureDuration, 0),
    createdAt,
    updatedAt: createdAt,
  };
  await db.transaction((session) => insertCourse(db, session, fields));
}

interface DemoPurchase {
  learner: string;
  course: string;
  days: number;
  status: "completed" | "refunded" | "failed" | "pending" | "created";
}

function listPurchases(): DemoPurchase[] {
  const bought = enrollments.map(({ learner, course, bought: days }) => ({
    learner,
    course,
    days,
    status: "completed" as const,
  }));
  return [...bought, ...otherPurchases].sort((a, b) => b.days - a.days);
}

const buyerOf = (learner: string) => ({ name: fullNameOf(learner), email: emailOf(learner) });

async function loadPurchase(deps: Deps, { learner, course: key, days, status }: DemoPurchase): Promise<void> {
  const { db, config } = deps;
  const course = courses.find((candidate) => candidate.key === key);
  if (!course) throw new Error(`the demo has no course ${key}`);
  const _id = demoId("purchase", learner, key);
  const at = daysAgo(days, 9 + (learner.length % 8));
  const free = course.price === 0;
  const price = priceBreakdown({
    course: { coursePrice: course.price, discount: course.discount },
    buyer: null,
    currency: config.currency,
  });
  const isSold = status === "completed" || status === "refunded";
  const unfinished = unfinishedStates.includes(status);
  const holder = randomUUID();
  const fields = {
    userId: learner,
    courseId: courseId(key),
    amount: toMajor(price.totalMinor, config.currency),
    currency: config.currency,
    price,
    // A pending purchase gets its order from the provider below, so that the learner can pay it.
    status: unfinished ? "created" : status,
    ...(unfinished
      ? { slot: unfinishedSlot(learner, courseId(key)), nextCheckAt: new Date(at.getTime() + firstCheckMs) }
      : {}),
    ...(status === "pending" ? { orderLock: { holder, until: new Date(at.getTime() + lockMs) } } : {}),
    ...(free || unfinished ? {} : { providerOrderId: `order_demo${_id.toString().slice(0, 10)}` }),
    ...(isSold && !free ? { providerPaymentId: `pay_demo${_id.toString().slice(0, 10)}` } : {}),
    terms: { courseTitle: course.title, coursePrice: course.price, discount: course.discount, accessDays: null },
    buyer: buyerOf(learner),
    ...(isSold && !free ? { invoiceDueAt: at, seller: { ...config.invoices.seller }, tax: config.invoices.tax } : {}),
    ...(status === "refunded" ? { creditNoteDueAt: at, creditedMinor: price.totalMinor } : {}),
    completedAt: isSold ? at : null,
    refundedAt: status === "refunded" ? at : null,
    refundedMinor: status === "refunded" ? price.totalMinor : 0,
    createdAt: at,
    updatedAt: at,
  };
  const stored = await db.transaction(async (session) => {
    const insert = { session, upsert: true, timestamps: false, setDefaultsOnInsert: true } as const;
    const { upsertedCount } = await db.Purchase.updateOne({ _id }, { $setOnInsert: fields }, insert);
    const purchase = await db.Purchase.findById(_id).session(session).lean<Purchase>();
    if (purchase && upsertedCount > 0 && isSold) await loadSale(db, session, purchase);
    return purchase;
  });
  if (stored && isSold) await loadPayment(deps, stored);
  if (stored?.status === "created" && status === "pending") await openOrder(deps, stored, holder, course.title);
}

/** Enrolls the learner of a completed purchase, and records the events of the sale. */
async function loadSale(db: Db, session: ClientSession, purchase: Purchase): Promise<void> {
  if (purchase.status === "refunded") {
    await recordEvents(db, session, [
      completedFact(purchase, false),
      refundedFact(purchase, purchase.refundedMinor ?? 0),
    ]);
    return;
  }
  const { facts, courses } = await beginSale(db, session, purchase);
  const { userId, courseId, createdAt: enrolledAt } = purchase;
  await db.Enrollment.updateOne({ userId, courseId }, { enrolledAt }, { session });
  await recordEvents(db, session, [completedFact(purchase, true), ...facts]);
  await recordSale(db, session, purchase, { sales: 1, students: courses });
}

/** Opens the order of an unpaid purchase. While the provider is unavailable the purchase stays `created`. */
async function openOrder(deps: Deps, purchase: Purchase, holder: string, title: string): Promise<void> {
  await placeOrder(deps, purchase, { holder, title }).catch((error: unknown) => {
    if (!(error instanceof ProviderFault)) throw error;
    deps.log.warn({ eventId: "demo_order_missing", cause: error.message }, "a demo purchase has no order yet");
  });
}

async function loadLearning(deps: Deps, { learner, course: key, progress }: DemoEnrollment): Promise<void> {
  const { db } = deps;
  const course = courses.find((candidate) => candidate.key === key);
  const lectures = course ? buildChapters(course).flatMap(({ chapterContent }) => chapterContent) : [];
  const id = courseId(key);
  const stored = await db.CourseProgress.findOne({ userId: learner, courseId: id }).lean();
  for (const { lectureId } of lectures.slice(0, Math.round(lectures.length * progress))) {
    if (stored?.lectureCompleted.includes(lectureId)) continue;
    const done = { userId: learner, courseId: id.toString(), lectureId };
    const { certificate } = await recordProgress(db, done);
    if (certificate) await issueCertificate(deps, certificate, Date.now() + 10_000);
  }
}

async function loadSessions({ db }: Deps): Promise<void> {
  for (const [i, { learner, page, path, seconds, days }] of sessions.entries()) {
    const _id = `demo-${i}`;
    const key = path.split("/")[2];
    const filled = key ? path.replace(key, courseId(key).toString()) : path;
    await storeSession(db, {
      _id,
      userId: learner,
      page,
      path: filled,
      duration: seconds,
      at: daysAgo(days, 18),
    });
  }
}

async function loadApplications({ db }: Deps): Promise<void> {
  const decider = { userId: "user_demo_admin" };
  for (const application of applications) {
    const { applicant, outcome, professionalTitle, bio, expertise, linkedinUrl } = application;
    if (await db.EducatorApplication.exists({ userId: applicant })) continue;
    const submission = { professionalTitle, bio, expertise, linkedinUrl };
    await applyAsEducator(db, { id: applicant, claimedRole: "student" }, submission);
    const stored = await db.EducatorApplication.findOne({ userId: applicant }, { _id: 1 }).lean();
    if (!stored) continue;
    if (outcome === "approved") await approveApplication(db, stored._id.toString(), decider);
    if (outcome === "rejected") await rejectApplication(db, stored._id.toString(), application.reason ?? "", decider);
  }
}
