import type { Deps } from "../../src/deps.js";
import { ApiError, type Failure } from "../../src/lib/errors.js";
import type { Purchase } from "../../src/models/payments/purchase.js";
import { CouponCodeTaken, createCoupon } from "../../src/services/coupons/manage-coupons.js";
import { AlreadyEnrolled, grantEnrollment } from "../../src/services/grants/grant-enrollment.js";
import { giveNumbers } from "../../src/services/invoices/number-invoices.js";
import { createPath } from "../../src/services/paths/create-path.js";
import { toMinor } from "../../src/services/payments/price.js";
import { demoId } from "./demo-id.js";
import { postToEmulator } from "./post-to-emulator.js";

const manager = { userId: "user_demo_admin", role: "admin", requestId: "demo" } as const;

const path = {
  title: "From TypeScript to production",
  subtitle: "Write a service, and run it.",
  description: "Three courses **in order**: the language, the service, and the cluster that it runs on.",
  inOrder: true,
  price: 2499,
  isPublished: true,
};
const coursesOfPath = ["typescript", "node-services", "kubernetes"];

/** Loads a path, a coupon, a grant for an unregistered e-mail address, and the invoices of the demo purchases. */
export async function loadSelling({ db, config }: Deps): Promise<void> {
  const courseIds = coursesOfPath.map((key) => String(demoId("course", key)));
  await createPath({ db, config }, "user_demo_meera", { ...path, courseIds }, demoId("path", "production"));
  const { currency } = config;
  const coupon = { code: "WELCOME10", kind: "percent", value: 10, maxPerUser: 1 } as const;
  await ignoreFailure(CouponCodeTaken, () => createCoupon({ db, currency }, coupon, manager));
  const courseId = String(demoId("course", "sql"));
  const grant = { email: "newcomer@example.com", item: { courseId }, reason: "Guest of the demo" };
  await ignoreFailure(AlreadyEnrolled, () => grantEnrollment(db, grant, manager));
  while ((await giveNumbers({ db, settings: config.invoices }, new Date())) > 0);
}

/**
 * Stores the payment of a demo sale, and adds the sale to the books of the payments emulator, so that it can be refunded
 * and disputed there.
 */
export async function loadPayment({ db, config }: Deps, purchase: Purchase): Promise<void> {
  const { _id, providerOrderId, providerPaymentId, currency, createdAt, refundedMinor } = purchase;
  if (!providerOrderId || !providerPaymentId) return;
  const amount = toMinor(purchase.amount, currency);
  const refundId = `rfnd_demo${String(_id).slice(0, 10)}`;
  const isRefunded = purchase.status === "refunded";
  const refunds = isRefunded ? [{ refundId, amountMinor: refundedMinor }] : [];
  const paidAt = Math.floor(createdAt.getTime() / 1000);
  const paid = { purchaseId: _id, amountMinor: amount, currency, captured: true, refunds, refundedMinor };
  // A report of the provider means any moment of its second.
  const proven = { verdict: "accepted", madeAt: new Date((paidAt + 1) * 1000), provenAt: createdAt } as const;
  const payment = { $setOnInsert: { ...paid, ...proven, updatedAt: purchase.updatedAt } };
  await db.Payment.updateOne({ _id: providerPaymentId }, payment, { upsert: true, timestamps: false });

  const notes = { purchaseId: String(_id), courseTitle: purchase.terms.courseTitle };
  const common = { currency, createdAt: paidAt };
  const order = { id: providerOrderId, amount, amountPaid: amount, receipt: String(_id), attempts: 1, notes };
  const money = { id: providerPaymentId, orderId: providerOrderId, amount, amountRefunded: refundedMinor, notes };
  const refund = { id: refundId, paymentId: providerPaymentId, amount: refundedMinor, notes: {} };
  await postToEmulator(config.payments.apiUrl, "/dev/records", {
    orders: [{ ...order, ...common, status: "paid" }],
    payments: [{ ...money, ...common, status: isRefunded ? "refunded" : "captured" }],
    refunds: isRefunded ? [{ ...refund, ...common, receipt: null, idempotencyKey: null }] : [],
  });
}

/** Runs `work` and ignores the failure that means that its result exists already. */
async function ignoreFailure(expected: Failure, work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.id !== expected.id) throw error;
  });
}
