import { describe, expect, test } from "vitest";
import { utcDay } from "../../../src/lib/days.js";
import type { Course } from "../../../src/models/courses/course.js";
import { addCourseDailySales } from "../../../src/models/courses/course-daily-sales.js";
import { soldId } from "../../../src/models/payments/purchase.js";
import { toMinor } from "../../../src/services/payments/price.js";
import { expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCoupon } from "../../factories/coupons.js";
import { courseData, courseForm } from "../../factories/course-forms.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { activeCourses, openPurchase, paymentId, purchaseOf } from "../../factories/purchases.js";
import { buy, refund } from "../../factories/sales.js";
import { paymentsOf } from "../../server/emulators.js";
import { reconcile } from "../../server/payment-jobs.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const { db } = server.deps;

const dayMs = 86_400_000;
const sweep = () => runJob(server, "end-expired-enrollments");
const enrollmentOf = (learner: SignedIn) => db.Enrollment.findOne({ userId: learner.id }).orFail().lean();
const ask = (learner: SignedIn, { _id }: Pick<Course, "_id">, fields: object = {}) =>
  server.post("/api/user/purchase", { courseId: String(_id), ...fields }, learner.token);

const paymentOf = async (purchaseId: string) => (await purchaseOf(server, purchaseId)).providerPaymentId;

/** For how many days the only course of a learner shows access; undefined when it shows none. */
async function daysLeft(learner: SignedIn): Promise<number | undefined> {
  const [item] = (await server.get("/api/user/enrolled-courses", learner.token)).body.enrolledCourses;
  return item && (Date.parse(item.expiresAt) - Date.now()) / dayMs;
}

/** Moves a learner's purchases and enrollments into the past. */
async function letPass(learner: SignedIn, days: number): Promise<void> {
  const earlier = (date: Date | null | undefined) => date && new Date(date.getTime() - days * dayMs);
  await runJob(server, "number-events");
  for (const purchase of await db.Purchase.find({ userId: learner.id, status: "completed" }).lean()) {
    const { _id, amount, currency, completedAt } = purchase;
    const courseId = soldId(purchase);
    const moved = earlier(completedAt) ?? null;
    await db.Purchase.updateOne({ _id }, { completedAt: moved });
    const change = (at: Date | null, sales: 1 | -1) => {
      return { courseId, day: utcDay(at ?? new Date()), sales, revenueMinor: sales * toMinor(amount, currency) };
    };
    const changes = [change(completedAt, -1), change(moved, 1)];
    await db.transaction((session) => addCourseDailySales(db, changes, session));
  }
  const dates = ["expiresAt", "boughtUntil", "enrolledAt"] as const;
  for (const enrollment of await db.Enrollment.find({ userId: learner.id }).lean()) {
    const moved = dates.map((field) => [field, earlier(enrollment[field])]);
    await db.Enrollment.updateOne({ _id: enrollment._id }, Object.fromEntries(moved));
  }
}

test("an educator says for how many days a course is sold", async () => {
  const educator = await server.signedIn("educator");
  const add = (accessDays: unknown) =>
    server.call("POST", "/api/educator/add-course", {
      ...{ token: educator.token, body: courseForm(courseData({ accessDays })) },
    });
  for (const days of [0, 3651, 1.5, "x", true]) {
    expect(await add(days)).toMatchObject(refusal(400, "Invalid request data"));
  }
  const { courseId } = (await add("30")).body;
  const shown = async () => (await server.get(`/api/educator/courses/${courseId}`, educator.token)).body.course;
  expect(await shown()).toMatchObject({ accessDays: 30 });
  expect((await server.get(`/api/course/${courseId}`)).body.courseData).toMatchObject({ accessDays: 30 });
  const edit = (body: object) => server.patch(`/api/educator/courses/${courseId}`, body, educator.token);
  expect((await edit({ version: 1, courseTitle: "Another" })).body.course).toMatchObject({ accessDays: 30 });
  expect((await edit({ version: 2, accessDays: null })).body.course).not.toHaveProperty("accessDays");
  expect((await edit({ version: 3, accessDays: 7 })).body.course).toMatchObject({ accessDays: 7 });
  expect(await db.Course.findById((await add(undefined)).body.courseId).lean()).toMatchObject({ accessDays: null });
});

