import type { Types } from "mongoose";
import type { SignedIn, TestServer } from "../server/test-server.js";

export interface Sale {
  readonly purchaseId: string;
  readonly paymentId: string;
}

/** Buys a course through the API, pays at the emulator, and waits for the webhook that completes the purchase. */
export async function buy(
  server: TestServer,
  learner: Pick<SignedIn, "token">,
  courseId: Types.ObjectId | string,
): Promise<Sale> {
  const opened = await server.post("/api/user/purchase", { courseId: String(courseId) }, learner.token);
  const { purchaseId, orderId } = opened.body;
  if (!orderId) return { purchaseId, paymentId: "" };
  const { razorpay: payments } = server.emulators;
  const paid = await payments?.pay(orderId);
  await payments?.settled();
  return { purchaseId, paymentId: paid?.razorpay_payment_id ?? "" };
}

/** Refunds a sale completely at the provider and waits for its webhook. */
export async function refund(server: TestServer, { paymentId }: Sale): Promise<void> {
  const { razorpay: payments } = server.emulators;
  await payments?.refund(paymentId);
  await payments?.settled();
}
