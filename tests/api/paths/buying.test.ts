import fc from "fast-check";
import { expect, test } from "vitest";
import type { Path } from "../../../src/models/paths/path.js";
import { differencesIn, expectCouponRecount } from "../../assertions/recount.js";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { buildPath } from "../../factories/paths.js";
import { deliver, paymentEvent, refundEvent } from "../../factories/payment-events.js";
import { checkoutOf, paymentId, purchaseOf } from "../../factories/purchases.js";
import { seeded, timesLonger } from "../../longer-runs.js";
import { paymentsOf } from "../../server/emulators.js";
import { applyPendingEvents } from "../../server/payment-jobs.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const { db } = server.deps;
const dayMs = 24 * 60 * 60_000;
const answer = (status: number, message: string) => ({ status, body: { success: false, message } });

const open = (learner: SignedIn, body: object) => server.post("/api/user/purchase", body, learner.token);
const enrolledIn = async ({ id }: SignedIn): Promise<string[]> =>
  (await db.Enrollment.find({ userId: id, active: true }).lean()).map(({ courseId }) => String(courseId)).sort();
const idsOf = ({ courseIds }: Path) => courseIds.map(String).sort();

/** Opens a purchase and pays it. */
async function buy(learner: SignedIn, body: object) {
  const { body: opened } = await open(learner, body);
  const { purchaseId, orderId } = opened;
  if (!orderId) return { purchaseId, payment: "", amount: 0 };
  const amount = Math.round(opened.amount * 100);
  const payment = paymentId();
  const sent = await deliver(server, paymentEvent("payment.captured", { id: payment, purchaseId, amount }));
  expect(sent.status).toBe(200);
  return { purchaseId, payment, amount };
}

const payBack = ({ payment, amount }: { payment: string; amount: number }) =>
  deliver(server, refundEvent({ id: `rfnd_${payment}`, paymentId: payment, amount }));

async function newPath(fields: Partial<Path> = {}, courses: Parameters<typeof buildCourse>[1][] = [{}, {}]) {
  const built = [];
  for (const course of courses) built.push(await buildCourse(server, course));
  return {
    courses: built,
    path: await buildPath(server, { courseIds: built.map(({ _id }) => _id), inOrder: false, price: 999, ...fields }),
  };
}

/** All figures equal a recount, and each course counts a student once. */
async function expectFigures(): Promise<void> {
  await runJob(server, "number-events");
  expect(await differencesIn(db, ["Course", "Path", "CourseDailySales", "Enrollment", "PathEnrollment"])).toEqual([]);
}

test("a path is bought as one, with its lists, invoice, event and figures, and paid back as one", async () => {
  const learner = await server.signedIn();
  const { path, courses } = await newPath({ price: 500, title: "From zero to types" });
  const sale = await buy(learner, { pathId: String(path._id) });
  expect(sale.amount).toBe(50_000);
  expect(await enrolledIn(learner)).toEqual(idsOf(path));
  const [order] = paymentsOf(server).records().orders.slice(-1);
  expect(order?.notes).toEqual({ purchaseId: sale.purchaseId, courseTitle: "From zero to types" });
  expect((await server.get("/api/user/purchases", learner.token)).body.purchases).toMatchObject([
    {
      courseId: null,
      pathId: String(path._id),
      courseTitle: "From zero to types",
      courseThumbnail: courses[0]?.courseThumbnail,
      amount: 500,
      status: "completed",
    },
  ]);
  const admin = await server.signedIn("admin");
  expect((await server.get("/api/admin/purchases", admin.token)).body.purchases[0]).toMatchObject({
    courseId: null,
    pathId: String(path._id),
  });
  expect((await server.get("/api/admin/purchases.csv", admin.token)).body).toContain("From zero to types");
  expect(
    await db.Event.findOne({ type: "purchase.completed", "data.purchaseId": sale.purchaseId }).lean(),
  ).toMatchObject({
    data: { courseId: null, pathId: String(path._id), amount: 500 },
  });
  expect(await db.Path.findById(path._id).lean()).toMatchObject({
    learners: 1,
    completedPurchases: 1,
    revenueMinor: 50_000,
  });
  expect((await db.Course.findById(courses[0]?._id).lean())?.completedPurchases).toBe(0);
  await expectFigures();

  expect((await payBack(sale)).status).toBe(200);
  expect(await enrolledIn(learner)).toEqual([]);
  expect(await db.Path.findById(path._id).lean()).toMatchObject({
    learners: 0,
    completedPurchases: 0,
    revenueMinor: 0,
  });
  await expectFigures();
  expect((await open(learner, { pathId: String(path._id) })).status).toBe(200);
});

