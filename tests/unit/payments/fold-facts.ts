import { Types } from "mongoose";
import type { Payment, Verdict } from "../../../src/models/payments/payment.js";
import {
  couponUseOf,
  type FailureCause,
  type Purchase,
  type RefundAttempt,
  type ReviewReason,
} from "../../../src/models/payments/purchase.js";
import { changeTo } from "../../../src/services/payments/change-purchase.js";
import * as facts from "../../../src/services/payments/facts.js";
import { isPaidBack, type Position, paidMinor, positionOf } from "../../../src/services/payments/position.js";
import { isSecondSale } from "../../../src/services/payments/record-sale.js";
import type { Facts } from "../../../src/services/payments/settle-purchase.js";

/** Minor units that the purchase of `openedPurchase` costs. */
export const price = 10_000;
export const hourMs = 60 * 60_000;

/** A purchase with an order, opened an hour ago. The provider is asked about it in two minutes. */
export const openedPurchase = (fields: Partial<Purchase> = {}): Purchase => ({
  _id: new Types.ObjectId(),
  userId: "user_1",
  courseId: new Types.ObjectId(),
  amount: price / 100,
  currency: "INR",
  price: { listMinor: price, courseDiscountMinor: 0, couponDiscountMinor: 0, totalMinor: price },
  status: "pending",
  terms: { courseTitle: "Course", coursePrice: price / 100, discount: 0, accessDays: null },
  buyer: { name: "Asha", email: "asha@example.com" },
  slot: "unfinished",
  providerOrderId: "order_1",
  completedAt: null,
  refundedAt: null,
  refundedMinor: 0,
  reviewReason: null,
  nextCheckAt: new Date(Date.now() + 120_000),
  checks: 0,
  createdAt: new Date(Date.now() - hourMs),
  updatedAt: new Date(),
  ...fields,
});

/** Fields of a purchase that holds a redemption of a coupon. */
export const withCoupon: Partial<Purchase> = {
  coupon: { couponId: new Types.ObjectId(), code: "SPRING", kind: "percent", value: 10 },
  couponUse: couponUseOf("user_1", "SPRING"),
};

export interface Fact {
  /** How a counterexample shows the fact. */
  readonly name: string;
  /** The payment that the fact proves. */
  readonly proves?: string;
  readonly record: (known: Facts) => Facts;
}

const ofPurchase = (name: string, record: (purchase: Purchase) => Purchase): Fact => ({
  name,
  record: ({ purchase, payments }) => ({ purchase: record(purchase), payments }),
});

/** A payment that no proof has named yet belongs to no purchase. */
const ofPayment = (name: string, id: string, record: (payment: Payment, purchase: Purchase) => Payment): Fact => ({
  name: `${name} of ${id}`,
  record: ({ purchase, payments }) => {
    const known = payments.find(({ _id }) => _id === id) ?? facts.unreported(id);
    return { purchase, payments: [...payments.filter((one) => one !== known), record(known, purchase)] };
  },
});

interface Told {
  /** Hours since the purchase was opened when it was made; undefined when the report leaves it out. */
  readonly at?: number;
  /** Minor units; undefined when the report leaves them out. */
  readonly amount?: number | undefined;
  readonly currency?: string;
  readonly verdict?: Verdict;
}

/** The first capture is judged, but for a payment that went back already. */
const isJudged = (payment: Payment, purchase: Purchase): boolean =>
  payment.captured || (payment.verdict === "accepted" && isPaidBack(purchase, payment));

export function captured(id: string, { at, amount = price, currency = "INR", verdict = "accepted" }: Told = {}): Fact {
  const paidAt = at === undefined ? undefined : new Date(at * hourMs);
  const report = { paymentId: id, amount, currency, paidAt, proof: "capture", eventKey: id } as const;
  const capture = ofPayment("capture", id, (payment, purchase) =>
    facts.withProof(payment, report, {
      purchaseId: purchase._id,
      verdict: isJudged(payment, purchase) ? payment.verdict : verdict,
    }),
  );
  return { ...capture, proves: id };
}

export function signed(id: string, { verdict = "accepted" }: Pick<Told, "verdict"> = {}): Fact {
  const report = { paymentId: id, proof: "signature", eventKey: null } as const;
  const signature = ofPayment("signature", id, (payment, { _id }) =>
    facts.withProof(payment, report, { purchaseId: _id, verdict: payment.verdict ?? verdict }),
  );
  return { ...signature, proves: id };
}

export const missing = (id: string): Fact => ofPayment("missing capture", id, facts.withoutCapture);

export const refunded = (id: string, amountMinor = price, refundId = `${id} refund of ${amountMinor}`): Fact =>
  ofPayment(refundId, id, (payment) => facts.withRefund(payment, { refundId, amountMinor }));

export const refundFailed = (id: string, refundId = `${id} failed refund`): Fact =>
  ofPayment(`failure of ${refundId}`, id, (payment) => facts.withFailedRefund(payment, refundId));

/** A phase of a dispute, which names the purchase. A lost dispute pays back all that is known of the payment. */
export const disputed = (id: string, phase: "created" | "won" | "lost"): Fact =>
  ofPayment(`dispute ${phase}`, id, (payment, purchase) => {
    const told = { subject: `${id} dispute payment.dispute.${phase}`, eventKey: phase };
    const owned = { ...facts.withDispute(payment, told), purchaseId: payment.purchaseId ?? purchase._id };
    const all = { refundId: `${id} dispute`, amountMinor: paidMinor(purchase, payment) };
    return phase === "lost" ? facts.withRefund(owned, all) : owned;
  });

