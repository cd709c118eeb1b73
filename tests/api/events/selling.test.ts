import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { buildCoupon } from "../../factories/coupons.js";
import { buildCourse } from "../../factories/courses.js";
import { csvForm } from "../../factories/csv-form.js";
import { deliverIdentity, signUp, userData } from "../../factories/identity-events.js";
import { deliver, paymentEvent, refundEvent } from "../../factories/payment-events.js";
import { openPurchase, paymentId } from "../../factories/purchases.js";
import { buy } from "../../factories/sales.js";
import { paymentsOf } from "../../server/emulators.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";
import { eventLog } from "./event-log.js";

const server = await startTestServer({ own: "counts all events" });
const { db } = server.deps;
const [instance, admin] = [await server.another(), await server.signedIn("admin")];
const log = await eventLog(server, admin);

beforeEach(() => log.next());

const past = new Date(1);
const enrollmentOf = (learner: SignedIn) => db.Enrollment.findOne({ userId: learner.id }).orFail().lean();
const sweep = (on = server) => runJob(on, "end-expired-enrollments");
const grant = async (courseId: string, to: object): Promise<string> => {
  const { status, body } = await server.post("/api/admin/enrollments", { courseId, reason: "x", ...to }, admin.token);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.enrollment._id;
};

test("a sale and a refund are told once, although webhooks come twice on two instances", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 100, discount: 0 });
  const { code } = await buildCoupon(server, admin);
  const courseId = String(course._id);
  const wish = { courseId, coupon: code };
  const headers = { "idempotency-key": randomUUID() };
  const { purchaseId, orderId } = (await server.post("/api/user/purchase", wish, learner.token, headers)).body;
  expect(await log.told()).toEqual([]);
  const paid = await paymentsOf(server).pay(orderId);
  const body = paymentEvent("payment.captured", {
    ...{ id: paid.razorpay_payment_id, orderId, purchaseId },
    amount: 5_000,
  });
  const verify = () => server.post("/api/user/verify-razorpay", { purchaseId, ...paid }, learner.token);
  await Promise.all([deliver(server, body), deliver(instance, body), verify(), verify(), deliver(server, body)]);
  await paymentsOf(server).settled();
  const userId = learner.id;
  const enrollmentId = String((await enrollmentOf(learner))._id);
  expect(await log.told()).toEqual([
    [
      "purchase.completed",
      { purchaseId, userId, courseId, pathId: null, amount: 50, currency: "INR", couponCode: code },
    ],
    ["enrollment.activated", { enrollmentId, userId, courseId, kind: "purchase" }],
  ]);
  const refund = refundEvent({ id: `rfnd_${randomUUID()}`, paymentId: paid.razorpay_payment_id, amount: 5_000 });
  await Promise.all([deliver(server, refund), deliver(instance, refund)]);
  await deliver(server, refund);
  expect(await log.told()).toEqual([
    ["purchase.refunded", { purchaseId, userId, courseId, pathId: null, refundedAmount: 50, currency: "INR" }],
    ["enrollment.ended", { enrollmentId, userId, courseId, kind: "purchase", reason: "refund" }],
  ]);
});

test("a free purchase has the amount 0; a purchase while enrolled activates nothing", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 100, discount: 100 });
  const courseId = String(course._id);
  const buyFree = (on = server) => on.post("/api/user/purchase", { courseId }, learner.token);
  const answers = await Promise.all([buyFree(), buyFree(instance), buyFree()]);
  const purchaseId = answers.find(({ status }) => status === 200)?.body.purchaseId;
  const enrollmentId = String((await enrollmentOf(learner))._id);
  const pair = { userId: learner.id, courseId };
  expect(await log.told()).toEqual([
    ["purchase.completed", { purchaseId, ...pair, pathId: null, amount: 0, currency: "INR", couponCode: null }],
    ["enrollment.activated", { enrollmentId, ...pair, kind: "free" }],
  ]);
  const granted = await buildCourse(server);
  const enrolled = { courseId: String(granted._id), userId: learner.id };
  const grantId = await grant(enrolled.courseId, { userId: learner.id });
  const opened = await openPurchase(server, learner, granted);
  const payment = { ...opened, id: paymentId(), currency: "INR" };
  await deliver(server, paymentEvent("payment.captured", payment));
  expect(await log.told()).toMatchObject([
    ["enrollment.activated", { enrollmentId: grantId, ...enrolled, kind: "grant" }],
    ["purchase.completed", enrolled],
  ]);
  // The purchase gives access still.
  await server.delete(`/api/admin/enrollments/${grantId}`, admin.token);
  expect(await log.told()).toEqual([]);
});