test("what cannot be bought", async () => {
  const learner = await server.signedIn();
  const educator = await server.signedIn("educator");
  const { path: draft } = await newPath({ isPublished: false, educatorId: educator.id });
  const { path: unpriced } = await newPath({ price: null });
  const { path: hidden } = await newPath({}, [{}, { isPublished: false }]);
  const { path } = await newPath();
  const pathId = String(path._id);
  const refused = async (who: SignedIn, body: object) => {
    const { status, body: said } = await open(who, body);
    return { status, body: { success: said.success, message: said.message } };
  };
  expect(await refused(learner, { pathId, courseId: String(path.courseIds[0]) })).toEqual(
    answer(400, "Invalid request data"),
  );
  expect(await refused(learner, {})).toEqual(answer(400, "Invalid request data"));
  expect(await refused(learner, { pathId: "nowhere" })).toEqual(answer(404, "Path not found"));
  expect(await refused(educator, { pathId: String(draft._id) })).toEqual(answer(404, "Path not found"));
  expect(await refused(learner, { pathId: String(unpriced._id) })).toEqual(answer(409, "Path is not for sale"));
  expect(await refused(learner, { pathId: String(hidden._id) })).toEqual(answer(409, "Path is not for sale"));
  await buy(learner, { pathId });
  expect(await refused(learner, { pathId })).toEqual(answer(409, "Path already purchased"));
  expect(await refused(learner, { courseId: String(path.courseIds[0]) })).toEqual(
    answer(409, "Course already purchased"),
  );
  // Each course is the learner's own for good, bought alone or with another path.
  const { path: same } = await newPath({ courseIds: path.courseIds });
  expect(await refused(learner, { pathId: String(same._id) })).toEqual(answer(409, "Path already purchased"));
  const other = await server.signedIn();
  await buy(other, { courseId: String(path.courseIds[0]) });
  expect((await open(other, { pathId })).body).toMatchObject({ amount: 999 });
});

test("a purchase keeps what was sold; one that is asked for again after an edit is a new one", async () => {
  const learner = await server.signedIn();
  const { path } = await newPath({}, [{}, {}, {}]);
  const pathId = String(path._id);
  const first = (await open(learner, { pathId })).body;
  expect((await open(learner, { pathId })).body).toEqual(first);
  await db.Path.updateOne({ _id: path._id }, { courseIds: path.courseIds.slice(0, 2) });
  const second = (await open(learner, { pathId })).body;
  expect(second.orderId).not.toBe(first.orderId);
  await db.Course.updateOne({ _id: path.courseIds[0] ?? null }, { accessDays: 10 });
  const third = (await open(learner, { pathId })).body;
  expect(third.orderId).not.toBe(second.orderId);
  // A payment of the first order is in time and of today's price, so it completes what was sold then.
  const amount = 99_900;
  await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId: first.purchaseId, amount }));
  expect((await purchaseOf(server, first.purchaseId)).status).toBe("completed");
  expect(await enrolledIn(learner)).toEqual(idsOf(path));
  await expectFigures();
});

test("coupons name paths", async () => {
  const learner = await server.signedIn();
  const admin = await server.signedIn("admin");
  const { path, courses } = await newPath({ price: 500 });
  const pathId = String(path._id);
  const ofPath = await buildCoupon(server, admin, { pathIds: [pathId] });
  const ofCourse = await buildCoupon(server, admin, { courseIds: [String(courses[0]?._id)] });
  const check = (body: object) => server.post("/api/user/coupon/check", body, learner.token);
  expect((await check({ pathId, code: ofPath.code })).body).toMatchObject({ amount: 250, discountAmount: 250 });
  expect((await check({ pathId, code: ofCourse.code })).status).toBe(404);
  expect((await check({ courseId: String(courses[0]?._id), code: ofPath.code })).status).toBe(404);
  expect((await check({ code: ofPath.code })).status).toBe(400);
  const { body } = await open(learner, { pathId, coupon: ofPath.code });
  expect(body).toMatchObject({ amount: 250, couponCode: ofPath.code, discountAmount: 250 });
  await open(learner, { pathId });
  await expectCouponRecount(server);
});

