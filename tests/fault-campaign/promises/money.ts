import { type Purchase, soldId } from "../../../src/models/payments/purchase.js";
import { type Evidence, type Promised, promise } from "./promise.js";

const minor = (amount: number): number => Math.round(amount * 100);
/** True when the payment completed the purchase, even if another payment has replaced it since. */
const completedBy = (purchase: Purchase | undefined, paymentId: string | undefined): boolean =>
  purchase !== undefined &&
  paymentId !== undefined &&
  isPaid(purchase) &&
  [purchase.providerPaymentId, ...(purchase.formerPaymentIds ?? [])].includes(paymentId);
const isPaid = ({ status }: Purchase): boolean => status === "completed" || status === "refunded";

async function read({ system }: Evidence) {
  const purchases = await system.db.Purchase.find().lean<Purchase[]>();
  return {
    purchases,
    byId: new Map(purchases.map((row) => [String(row._id), row])),
    ...system.emulators.payments.records(),
  };
}

export const ofMoney: readonly Promised[] = [
  promise("a captured payment has completed one purchase, is flagged, or was paid back", async (evidence, expect) => {
    const { byId, orders, payments } = await read(evidence);
    const unknown = await evidence.system.db.PaymentEvent.find({ state: "review" }, { paymentId: 1 }).lean();
    // A payment that was paid back before its capture was reported needs no review.
    const known = await evidence.system.db.Payment.find({ refundedMinor: { $gt: 0 } }).lean();
    const paidBack = known.filter(({ refundedMinor, amountMinor }) => refundedMinor >= (amountMinor ?? 0));
    const accounted = new Set([...unknown.map(({ paymentId }) => paymentId), ...paidBack.map(({ _id }) => _id)]);
    const receipts = new Map(orders.map(({ id, receipt }) => [id, receipt]));
    for (const { id, orderId, status } of payments) {
      if (status === "failed") continue;
      const purchase = byId.get(receipts.get(orderId) ?? "");
      const completed = completedBy(purchase, id);
      const flagged = accounted.has(id) || purchase?.reviews?.some(({ subject }) => subject === id);
      expect(completed || flagged === true, () => `payment ${id} of purchase ${purchase?._id} (${purchase?.status})`);
    }
  }),
  promise("a completed purchase has its captured payment, of its amount", async (evidence, expect) => {
    const { purchases, payments } = await read(evidence);
    const found = new Map(payments.map((payment) => [payment.id, payment]));
    for (const purchase of purchases) {
      if (!isPaid(purchase) || purchase.amount === 0) continue;
      const payment = found.get(purchase.providerPaymentId ?? "");
      const right = payment && payment.status !== "failed" && payment.amount === minor(purchase.amount);
      expect(right === true, () => `purchase ${purchase._id} names payment ${purchase.providerPaymentId}`);
    }
  }),
  promise("refunds are those of the provider, each once", async (evidence, expect) => {
    const { purchases, payments, refunds: paidBack } = await read(evidence);
    const byPayment = new Map(purchases.map((row) => [row.providerPaymentId, row]));
    for (const { id, amount, amountRefunded } of payments) {
      const own = paidBack.filter(({ paymentId, status }) => paymentId === id && status === "processed");
      if (own.length === 0) continue;
      const known = await evidence.system.db.Payment.findById(id).lean();
      expect(
        known?.refundedMinor === amountRefunded,
        () => `payment ${id}: ${known?.refundedMinor} of ${amountRefunded} known`,
      );
      expect(own.length === 1 && amountRefunded <= amount, () => `payment ${id} was paid back ${own.length} times`);
      const isFormer = purchases.some(({ formerPaymentIds = [] }) => formerPaymentIds.includes(id));
      expect(!isFormer || amountRefunded === amount, () => `payment ${id} was replaced and not paid back`);
      const purchase = byPayment.get(id);
      if (!purchase) continue;
      const expected = amountRefunded === amount ? "refunded" : "completed";
      expect(
        purchase.status === expected,
        () => `purchase ${purchase._id} is ${purchase.status}, ${expected} at the provider`,
      );
    }
    for (const purchase of purchases.filter(({ status, amount }) => status === "refunded" && amount > 0)) {
      const payment = payments.find(({ id }) => id === purchase.providerPaymentId);
      expect(payment?.status === "refunded", () => `purchase ${purchase._id} is refunded, its payment is not`);
    }
    for (const { purchaseId, paymentId } of evidence.journal.refunds) {
      const payment = payments.find(({ id }) => id === paymentId);
      const attempts = purchases.find(({ _id }) => String(_id) === purchaseId)?.refunds;
      expect(
        payment?.status === "refunded",
        () =>
          `the refund of ${paymentId} of purchase ${purchaseId} was accepted, not paid: ${JSON.stringify(attempts)}`,
      );
    }
  }),
  promise("a purchase that was acknowledged is still there", async (evidence, expect) => {
    const { byId } = await read(evidence);
    for (const { purchaseId, paymentId } of evidence.journal.bought) {
      const purchase = byId.get(purchaseId);
      const kept = completedBy(purchase, paymentId);
      expect(kept === true, () => `purchase ${purchaseId}, verified with ${paymentId}, is ${purchase?.status}`);
    }
    for (const { purchaseId } of evidence.journal.free) {
      expect(byId.get(purchaseId)?.status === "completed", () => `free purchase ${purchaseId}`);
    }
  }),
  promise("a webhook that was answered with 200 is stored", async ({ system, journal }, expect) => {
    const stored = new Set(
      (await system.db.PaymentEvent.find({}, { eventKey: 1 }).lean()).map(({ eventKey }) => eventKey),
    );
    for (const key of journal.webhooks) expect(stored.has(key), () => `webhook ${key}`);
  }),
  promise("nothing of money is stuck", async (evidence, expect) => {
    const { purchases } = await read(evidence);
    const pending = await evidence.system.db.PaymentEvent.find({ state: "pending" }, { event: 1, attempts: 1 }).lean();
    expect(pending.length === 0, () => `${pending.length} payment events are not applied`);
    const unfinished = new Set<string>();
    for (const purchase of purchases) {
      const { _id, userId, status, refunds: attempts = [], slot } = purchase;
      const key = `${userId} ${soldId(purchase)}`;
      const asked = attempts.filter(({ state }) => state === "requested");
      expect(asked.length === 0, () => `a refund of purchase ${_id} was requested and not placed`);
      if (status !== "created" && status !== "pending") continue;
      expect(!unfinished.has(key) && slot !== undefined, () => `purchase ${_id} is a second unfinished one`);
      unfinished.add(key);
    }
  }),
  promise("no order is open of a course that was bought", async (evidence, expect) => {
    const { purchases, payments } = await read(evidence);
    // A request that died before its order leaves a purchase in `created`. Nobody can pay it, and it expires after a day.
    // After a failed payment, or at another price, a second purchase may be opened. A late capture completes the first.
    const failed = new Set(payments.filter(({ status }) => status === "failed").map(({ orderId }) => orderId));
    for (const open of purchases.filter(({ status }) => status === "pending")) {
      const bought = purchases.find(
        (other) =>
          other.status === "completed" &&
          other.userId === open.userId &&
          soldId(other).equals(soldId(open)) &&
          other.coupon?.code === open.coupon?.code &&
          !failed.has(other.providerOrderId ?? ""),
      );
      expect(!bought, () => `purchase ${open._id} is open, ${bought?._id} is completed`);
    }
  }),
  promise("coupons stay within their limits", async (evidence, expect) => {
    const { purchases } = await read(evidence);
    const coupons = await evidence.system.db.Coupon.find().lean();
    for (const { _id, code, maxRedemptions, maxPerUser } of coupons) {
      // A purchase that lost its redemption does not count, because another purchase has it.
      const own = purchases.filter(({ coupon, couponUse }) => coupon?.couponId.equals(_id) && couponUse !== undefined);
      const most = maxRedemptions ?? Number.POSITIVE_INFINITY;
      expect(own.length <= most, () => `${code} was used ${own.length} times, ${most} at most`);
      for (const userId of new Set(own.map((purchase) => purchase.userId))) {
        const uses = own.filter((purchase) => purchase.userId === userId);
        expect(uses.length <= maxPerUser, () => `${userId} used ${code} ${uses.length} times`);
      }
    }
    const known = new Set((await evidence.system.db.Coupon.find({}, { _id: 1 }).lean()).map(({ _id }) => String(_id)));
    for (const { id } of evidence.journal.coupons) expect(known.has(id), () => `coupon ${id} is gone`);
  }),
];
