import { createHash, randomBytes } from "node:crypto";
import type { PaymentsEmulator } from "@lyceum/provider-emulators";
import { expect } from "vitest";
import type { Course } from "../../src/models/course.js";
import { buildCourse } from "./courses.js";
import type { Answer, SignedIn, TestServer } from "./server.js";

/** The payment emulator, which every test server has. */
export function paymentsOf(server: Pick<TestServer, "sandbox">): PaymentsEmulator {
  if (!server.sandbox.payments) throw new Error("payments are not played by the sandbox");
  return server.sandbox.payments;
}

export interface OpenedPurchase {
  readonly purchaseId: string;
  readonly orderId: string;
  /** Minor units. */
  readonly amount: number;
}

/** Opens a learner's purchase of a course through the API. */
export async function openPurchase(
  server: TestServer,
  learner: SignedIn,
  course: Pick<Course, "_id">,
): Promise<OpenedPurchase> {
  const { status, body } = await server.post("/api/user/purchase", { courseId: String(course._id) }, learner.token);
  expect({ status, success: body.success }).toEqual({ status: 200, success: true });
  return { purchaseId: body.purchaseId, orderId: body.orderId, amount: Math.round((body.amount ?? 0) * 100) };
}

/** A learner who has opened the purchase of a new course and has not paid yet. */
export async function unpaidPurchase(server: TestServer, price: { coursePrice?: number; discount?: number } = {}) {
  const learner = await server.signedIn();
  const course = await buildCourse(server, price);
  return { learner, course, ...(await openPurchase(server, learner, course)) };
}

export const paymentId = (): string => `pay_${randomBytes(7).toString("hex")}`;

type Given = Partial<{ id: string; amount: number; currency: string; orderId: string; purchaseId: unknown }>;

/** An event about a payment, with the fields that are given. */
export function paymentEvent(event: string, { id, amount, currency, orderId, purchaseId }: Given): string {
  const entity = { id, amount, currency, order_id: orderId, notes: { purchaseId } };
  return JSON.stringify({ event, payload: { payment: { entity } } });
}

export function refundEvent(refund: { id: string; paymentId: string; amount: number; event?: string }): string {
  const entity = { id: refund.id, payment_id: refund.paymentId, amount: refund.amount };
  return JSON.stringify({ event: refund.event ?? "refund.processed", payload: { refund: { entity } } });
}

/** A message about a dispute of a payment, in one of its phases. */
export function disputeEvent(phase: string, dispute: { id: string; paymentId: string; amount: number }): string {
  const entity = { id: dispute.id, payment_id: dispute.paymentId, amount: dispute.amount };
  const payment = { entity: { id: dispute.paymentId, amount: dispute.amount } };
  return JSON.stringify({ event: `payment.dispute.${phase}`, payload: { payment, dispute: { entity } } });
}

/** Posts a message as the payment provider does, signed over its exact bytes. */
export function deliver(
  server: TestServer,
  body: string | Buffer,
  headers: Record<string, string> = { "content-type": "application/json" },
): Promise<Answer> {
  return server.call("POST", "/razorpay", { body, headers: { ...headers, ...paymentsOf(server).signWebhook(body) } });
}

/** The stored payment event of a body. */
export function ledgerRow(server: TestServer, body: string | Buffer) {
  const eventKey = createHash("sha256").update(body).digest("hex");
  return server.deps.db.PaymentEvent.findOne({ eventKey }, { body: 0 }).lean();
}

export async function purchaseOf(server: TestServer, purchaseId: string) {
  const purchase = await server.deps.db.Purchase.findById(purchaseId).lean();
  if (!purchase) throw new Error(`no purchase ${purchaseId}`);
  return purchase;
}

export const activeCourses = async (server: TestServer, learner: SignedIn): Promise<string[]> =>
  (await server.get("/api/user/data", learner.token)).body.user.enrolledCourses;

/** Compares every derived figure with a recount of the purchases and enrollments it is derived from. */
export async function expectRecount(server: TestServer): Promise<void> {
  const { Purchase, Enrollment, Course: Courses, CourseDay } = server.deps.db;
  const [purchases, enrollments, courses, days] = await Promise.all([
    Purchase.find().lean(),
    Enrollment.find().lean(),
    Courses.find().lean(),
    CourseDay.find().lean(),
  ]);
  const completed = purchases.filter(({ status }) => status === "completed");
  const pair = (row: { userId: string; courseId: unknown }) => `${row.userId} ${row.courseId}`;
  const money = (rows: typeof purchases) => rows.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  const active = enrollments.filter((enrollment) => enrollment.active);

  expect(new Set(active.map(pair))).toEqual(new Set(completed.map(pair)));
  for (const enrollment of enrollments) {
    const own = completed.filter((row) => pair(row) === pair(enrollment)).length;
    expect({ pair: pair(enrollment), purchases: enrollment.purchases }).toEqual({
      pair: pair(enrollment),
      purchases: own,
    });
  }
  for (const course of courses) {
    const own = completed.filter(({ courseId }) => courseId.equals(course._id));
    expect({
      students: course.totalEnrolledStudents,
      revenueMinor: course.revenueMinor,
      completedPurchases: course.completedPurchases,
    }).toEqual({
      students: active.filter(({ courseId }) => courseId.equals(course._id)).length,
      revenueMinor: money(own),
      completedPurchases: own.length,
    });
  }
  const dayOf = (row: (typeof purchases)[number]) =>
    `${row.courseId} ${row.completedAt?.toISOString().slice(0, 10) ?? ""}`;
  const sold = new Map(
    days.map(({ courseId, day, revenueMinor, sales }) => [`${courseId} ${day}`, { revenueMinor, sales }]),
  );
  for (const day of new Set([...sold.keys(), ...completed.map(dayOf)])) {
    const rows = completed.filter((row) => dayOf(row) === day);
    expect({ day, ...(sold.get(day) ?? { revenueMinor: 0, sales: 0 }) }).toEqual({
      day,
      revenueMinor: money(rows),
      sales: rows.length,
    });
  }
}
