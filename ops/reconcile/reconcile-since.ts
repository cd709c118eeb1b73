import { setTimeout as pause } from "node:timers/promises";
import { Types } from "mongoose";
import { backoffMs } from "#server/lib/backoff.js";
import { chunk } from "#server/lib/chunk.js";
import { dayMs } from "#server/lib/days.js";
import { isObjectId } from "#server/lib/fields.js";
import { findPayment } from "#server/models/payments/payment.js";
import type { PaymentEvent } from "#server/models/payments/payment-event.js";
import { flaggedPurchases, type Purchase } from "#server/models/payments/purchase.js";
import { findPurchase } from "#server/models/payments/purchase-queries.js";
import { type Page, pageLength } from "#server/providers/razorpay.js";
import type { ListedOrder, ListedRefund, ProviderPayment } from "#server/providers/razorpay-replies.js";
import { captureFound } from "#server/services/payments/events/apply-payment-event.js";
import { storeUnknown } from "#server/services/payments/events/store-payment-event.js";
import { type CheckResult, isAway, workThrough } from "#server/services/payments/reconcile/reconcile-purchases.js";
import { outcomeOf, recordProof } from "#server/services/payments/record-proof.js";
import { recordRefund, reported } from "#server/services/payments/refunds/record-refund.js";
import { saleTransaction } from "#server/services/payments/sale-transaction.js";
import { isUnknownPaidBack, type ProviderDeps } from "#server/services/payments/settle-purchase.js";

/*
 * After the restore of a backup, the database does not know the money that moved since. The provider does: its lists of
 * orders, payments and refunds are read, and recorded as facts. Money of no known purchase comes to review. A repeat finds
 * the recorded facts and changes nothing.
 */

const atOnce = 4;
/** Bounds the reading of one day: 100,000 items. */
const mostPages = 1_000;
const mostTries = 4;

/** An event in review, or a flag of a purchase, with what the provider knows of the sale. */
export interface EventInReview
  extends Pick<
    PaymentEvent,
    "_id" | "event" | "paymentId" | "orderId" | "purchaseId" | "amountMinor" | "reviewReason"
  > {
  readonly currency: string | null;
  readonly courseTitle: string | null;
}

export interface SinceReport {
  orders: number;
  readonly payments: Record<string, number>;
  readonly refunds: Record<string, number>;
  /** All that needs an operator about these payments and refunds, also of earlier runs. */
  inReview: EventInReview[];
  /** Payments and refunds whose effect did not finish. */
  unfinished: number;
  /** From this time on the provider's lists were not read; null when they were read to the end. */
  unreadFrom: Date | null;
}

type Progress = (line: string) => void;

/** Currency and course title of each listed payment, by its id. */
type Sales = Map<string, Pick<EventInReview, "currency" | "courseTitle">>;

/** Accounts for every payment and refund that the provider has created since a time. It reads a day at a time. */
export async function reconcileSince(deps: ProviderDeps, since: Date, progress: Progress): Promise<SinceReport> {
  const report: SinceReport = { orders: 0, payments: {}, refunds: {}, inReview: [], unfinished: 0, unreadFrom: null };
  const sales: Sales = new Map();
  const end = Date.now();
  // Days overlap by one second. A repeat does no harm.
  for (let start = since.getTime(); start <= end; start += dayMs) {
    const range = { from: new Date(start), to: new Date(Math.min(start + dayMs, end)) };
    try {
      await reconcileDay(deps, range, { report, sales, progress });
    } catch (error) {
      progress(`${range.from.toISOString()}: ${String(error)}`);
      report.unreadFrom = range.from;
      break;
    }
  }
  report.inReview = await eventsInReview(deps, sales);
  return report;
}

type Range = Omit<Page, "skip">;