test("a grant is told when it is active: at once, or with the sign-up; taking it back ends the enrollment", async () => {
  const course = await buildCourse(server);
  const courseId = String(course._id);
  const email = `${randomUUID()}@mail.example`;
  const waiting = await grant(courseId, { email });
  await server.delete(`/api/admin/enrollments/${waiting}`, admin.token);
  const enrollmentId = await grant(courseId, { email });
  expect(await log.told()).toEqual([]);
  const { id: userId } = await signUp(server, email);
  const access = { enrollmentId, userId, courseId, kind: "grant" };
  expect(await log.told()).toEqual([
    ["user.created", { userId }],
    ["enrollment.activated", access],
  ]);
  const revoke = (on = server) => on.delete(`/api/admin/enrollments/${enrollmentId}`, admin.token);
  await Promise.all([revoke(), revoke(instance), revoke()]);
  expect(await log.told()).toEqual([["enrollment.ended", { ...access, reason: "revoked" }]]);
});

test("access whose time is over ends once, at the latest when it begins again", async () => {
  const [swept, renewed] = [await server.signedIn(), await server.signedIn()];
  const courseId = String((await buildCourse(server))._id);
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const give = ({ id: userId }: SignedIn) => grant(courseId, { userId, expiresAt });
  const [first, before] = [await give(swept), await give(renewed)];
  await db.Enrollment.updateMany({ courseId }, { expiresAt: past });
  await db.Grant.updateMany({ courseId }, { expiresAt: past });
  const after = await give(renewed);
  await Promise.all([sweep(), sweep(instance)]);
  await sweep();
  const [a, b] = [swept, renewed].map(({ id: userId }) => ({ userId, courseId, kind: "grant" }));
  expect(await log.told()).toEqual([
    ["enrollment.activated", { enrollmentId: first, ...a }],
    ["enrollment.activated", { enrollmentId: before, ...b }],
    ["enrollment.ended", { enrollmentId: before, ...b, reason: "expired" }],
    ["enrollment.activated", { enrollmentId: after, ...b }],
    ["enrollment.ended", { enrollmentId: first, ...a, reason: "expired" }],
  ]);
});

test.each<[string, (learner: SignedIn, courseId: string) => Promise<unknown>]>([
  ["a purchase", (learner, courseId) => buy(server, learner, courseId)],
  [
    "an import",
    async ({ id }, courseId) => {
      const { verifiedEmail } = await db.User.findById(id).orFail().lean();
      const body = csvForm(`email,courseId,expiresAt\n${verifiedEmail},${courseId},`);
      await server.call("POST", "/api/admin/enrollments/import", { body, token: admin.token });
      await runJob(server, "import-enrollments");
    },
  ],
  [
    "a waiting grant",
    async ({ id }, courseId) => {
      const email = `${randomUUID()}@mail.example`;
      await grant(courseId, { email });
      await deliverIdentity(server, userData(id, email), "user.updated");
    },
  ],
])("access by a purchase whose time is over ends before %s gives it again", async (_name, renew) => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { accessDays: 1 });
  const courseId = String(course._id);
  await buy(server, learner, courseId);
  const enrollmentId = String((await enrollmentOf(learner))._id);
  await db.Enrollment.updateOne({ userId: learner.id }, { expiresAt: past, boughtUntil: past });
  await log.next();
  await renew(learner, courseId);
  await sweep();
  const told = await log.told();
  expect(told.filter(([type]) => type.startsWith("enrollment."))).toMatchObject([
    ["enrollment.ended", { enrollmentId, userId: learner.id, courseId, kind: "purchase", reason: "expired" }],
    ["enrollment.activated", { userId: learner.id, courseId }],
  ]);
});

test("an import tells each enrollment and its end once, although two instances work through it", async () => {
  const courseId = String((await buildCourse(server))._id);
  const addresses = Array.from({ length: 3 }, () => `${randomUUID()}@mail.example`);
  const learners = await Promise.all(addresses.map((address) => signUp(server, address)));
  await log.next();
  const rows = [...addresses, "w@x.example"].map((address) => `${address},${courseId},`);
  const table = csvForm(["email,courseId,expiresAt", ...rows, "x,y,"].join("\n"));
  const { body } = await server.call("POST", "/api/admin/enrollments/import", { body: table, token: admin.token });
  await Promise.all([runJob(server, "import-enrollments"), runJob(instance, "import-enrollments")]);
  const told = await log.told();
  const ids = told.flatMap(([type, { userId }]) => (type === "enrollment.activated" ? [userId] : []));
  expect(ids.toSorted()).toEqual(learners.map(({ id }) => id).toSorted());
  const counts = { granted: 3, waiting: 1, skipped: 0, failed: 1 };
  expect(told.slice(3)).toEqual([["import.finished", { importId: body.importId, courseId: null, ...counts }]]);
});