test("access ends by itself: every check refuses from that moment, and the numbers follow", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { accessDays: 30 });
  const courseId = String(course._id);
  await buy(server, learner, course._id);
  const { enrolledAt } = await enrollmentOf(learner);
  const item = (await server.get("/api/user/enrolled-courses", learner.token)).body.enrolledCourses[0];
  const ends = Date.parse(item.expiresAt) - enrolledAt.getTime();
  expect(Math.abs(ends - 30 * dayMs)).toBeLessThan(1_000);
  const player = () => server.get(`/api/user/enrolled-courses/${courseId}`, learner.token);
  expect((await player()).body.courseData.expiresAt).toBe(item.expiresAt);

  const lectureId = course.courseContent[0]?.chapterContent[0]?.lectureId;
  const progress = () => server.post("/api/user/update-course-progress", { courseId, lectureId }, learner.token);
  expect((await progress()).status).toBe(200);
  await server.post("/api/user/add-rating", { courseId, rating: 4 }, learner.token);
  await letPass(learner, 30);
  expect(await player()).toMatchObject(refusal(403, "Access denied or course not found"));
  expect(await progress()).toMatchObject(refusal(403, "Course not purchased"));
  const rating = await server.post("/api/user/add-rating", { courseId, rating: 5 }, learner.token);
  expect(rating).toMatchObject(refusal(403, "Course not purchased."));
  const certificate = await server.get(`/api/user/certificate/check/${courseId}`, learner.token);
  expect(certificate).toMatchObject(refusal(403, "Course not purchased"));
  const quiz = await server.get(`/api/quiz/${courseId}/ch1`, learner.token);
  expect(quiz).toMatchObject(refusal(403, "Course not purchased"));
  expect(await activeCourses(server, learner)).toEqual([]);
  expect((await server.get("/api/user/continue", learner.token)).body.courses).toEqual([]);
  expect(await sweep()).toBe("1 enrollments ended");
  expect(await sweep()).toBeUndefined();
  await expectRecount(server);
  expect(await db.CourseProgress.exists({ userId: learner.id })).not.toBeNull();
  expect(await db.CourseRating.exists({ userId: learner.id })).not.toBeNull();
});

test.each([
  ["after the job", true],
  ["before the job", false],
])("what has ended can be bought again %s, and is no duplicate", async (_, swept) => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { accessDays: 40 });
  await buy(server, learner, course._id);
  expect(await ask(learner, course)).toMatchObject(refusal(409, "Course already purchased"));
  await letPass(learner, 41);
  if (swept) await sweep();
  const sale = await buy(server, learner, course._id);
  expect(await db.Purchase.findById(sale.purchaseId).lean()).toMatchObject({ status: "completed", reviewReason: null });
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  const { enrolledAt, purchases } = await enrollmentOf(learner);
  expect({ recent: Date.now() - enrolledAt.getTime() < dayMs, purchases }).toEqual({ recent: true, purchases: 2 });
  await expectRecount(server);
  await refund(server, sale);
  expect(await activeCourses(server, learner)).toEqual([]);
  await expectRecount(server);
});

test("access that was free, or cost nothing with a coupon, ends and can be taken again", async () => {
  const admin = await server.signedIn("admin");
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 0, accessDays: 5 });
  const first = await buy(server, learner, course._id);
  await letPass(learner, 6);
  const [second, twin] = await Promise.all([buy(server, learner, course._id), buy(server, learner, course._id)]);
  expect(new Set([first, second, twin].map(({ purchaseId }) => purchaseId ?? second.purchaseId)).size).toBe(2);
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);

  const other = await server.signedIn();
  const paid = await buildCourse(server, { accessDays: 5 });
  const { code } = await buildCoupon(server, admin, { value: 100, maxPerUser: 4 });
  const take = () => server.post("/api/user/purchase", { courseId: String(paid._id), coupon: code }, other.token);
  expect((await take()).body).toMatchObject({ enrolled: true });
  expect((await enrollmentOf(other)).kind).toBe("free");
  await letPass(other, 6);
  expect((await take()).body).toMatchObject({ enrolled: true });
  expect((await take()).body).toMatchObject({ enrolled: true });
  expect(await daysLeft(other)).toBeCloseTo(10, 3);
  expect(await take()).toMatchObject(refusal(409, "Course already purchased"));
  await expectRecount(server);
});