async function reconcileDay(
  deps: ProviderDeps,
  range: Range,
  { report, sales, progress }: { report: SinceReport; sales: Sales; progress: Progress },
): Promise<void> {
  const { payments: provider } = deps;
  const orders = await readAll<ListedOrder>((page) => provider.listOrders(page), range);
  const payments = await readAll<ProviderPayment>((page) => provider.listPayments(page), range);
  const refunds = await readAll<ListedRefund>((page) => provider.listRefunds(page), range);
  const paid = new Set([...payments.values()].map(({ orderId }) => orderId));
  for (const { id, notes } of [...orders.values()].filter((order) => order.paid && !paid.has(order.id))) {
    for (const payment of await patiently(() => provider.paymentsOfOrder(id))) {
      payments.set(payment.id, { ...payment, notes });
    }
  }
  progress(
    `${range.from.toISOString()}: ${orders.size} orders, ${payments.size} payments, ${refunds.size} refunds read`,
  );

  report.orders += orders.size;
  // Captures come first, because the refund of a payment that no capture has reported needs review.
  await countEach(deps, payments, report, report.payments, (payment) =>
    accountForPayment(deps, payment, orders.get(payment.orderId ?? "")),
  );
  await countEach(deps, refunds, report, report.refunds, (refund) => accountForRefund(deps, refund));
  for (const { paymentId } of refunds.values()) {
    if (!sales.has(paymentId)) sales.set(paymentId, { currency: null, courseTitle: null });
  }
  for (const { id, orderId, currency, notes } of payments.values()) {
    const { courseTitle } = { ...orders.get(orderId ?? "")?.notes, ...notes };
    sales.set(id, { currency, courseTitle: typeof courseTitle === "string" ? courseTitle : null });
  }
}

/** Applies `account` to each item and counts its outcomes. An item that fails stops no other item. */
async function countEach<T extends { id: string }>(
  { log }: ProviderDeps,
  items: Map<string, T>,
  report: SinceReport,
  counts: Record<string, number>,
  account: (item: T) => Promise<string | undefined>,
): Promise<void> {
  const work = async (item: T): Promise<CheckResult> => {
    const outcome = await account(item).catch((error: unknown) => {
      log.warn({ eventId: "payment_not_accounted_for", id: item.id, cause: String(error) }, "not accounted for");
      return undefined;
    });
    if (outcome === undefined) report.unfinished += 1;
    else counts[outcome] = (counts[outcome] ?? 0) + 1;
    return "done";
  };
  await workThrough([...items.values()], work, { atOnce });
}

/**
 * Reads every page of a list. The range has ended and the newest item comes first, so that an item which arrives
 * meanwhile repeats others at most, and hides none.
 */
async function readAll<T extends { id: string }>(
  list: (page: Page) => Promise<T[]>,
  range: Range,
): Promise<Map<string, T>> {
  const items = new Map<string, T>();
  for (let page = 0; page < mostPages; page += 1) {
    const found = await patiently(() => list({ ...range, skip: page * pageLength }));
    for (const item of found) items.set(item.id, item);
    if (found.length < pageLength) return items;
  }
  throw new Error(`a list of the provider has more than ${mostPages} pages`);
}

/** Repeats a call without an answer after growing pauses. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (tries === mostTries || !isAway(error)) throw error;
      await pause(backoffMs(tries, { firstMs: 500, maxMs: 10_000 }));
    }
  }
}

/** @returns what became of the payment. */
async function accountForPayment(
  deps: ProviderDeps,
  payment: ProviderPayment,
  order: ListedOrder | undefined,
): Promise<string> {
  const { db } = deps;
  const { id: paymentId, orderId, amountMinor, currency, paidAt } = payment;
  if (!payment.captured) return "not captured";
  const captures = {
    paymentId,
    event: { $in: ["payment.captured", captureFound] },
    state: { $ne: "pending" as const },
  };
  const told = await db.PaymentEvent.find(captures, { state: 1 }).lean();
  if (told.some(({ state }) => state === "review")) return "in review already";
  const known = await findPayment(db, paymentId);
  if (told.length > 0 || (known?.captured && known.verdict)) return "known";

  // An order that was opened before the range is not among the orders that were read.
  const ofOrder = async () => (await findPurchase(db, { providerOrderId: orderId ?? "" }))?._id;
  const named = String(payment.notes.purchaseId ?? order?.receipt ?? (await ofOrder()) ?? "");
  const purchaseId = isObjectId(named) ? new Types.ObjectId(named) : undefined;
  const findSold = async () => (purchaseId && (await findPurchase(db, { _id: purchaseId }))) ?? undefined;
  const report = { paymentId, orderId: orderId ?? undefined, amount: amountMinor, currency, paidAt } as const;
  return saleTransaction(db, findSold, async (session) => {
    const settled = await recordProof(deps, session, purchaseId, { ...report, proof: "capture", eventKey: null });
    if (settled.purchase) return outcomeOf(settled);
    const about = { paymentId, orderId: orderId ?? null, purchaseId: named.slice(0, 256) || null, amountMinor };
    if (!isUnknownPaidBack(settled.payment)) await storeUnknown(db, { event: captureFound, ...about }, session);
    return "new in review";
  });
}