test("late money redeems no coupon that was switched off, and completes nothing of a deleted path", async () => {
  const learner = await server.signedIn();
  const admin = await server.signedIn("admin");
  const educator = await server.signedIn("educator");
  const { path } = await newPath({ price: 500, educatorId: educator.id });
  const pathId = String(path._id);
  const coupon = await buildCoupon(server, admin, { pathIds: [pathId] });
  const cheap = (await open(learner, { pathId, coupon: coupon.code })).body;
  const whole = (await open(learner, { pathId })).body;
  await server.patch(`/api/admin/coupons/${coupon._id}`, { active: false }, admin.token);
  const send = (event: string, { purchaseId }: { purchaseId: string }, amount: number) =>
    deliver(server, paymentEvent(event, { id: paymentId(), purchaseId, amount }));
  await send("payment.captured", cheap, 25_000);
  await send("payment.failed", whole, 50_000);
  const remove = () => server.delete(`/api/educator/paths/${pathId}`, educator.token);
  expect((await remove()).status).toBe(200);
  await send("payment.captured", whole, 50_000);
  for (const { purchaseId } of [cheap, whole]) {
    expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "failed", reviewReason: "late_payment" });
  }
  expect(await enrolledIn(learner)).toEqual([]);
});

test("twenty requests at once leave one order; checkout and webhook together enroll once", async () => {
  const learner = await server.signedIn();
  const { path } = await newPath();
  const pathId = String(path._id);
  const answers = await Promise.all(Array.from({ length: 20 }, () => open(learner, { pathId })));
  const opened = answers.filter(({ status }) => status === 200);
  expect(new Set(opened.map(({ body }) => body.orderId)).size).toBe(1);
  const { purchaseId, orderId } = opened[0]?.body ?? {};
  const id = paymentId();
  const captured = paymentEvent("payment.captured", { id, purchaseId, amount: 99_900 });
  const checkout = checkoutOf(server, { purchaseId, orderId }, id);
  const verify = () => server.post("/api/user/verify-razorpay", checkout, learner.token);
  await Promise.all([deliver(server, captured), verify(), deliver(server, captured)]);
  await expect.poll(async () => (await purchaseOf(server, purchaseId)).status).toBe("completed");
  for (const courseId of path.courseIds) {
    expect(await db.Course.findById(courseId).lean()).toMatchObject({ totalEnrolledStudents: 1 });
  }
  await expectFigures();
});

test("twenty buyers of one path at once", async () => {
  const { path } = await newPath({}, [{}, {}, {}]);
  const pathId = String(path._id);
  const learners = await Promise.all(Array.from({ length: 20 }, () => server.signedIn()));
  const opened = await Promise.all(learners.map((learner) => open(learner, { pathId })));
  const messages = opened.map(({ body: { purchaseId } }) =>
    paymentEvent("payment.captured", { id: paymentId(), purchaseId, amount: 99_900 }),
  );
  await Promise.all(messages.map((message) => deliver(server, message)));
  const held = async () => {
    await applyPendingEvents(server, { asOf: new Date(Date.now() + 60_000) });
    return db.Path.findById(path._id).lean();
  };
  await expect.poll(held, { timeout: 20_000 }).toMatchObject({ learners: 20, completedPurchases: 20 });
  await expectFigures();
});

/** What may happen to a learner who buys paths and courses that share courses. */
const items = ["path", "other path", "first course", "second course"] as const;
const step = fc.record({
  item: fc.constantFrom(...items),
  what: fc.constantFrom("open", "pay", "pay", "refund"),
});