describe("access that ends within 30 days is bought again", () => {
  /** A learner whose access of 40 days has 29 days left. */
  async function learnerBeforeTheEnd() {
    const [learner, course] = [await server.signedIn(), await buildCourse(server, { accessDays: 40 })];
    const sale = await buy(server, learner, course._id);
    await letPass(learner, 9);
    expect(await ask(learner, course)).toMatchObject(refusal(409, "Course already purchased"));
    await letPass(learner, 2);
    return { learner, course, sale };
  }

  test("twenty requests open one order, and its payment prolongs once", async () => {
    const { learner, course } = await learnerBeforeTheEnd();
    const before = await enrollmentOf(learner);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(learner, course)));
    const opened = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    expect(opened.length).toBeGreaterThan(5);
    expect(new Set(opened.map(({ orderId }) => orderId)).size).toBe(1);
    const { purchaseId, orderId } = opened[0];
    await Promise.all([paymentsOf(server).pay(orderId), reconcile(server)]);
    await paymentsOf(server).settled();
    const { expiresAt, noticeDueAt, enrolledAt } = await enrollmentOf(learner);
    expect(await daysLeft(learner)).toBeCloseTo(69, 3);
    // Nothing closes again, and the notice of the end waits for the new end.
    expect(enrolledAt).toEqual(before.enrolledAt);
    expect((expiresAt?.getTime() ?? 0) - (noticeDueAt?.getTime() ?? 0)).toBe(3 * dayMs);
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", reviewReason: null });
    await expectRecount(server);
  });

  test("a purchase that was opened before another one was paid is flagged, and its days count while it is not refunded", async () => {
    const [learner, admin] = [await server.signedIn(), await server.signedIn("admin")];
    const course = await buildCourse(server, { accessDays: 40 });
    const { code } = await buildCoupon(server, admin, { value: 10 });
    const first = await openPurchase(server, learner, course);
    const second = (await ask(learner, course, { coupon: code })).body;
    for (const { orderId } of [second, first]) {
      await paymentsOf(server).pay(orderId);
      await paymentsOf(server).settled();
    }
    expect(await purchaseOf(server, first.purchaseId)).toMatchObject({ reviewReason: null });
    expect(await purchaseOf(server, second.purchaseId)).toMatchObject({ reviewReason: "duplicate_charge" });
    expect(await daysLeft(learner)).toBeCloseTo(80, 3);
    await expectRecount(server);
    // The access that both give together goes on, and ends with the refund of one.
    await letPass(learner, 45);
    await refund(server, { purchaseId: first.purchaseId, paymentId: String(await paymentOf(first.purchaseId)) });
    expect(await daysLeft(learner)).toBeUndefined();
    expect(await purchaseOf(server, second.purchaseId)).toMatchObject({ status: "completed", reviewReason: null });
    await expectRecount(server);
  });

  test("a second payment of a sale whose days are over begins no lasting access beside another sale", async () => {
    const [learner, course] = [await server.signedIn(), await buildCourse(server, { accessDays: 7 })];
    await buy(server, learner, course._id);
    await letPass(learner, 20);
    await sweep();
    const again = await buy(server, learner, course._id);
    await letPass(learner, 10);
    await refund(server, again);
    const late = paymentEvent("payment.captured", { id: paymentId(), purchaseId: again.purchaseId });
    await deliver(server, late);
    expect((await purchaseOf(server, again.purchaseId)).status).toBe("completed");
    expect(await daysLeft(learner)).toBeUndefined();
    await sweep();
    await expectRecount(server);
  });

  test("a course that became free is taken once ahead, however often it is asked for", async () => {
    const { learner, course } = await learnerBeforeTheEnd();
    await db.Course.updateOne({ _id: course._id }, { coursePrice: 0, accessDays: 1 });
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(learner, course)));
    const taken = answers.filter(({ status }) => status === 200).map(({ body }) => body.purchaseId);
    expect(new Set(taken).size).toBe(1);
    expect(await daysLeft(learner)).toBeCloseTo(30, 3);
    expect(await ask(learner, course)).toMatchObject(refusal(409, "Course already purchased"));
    await db.Course.updateOne({ _id: course._id }, { accessDays: null });
    await letPass(learner, 29);
    await ask(learner, course);
    expect(await enrollmentOf(learner)).toMatchObject({ expiresAt: null, purchases: 3, kind: "purchase" });
    expect(await enrollmentOf(learner)).not.toHaveProperty("noticeDueAt");
    await expectRecount(server);
  });
});

test("a purchase keeps the days it was opened with", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { accessDays: 20 });
  const { purchaseId } = await openPurchase(server, learner, course);
  await db.Course.updateOne({ _id: course._id }, { accessDays: null });
  await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId }));
  const { expiresAt, enrolledAt } = await enrollmentOf(learner);
  expect(Math.abs((expiresAt?.getTime() ?? 0) - enrolledAt.getTime() - 20 * dayMs)).toBeLessThan(1_000);
  await db.Course.updateOne({ _id: course._id }, { accessDays: 1 });
  expect(await enrollmentOf(learner)).toMatchObject({ expiresAt });
});