/** @returns what became of the refund. */
async function accountForRefund(deps: ProviderDeps, refund: ListedRefund): Promise<string> {
  const { db } = deps;
  const { paymentId, id: refundId, amountMinor } = refund;
  const told = reported(refund);
  if (!told) return "not decided";
  const known = await findPayment(db, paymentId);
  const isKnown = told.hasSucceeded
    ? known?.refunds.some((one) => one.refundId === refundId && one.amountMinor >= amountMinor)
    : known?.failedRefunds?.includes(refundId);
  if (isKnown) return "known";
  const findSold = async () => (known?.purchaseId && (await findPurchase(db, { _id: known.purchaseId }))) || undefined;
  return saleTransaction(db, findSold, async (session) => {
    const settled = await recordRefund(deps, session, paymentId, told);
    if (settled.purchase) return settled.purchase.status;
    if (isUnknownPaidBack(settled.payment)) return "paid back";
    const event = `refund.${refund.status}`;
    await storeUnknown(db, { event, paymentId, refundId, amountMinor }, session);
    return "new in review";
  });
}

/** The operator's list, as far as it is about these sales: every refund has had its effect by now. */
async function eventsInReview(deps: ProviderDeps, sales: Sales): Promise<EventInReview[]> {
  const { db } = deps;
  const open = await db.PaymentEvent.find({ state: "review" }, { body: 0 }).sort({ _id: 1 }).lean<PaymentEvent[]>();
  const flags: Omit<EventInReview, "currency" | "courseTitle">[] = [];
  for (const ids of chunk([...sales.keys()], 1_000)) flags.push(...(await openFlags(deps, ids)));
  return [...open, ...flags].flatMap((row) => {
    const sale = sales.get(row.paymentId ?? "");
    return sale ? [{ ...row, ...sale }] : [];
  });
}

/** The open flags of the purchases of some payments. The subject of a flag may be a refund or a dispute of its payment. */
async function openFlags({ db }: ProviderDeps, paymentIds: readonly string[]) {
  const named = { _id: { $in: paymentIds }, purchaseId: { $ne: null } };
  const payments = await db.Payment.find(named, { purchaseId: 1 }).sort({ _id: 1 }).lean();
  const wanted = { _id: { $in: payments.map(({ purchaseId }) => purchaseId) }, ...flaggedPurchases };
  const purchases = await db.Purchase.find(wanted, { providerOrderId: 1, price: 1, reviews: 1 })
    .sort({ _id: 1 })
    .lean<Pick<Purchase, "_id" | "providerOrderId" | "price" | "reviews">[]>();
  return purchases.flatMap(({ _id, providerOrderId: orderId = null, price, reviews = [] }) => {
    const own = payments.flatMap((payment) => (_id.equals(payment.purchaseId ?? "") ? [payment._id] : []));
    return reviews.flatMap(({ state, reason: reviewReason, subject }) => {
      const paymentId = own.includes(subject) ? subject : (own[0] ?? null);
      const about = { paymentId, orderId, purchaseId: String(_id), amountMinor: price.totalMinor };
      return state === "open" ? [{ _id, event: "flag of a purchase", ...about, reviewReason }] : [];
    });
  });
}