test("after any order of payments of paths and of their courses, all figures equal a recount", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const learner = await server.signedIn();
      const { path, courses } = await newPath({}, [{ accessDays: 40 }, {}, {}]);
      const other = await buildPath(server, { courseIds: path.courseIds.slice(1), inOrder: false, price: 300 });
      const bodies = {
        path: { pathId: String(path._id) },
        "other path": { pathId: String(other._id) },
        "first course": { courseId: String(courses[0]?._id) },
        "second course": { courseId: String(courses[1]?._id) },
      };
      const opened: Partial<Record<(typeof items)[number], { purchaseId: string; amount: number; payment: string }>> =
        {};
      const holding = new Set<(typeof items)[number]>();
      for (const { item, what } of steps) {
        const known = opened[item];
        if (what === "open" || !known) {
          const { status, body } = await open(learner, bodies[item]);
          if (status === 200 && body.orderId && body.purchaseId !== known?.purchaseId && !holding.has(item))
            opened[item] = { purchaseId: body.purchaseId, amount: body.amount * 100, payment: paymentId() };
        } else if (what === "pay") {
          const { payment: id, purchaseId, amount } = known;
          await deliver(server, paymentEvent("payment.captured", { id, purchaseId, amount }));
          if ((await purchaseOf(server, purchaseId)).status === "completed") holding.add(item);
        } else {
          await payBack(known);
          holding.delete(item);
        }
      }
      const wanted = new Set<string>();
      const completed = await db.Purchase.find({ userId: learner.id, status: "completed" }).lean();
      for (const { courseId, terms } of completed)
        for (const id of courseId ? [courseId] : (terms.courses ?? []).map((one) => one.courseId))
          wanted.add(String(id));
      expect(await enrolledIn(learner)).toEqual([...wanted].sort());
      expect(completed.filter(({ isSecondSale }) => isSecondSale)).toEqual([]);
      await expectFigures();
    }),
    { numRuns: 12 * timesLonger, ...seeded },
  );
});

test("a free path enrolls at once, and its hold ends by itself", async () => {
  const learner = await server.signedIn();
  const { path } = await newPath({ price: 0 }, [{ accessDays: 5 }, { accessDays: 5 }]);
  const pathId = String(path._id);
  const answers = await Promise.all(Array.from({ length: 3 }, () => open(learner, { pathId })));
  expect(answers[0]?.body).toMatchObject({ orderId: null, keyId: null, enrolled: true });
  expect(new Set(answers.map(({ body }) => body.purchaseId)).size).toBe(1);
  expect(await db.Enrollment.findOne({ userId: learner.id }).lean()).toMatchObject({ kind: "free", viaPath: true });
  await expectFigures();
  const ago = new Date(Date.now() - 6 * dayMs);
  const over = { expiresAt: new Date(Date.now() - dayMs), boughtUntil: new Date(Date.now() - dayMs) };
  await db.Purchase.updateMany({ userId: learner.id }, { completedAt: ago, createdAt: ago }, { timestamps: false });
  await db.Enrollment.updateMany({ userId: learner.id }, over);
  await db.PathEnrollment.updateMany({ userId: learner.id }, over);
  await runJob(server, "end-expired-enrollments");
  expect(await enrolledIn(learner)).toEqual([]);
  expect(await db.Path.findById(path._id).lean()).toMatchObject({ learners: 0 });
  expect((await open(learner, { pathId })).body).toMatchObject({ enrolled: true });
  await expect.poll(() => enrolledIn(learner)).toEqual(idsOf(path));
});

test("access ends with the last of what gives it", async () => {
  const learner = await server.signedIn();
  const { path, courses } = await newPath({}, [{ accessDays: 30 }, { accessDays: 60 }]);
  const [short = "", long = ""] = courses.map(({ _id }) => String(_id));
  await buy(learner, { courseId: short });
  await buy(learner, { pathId: String(path._id) });
  const daysLeft = async (courseId = "") => {
    const enrollment = await db.Enrollment.findOne({ userId: learner.id, courseId }).orFail().lean();
    return Math.round(((enrollment.expiresAt?.getTime() ?? 0) - Date.now()) / dayMs);
  };
  expect([await daysLeft(short), await daysLeft(long)]).toEqual([30, 60]);
  const held = await db.PathEnrollment.findOne({ userId: learner.id }).orFail().lean();
  expect(Math.round(((held.expiresAt?.getTime() ?? 0) - Date.now()) / dayMs)).toBe(60);
  // Within 30 days before the end, the course alone prolongs what the path gave.
  const ago = new Date(Date.now() - 45 * dayMs);
  await db.Purchase.updateMany({ userId: learner.id }, { completedAt: ago, createdAt: ago }, { timestamps: false });
  await db.Course.updateOne({ _id: path.courseIds[1] ?? null }, { accessDays: 100 });
  await buy(learner, { courseId: long });
  expect(await daysLeft(long)).toBe(115);
});