test("access that ends while a payment is under way begins anew with the payment", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { accessDays: 10 });
  await buy(server, learner, course._id);
  await letPass(learner, 11);
  const { purchaseId } = await openPurchase(server, learner, course);
  const paid = deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId }));
  await Promise.all([paid, sweep(), sweep()]);
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expectRecount(server);
});

test("an enrollment that is extended while the job is about to end it stays", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { accessDays: 10 });
  await buy(server, learner, course._id);
  await letPass(learner, 11);
  const later = new Date(Date.now() + dayMs);
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const extended = db.transaction(
    async (session) => {
      begin();
      // The job has found the enrollment by then, and waits for its turn.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await db.Enrollment.updateOne({ userId: learner.id }, { expiresAt: later }, { session });
    },
    { mutex: `course:${course._id}` },
  );
  await begun;
  const [swept] = await Promise.all([sweep(), extended]);
  expect(swept).toBe("1 purchases turned into grants");
  expect(await enrollmentOf(learner)).toMatchObject({ active: true, expiresAt: later });
  // As its purchase says again.
  await letPass(learner, 2);
  expect(await sweep()).toBe("1 enrollments ended");
});

test("a grant outlasts a purchase that ends, and the other way round", async () => {
  const admin = await server.signedIn("admin");
  const [anna, ben] = [await server.signedIn(), await server.signedIn()];
  const course = await buildCourse(server, { accessDays: 10 });
  const give = (learner: SignedIn, fields: object) =>
    server.post(
      "/api/admin/enrollments",
      { courseId: String(course._id), userId: learner.id, reason: "x", ...fields },
      admin.token,
    );
  await give(anna, {});
  await buy(server, anna, course._id);
  await letPass(anna, 11);
  expect(await sweep()).toBe("1 purchases turned into grants");
  expect(await activeCourses(server, anna)).toEqual([String(course._id)]);
  const again = await buy(server, anna, course._id);
  expect(again.purchaseId).toBeDefined();

  await give(ben, { expiresAt: new Date(Date.now() + 2 * dayMs).toISOString() });
  await buy(server, ben, course._id);
  const { expiresAt } = await enrollmentOf(ben);
  expect(Math.abs((expiresAt?.getTime() ?? 0) - Date.now() - 10 * dayMs)).toBeLessThan(60_000);
  await expectRecount(server);
});

test("the educator's list has the date of the purchase that gives access now", async () => {
  const [educator, admin] = [await server.signedIn("educator"), await server.signedIn("admin")];
  const [anna, ben] = [await server.signedIn("student", "Anna"), await server.signedIn("student", "Ben")];
  const course = await buildCourse(server, { educatorId: educator.id, accessDays: 10 });
  const dates = async () => {
    const { body } = await server.get("/api/educator/enrolled-students", educator.token);
    return body.enrolledStudents.map(({ student, purchaseDate }: any) => [student.name, purchaseDate]);
  };
  const createdAt = async (purchaseId: string) =>
    (await db.Purchase.findById(purchaseId).orFail()).createdAt.toISOString();
  const first = await buy(server, anna, course._id);
  expect(await dates()).toEqual([["Anna", await createdAt(first.purchaseId)]]);
  await letPass(anna, 11);
  expect(await dates()).toEqual([]);
  const second = await buy(server, anna, course._id);
  expect(await dates()).toEqual([["Anna", await createdAt(second.purchaseId)]]);

  // A grant goes on after the purchase, and the date is then that of the access.
  const body = { courseId: String(course._id), userId: ben.id, reason: "x" };
  expect((await server.post("/api/admin/enrollments", body, admin.token)).status).toBe(200);
  const sale = await buy(server, ben, course._id);
  await letPass(ben, 5);
  expect((await dates())[1]).toEqual(["Ben", await createdAt(sale.purchaseId)]);
  await letPass(ben, 6);
  expect(await sweep()).toBe("1 purchases turned into grants");
  const { enrolledAt } = await enrollmentOf(ben);
  expect(await dates()).toContainEqual(["Ben", enrolledAt.toISOString()]);
  const table = await server.get("/api/educator/enrolled-students.csv", educator.token);
  expect(table.body).toContain(`Ben,${enrolledAt.toISOString()}`);
});
