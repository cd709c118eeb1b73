import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Course } from "../../src/models/courses/course.js";
import { paymentsOf } from "../server/emulators.js";
import type { SignedIn, TestServer } from "../server/test-server.js";
import { buildCourse } from "./courses.js";

export interface OpenedPurchase {
  readonly purchaseId: string;
  readonly orderId: string;
  /** Amount in minor units. */
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

/** Creates a learner with an opened, unpaid purchase of a new course. */
export async function unpaidPurchase(server: TestServer, price: { coursePrice?: number; discount?: number } = {}) {
  const learner = await server.signedIn();
  const course = await buildCourse(server, price);
  return { learner, course, ...(await openPurchase(server, learner, course)) };
}

/** Creates a learner with a paid purchase of a new course. */
export async function paidPurchase(server: TestServer) {
  const unpaid = await unpaidPurchase(server);
  const { razorpay_payment_id } = await paymentsOf(server).pay(unpaid.orderId);
  await paymentsOf(server).settled();
  return { ...unpaid, paymentId: razorpay_payment_id };
}

/** Lists the provider's refunds of a payment. */
export const refundsOf = (server: TestServer, payment: string) =>
  paymentsOf(server)
    .records()
    .refunds.filter(({ paymentId }) => paymentId === payment);

export const paymentId = (): string => `pay_${randomBytes(7).toString("hex")}`;

export async function purchaseOf(server: TestServer, purchaseId: string) {
  const purchase = await server.deps.db.Purchase.findById(purchaseId).lean();
  if (!purchase) throw new Error(`no purchase ${purchaseId}`);
  return purchase;
}

export const activeCourses = async (server: TestServer, learner: SignedIn): Promise<string[]> =>
  (await server.get("/api/user/data", learner.token)).body.user.enrolledCourses;

/** Builds what the checkout tells after a payment: the body of its verification. */
export function checkoutOf(
  server: TestServer,
  { orderId, purchaseId }: Omit<OpenedPurchase, "amount">,
  id = paymentId(),
) {
  const razorpay_signature = paymentsOf(server).signCheckout(orderId, id);
  return { razorpay_order_id: orderId, razorpay_payment_id: id, razorpay_signature, purchaseId };
}
