import { setTimeout as sleep } from "node:timers/promises";
import { addCourses } from "./freezing.js";
import type { BenchUser, Target } from "./target.js";

export interface Sale {
  readonly learner: BenchUser;
  readonly courseId: string;
  readonly purchaseId: string;
  readonly orderId: string;
  readonly paymentId: string;
}

/** A learner opens a purchase; by default it is paid at the emulator, whose webhook is delivered. */
export async function sell(target: Target, { paid = true, course = {} } = {}): Promise<Sale> {
  const learner = await target.user();
  const [_id] = await addCourses(target, [course]);
  const courseId = String(_id);
  const opened = await target.call("POST", "/api/user/purchase", { token: learner.token, body: { courseId } });
  const { purchaseId, orderId } = opened.body;
  const paymentId = paid ? await pay(target, orderId, purchaseId) : "";
  return { learner, courseId, purchaseId, orderId, paymentId };
}

export async function pay(target: Target, orderId: string, purchaseId: string, more: object = {}): Promise<string> {
  const result = await target.dev("razorpay", `orders/${orderId}/pay`, { webhook: false, ...more });
  const { orders = [], payments = [] } = await target.dev("razorpay", "records");
  const order = orders.find(({ id }: { id: string }) => id === orderId);
  const id: string = result.razorpay_payment_id ?? payments.findLast((one: any) => one.orderId === orderId)?.id;
  const notes = { purchaseId };
  const entity = { id, order_id: orderId, amount: order?.amount, currency: order?.currency, notes };
  const captured = (more as { outcome?: string }).outcome !== "failed";
  const event = captured ? "payment.captured" : "payment.failed";
  await target.deliver({ event, payload: { payment: { entity } } });
  return id;
}

export const refundMessage = (event: string, entity: object) => ({ event, payload: { refund: { entity } } });
export const refundsAt = async (target: Target, paymentId: string): Promise<any[]> =>
  (await target.dev("razorpay", "records")).refunds.filter((one: any) => one.paymentId === paymentId);
export const stateOf = async (target: Target, { purchaseId }: Sale) => {
  const { status, reviewReason } = await target.db.Purchase.findById(purchaseId).orFail().lean();
  return [status, reviewReason];
};
export const enrolled = async (target: Target, { learner, courseId }: Sale): Promise<boolean> =>
  (await target.call("GET", "/api/user/data", { token: learner.token })).body.user.enrolledCourses.includes(courseId);

/** Waits for a job, 40 s at most. */
export async function until(done: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 400 && !(await done()); n += 1) await sleep(100);
}