export const closed = (because: FailureCause): Fact =>
  ofPurchase(`closing: ${because}`, (purchase) => facts.closed(purchase, because));
export const erased: Fact = ofPurchase("erasure", facts.erased);
export const couponTaken: Fact = ofPurchase("coupon taken back", facts.withoutCoupon);
export const orderMade: Fact = ofPurchase("order", (purchase) => ({ ...purchase, providerOrderId: "order_1" }));
export const numbered: Fact = ofPurchase("invoice number", ({ invoiceDueAt, ...purchase }) => ({
  ...purchase,
  invoiceNumber: "INV-1",
}));

export const noted = (reason: ReviewReason): Fact =>
  ofPurchase(`note on ${reason}`, (purchase) => facts.noted(purchase, reason, { note: "seen", by: "admin" }));

/** An operator's request to pay a payment back. */
export const refundRequested = (id: string): Fact =>
  ofPurchase(`refund request of ${id}`, (purchase) => {
    const { refunds = [] } = purchase;
    if (refunds.some(({ paymentId }) => paymentId === id)) return purchase;
    const by = { reason: "asked", requestedBy: "admin", requestedAt: new Date() };
    const fresh = { reference: `${id} request`, paymentId: id, amountMinor: null, refundId: null, ...by };
    return { ...purchase, refunds: [...refunds, { ...fresh, state: "requested" } satisfies RefundAttempt] };
  });

/** The provider refuses a refund that an operator asked for. */
export const refundRefused = (id: string): Fact =>
  ofPurchase(`refused refund of ${id}`, (purchase) => {
    const asked = refundRequested(id).record({ purchase, payments: [] }).purchase;
    const refused = facts.withAttempt(asked, { reference: `${id} request` }, { state: "refused" });
    return facts.flagged(refused, { reason: "refund_failed", subject: `${id} request`, eventKey: null });
  });

const earlier = (at: Date): Date => new Date(at.getTime() - 25 * hourMs);
export const aDayPasses: Fact = ofPurchase("a day passes", ({ createdAt, completedAt, ...purchase }) => ({
  ...purchase,
  createdAt: earlier(createdAt),
  completedAt: completedAt && earlier(completedAt),
}));

export interface Folded extends Facts {
  readonly position: Position;
}

/** Settles the facts of a purchase as settle-purchase.ts does. Its coupon can always be redeemed. */
export function settleFacts({ purchase, payments }: Facts): Folded {
  const now = new Date();
  const own = payments.filter(({ purchaseId }) => purchaseId?.equals(purchase._id));
  const position = positionOf(purchase, own, now);
  const invoices = { seller: { name: "", address: "", taxId: "" }, tax: null } as never;
  const held = { none: undefined, reserved: purchase.couponUse, redeemed: withCoupon.couponUse }[position.coupon];
  const change = changeTo(purchase, own, position, { now, eventKey: null, invoices });
  const fields = Object.entries({ ...purchase, ...change, couponUse: held });
  const next = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  return { purchase: next as Purchase, payments, position };
}

/** A fact about one of several purchases of a course, by its place. */
export type SaleFact = readonly [sale: number, fact: Fact];

/** Folds facts in their order into a learner's purchases of one course. */
export function foldSales(starts: readonly Purchase[], told: readonly SaleFact[]): Folded[] {
  const sales = starts.map((purchase) => settleFacts({ purchase, payments: [] }));
  for (const [place, fact] of told) {
    sales[place] = settleFacts(fact.record(sales[place] as Folded));
    const holdingMoney = sales.map(({ purchase }) => purchase).filter(({ status }) => status === "completed");
    for (const [i, { purchase, payments }] of sales.entries()) {
      const isSecond = purchase.status === "completed" && isSecondSale(purchase, holdingMoney);
      sales[i] = settleFacts({ purchase: facts.besideAnother(purchase, isSecond), payments });
    }
  }
  return sales;
}

/** Folds facts in their order into a purchase. @param isOwned whether an earlier purchase gives the learner the course. */
export function foldFacts(
  start: Purchase,
  told: readonly Fact[],
  {
    isOwned = false,
    onStep = () => undefined,
  }: { isOwned?: boolean; onStep?: (from: Purchase, to: Folded) => void } = {},
): Folded {
  const settled = (known: Facts): Folded => {
    const once = settleFacts(known);
    if (!isOwned || once.purchase.status !== "completed") return once;
    return settleFacts({ ...once, purchase: facts.besideAnother(once.purchase, true) });
  };
  let known = settled({ purchase: start, payments: [] });
  for (const fact of told) {
    const next = settled(fact.record(known));
    onStep(known.purchase, next);
    known = next;
  }
  return known;
}

/** What a fold came to, as tests compare it. */
export function endOf({ purchase, position }: Folded) {
  const { status, coupon, flags } = position;
  const names = (all: readonly { reason: string; subject: string }[]) =>
    all.map(({ reason, subject }) => `${reason}: ${subject}`).sort();
  const reviews = purchase.reviews ?? [];
  return {
    status,
    coupon,
    payment: position.payment?._id,
    refundedMinor: position.refundedMinor,
    creditedMinor: position.creditedMinor,
    inForce: names(flags),
    open: names(reviews.filter(({ state }) => state === "open")),
    noted: names(reviews.filter(({ by }) => by !== null)),
  };
}
