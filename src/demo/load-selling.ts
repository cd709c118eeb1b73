import type { Deps } from "../deps.js";
import { ApiError, type Failure } from "../lib/errors.js";
import type { Purchase } from "../models/payments/purchase.js";
import { CouponCodeTaken, createCoupon } from "../services/coupons/manage-coupons.js";
import { AlreadyEnrolled, grantEnrollment } from "../services/grants/grant-enrollment.js";
import { giveNumbers } from "../services/invoices/number-invoices.js";
import { demoId } from "./demo-id.js";

const manager = { userId: "user_demo_admin", role: "admin", requestId: "demo" } as const;

/** Loads a coupon, a grant for an unregistered e-mail address, and the invoices of the demo purchases. */
export async function loadSelling({ db, config }: Deps): Promise<void> {
  const { currency } = config;
  const coupon = { code: "WELCOME10", kind: "percent", value: 10, maxPerUser: 1 } as const;
  await ignoreFailure(CouponCodeTaken, () => createCoupon({ db, currency }, coupon, manager));
  const courseId = String(demoId("course", "sql"));
  const grant = { email: "newcomer@example.com", courseId, reason: "Guest of the demo" };
  await ignoreFailure(AlreadyEnrolled, () => grantEnrollment(db, grant, manager));
  while ((await giveNumbers({ db, settings: config.invoices }, new Date())) > 0);
}

/** Stores the payment with the refund that the demo's credit note refers to. */
export async function loadRefund({ db }: Deps, purchase: Purchase): Promise<void> {
  const { _id, providerPaymentId, refundedMinor } = purchase;
  if (!providerPaymentId) return;
  const refunds = [{ refundId: `rfnd_demo${String(_id).slice(0, 10)}`, amountMinor: refundedMinor }];
  const paid = { purchaseId: _id, amountMinor: refundedMinor, captured: true, refunds, refundedMinor, revision: 1 };
  const payment = { $setOnInsert: { ...paid, updatedAt: purchase.updatedAt } };
  await db.Payment.updateOne({ _id: providerPaymentId }, payment, { upsert: true, timestamps: false });
}

/** Runs `work` and ignores the failure that means that its result exists already. */
async function ignoreFailure(expected: Failure, work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.id !== expected.id) throw error;
  });
}
