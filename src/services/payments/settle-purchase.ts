import { isDeepStrictEqual } from "node:util";
import type { ClientSession, Types } from "mongoose";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Config } from "../../config.js";
import type { Db } from "../../db/db.js";
import { findPayment, type Payment, storePayment, verdicts } from "../../models/payments/payment.js";
import { closeEventReviews } from "../../models/payments/payment-event.js";
import { ofSame, type Purchase, type Sold } from "../../models/payments/purchase.js";
import { findPurchase, findPurchaseWithPayments, storePurchase } from "../../models/payments/purchase-queries.js";
import type { Payments } from "../../providers/razorpay.js";
import { moveRedemption } from "../coupons/move-redemption.js";
import { recordEvents } from "../events/record-event.js";
import { changeTo } from "./change-purchase.js";
import { besideAnother, closed, isPaid, unreported, withoutCoupon, wrongMoney } from "./facts.js";
import { positionOf } from "./position.js";
import { beginSale, completedFact, endSale, isSecondSale, nothing, recordSale, refundedFact } from "./record-sale.js";
import { saleTransaction } from "./sale-transaction.js";

export interface SaleDeps {
  readonly db: Db;
  readonly config: Pick<Config, "invoices">;
}

/** For work on stored payment events. */
export type PaymentEventDeps = SaleDeps & { readonly log: Logger; readonly metrics: Registry };

/** For work that asks the payment provider. */
export type ProviderDeps = PaymentEventDeps & { readonly payments: Payments };

/** A purchase as it is stored, with the payments that named it and the reported one. */
export interface Facts {
  readonly purchase: Purchase;
  readonly payments: readonly Payment[];
}

export interface Settled extends Facts {
  /** The state before. */
  readonly was: Purchase["status"];
}

type Recorded<T> = (facts: T, session: ClientSession) => T | Promise<T>;

interface About {
  /** The reported payment, which may belong to no purchase yet. */
  readonly paymentId?: string;
  /** Key of the payment event that reports the fact. The flags that it raises name it. */
  readonly eventKey?: string | null;
}

/** Records a fact about a purchase alone, in a transaction of its own, as `settle` does. */
export function settlePurchase(
  deps: SaleDeps,
  purchase: Sold & Pick<Purchase, "_id">,
  record: (purchase: Purchase) => Purchase,
): Promise<Settled | null> {
  const { _id } = purchase;
  return saleTransaction(deps.db, purchase, (session) => settle(deps, session, _id, purchaseFact(record)));
}

/**
 * Records a fact about a purchase and brings all that follows from it to its new position, in the caller's transaction. No
 * other function writes state, flags or money of an opened purchase. A fact that is known changes nothing.
 * @param record adds the fact (facts.ts). @returns null when there is no such purchase.
 */
export async function settle(
  deps: SaleDeps,
  session: ClientSession,
  purchaseId: Types.ObjectId,
  record: Recorded<Facts>,
  { paymentId, eventKey = null }: About = {},
): Promise<Settled | null> {
  const { db } = deps;
  const found = await findPurchaseWithPayments(db, purchaseId, paymentId, session);
  if (!found) return null;
  const before = { purchase: withSecondSale(found.purchase), payments: paymentsOf(found.purchase, found.payments) };
  return applyPosition(deps, session, before, await record(before, session), eventKey);
}

export interface SettledPayment {
  readonly payment: Payment;
  /** The purchase that was settled; null when there is none. */
  readonly purchase: Purchase | null;
  readonly was: Purchase["status"] | undefined;
}

/**
 * Records a fact about a payment and settles its purchase, in the caller's transaction. A payment without a purchase is
 * recorded for later.
 * @param about `purchaseId`: the purchase that the report is for; otherwise the payment's own, or the one `inNotes`.
 */
export async function settlePayment(
  deps: SaleDeps,
  session: ClientSession,
  about: Required<Pick<About, "paymentId" | "eventKey">> & {
    [K in "purchaseId" | "inNotes"]?: Types.ObjectId | undefined;
  },
  record: Recorded<{ payment: Payment; purchase: Purchase | null }>,
): Promise<SettledPayment> {
  const { db } = deps;
  const { paymentId, purchaseId: named, inNotes } = about;
  const row = named ? null : await findPayment(db, paymentId, session);
  const isJudged = named !== undefined || row?.verdict !== undefined;
  // In version 1.0, a row names the purchase of its last report, or there is none.
  const completed = isJudged ? null : await findPurchase(db, { providerPaymentId: paymentId }, session);
  const ownerId = named ?? completed?._id ?? row?.purchaseId ?? inNotes;
  let wasUnknown = false;
  const recordIn: Recorded<Facts> = async ({ purchase, payments }, inSession) => {
    const stored = payments.find(({ _id }) => _id === paymentId);
    wasUnknown = stored !== undefined && stored.verdict === undefined;
    const known = stored ?? unreported(paymentId);
    const { payment, purchase: next } = await record({ payment: known, purchase }, inSession);
    const others = payments.filter(({ _id }) => _id !== paymentId);
    return { purchase: next ?? purchase, payments: payment === known ? payments : [...others, payment] };
  };
  const settled = ownerId ? await settle(deps, session, ownerId, recordIn, about) : null;
  if (settled) {
    if (wasUnknown) await closeEventReviews(db, paymentId, session);
    return { ...settled, payment: settled.payments.find(({ _id }) => _id === paymentId) ?? unreported(paymentId) };
  }
  const known = row ?? (named && (await findPayment(db, paymentId, session))) ?? unreported(paymentId);
  const { payment: alone } = await record({ payment: known, purchase: null }, session);
  // Written also when nothing is new, so that it conflicts with a proof that finds the purchase meanwhile.
  await storePayment(db, { ...alone, updatedAt: new Date() }, session);
  if (alone !== known && isUnknownPaidBack(alone)) await closeEventReviews(db, paymentId, session);
  return { payment: alone, purchase: null, was: undefined };
}

/** Whether all of a proven payment was paid back, of which no purchase is known. Without an amount, any refund is all. */
export const isUnknownPaidBack = ({ captured, signed, refundedMinor, amountMinor }: Payment): boolean =>
  (captured || signed === true) && refundedMinor > 0 && refundedMinor >= (amountMinor ?? 0);

/**
 * Completes rows of version 1.0, which stores no verdicts and may still run: the purchase and its flags tell the verdict.
 * The payment that completed the purchase may have no row, or one with its refunds alone.
 */
function paymentsOf(purchase: Purchase, rows: readonly Payment[]): readonly Payment[] {
  const { _id: purchaseId, isErased, providerPaymentId, formerPaymentIds = [], signatureOnly } = purchase;
  const hasNoRow = providerPaymentId !== undefined && !rows.some(({ _id }) => _id === providerPaymentId);
  return [...rows, ...(hasNoRow ? [unreported(providerPaymentId)] : [])].map((payment) => {
    const { _id, verdict, captured, signed } = payment;
    const isProven = captured || signed === true;
    if (_id === providerPaymentId || (!verdict && formerPaymentIds.includes(_id))) {
      if (verdict === "accepted") return payment;
      const proof = isProven ? {} : signatureOnly ? { signed: true } : { captured: true };
      return { ...payment, ...proof, purchaseId, verdict: "accepted" };
    }
    // An accepted payment completes an unpaid purchase, so version 1.0 has withdrawn it.
    const isOutdated = verdict === "accepted" && !isPaid(purchase) && !isErased;
    if ((verdict && !isOutdated) || !isProven || !payment.purchaseId?.equals(purchaseId)) return payment;
    const { verdict: _outdated, ...unjudged } = payment;
    return { ...unjudged, ...withheld(purchase, payment) };
  });
}

/** In version 1.0, an open flag alone tells of a second sale. */
function withSecondSale(purchase: Purchase): Purchase {
  const { reviews = [], providerPaymentId } = purchase;
  const isFlagged = reviews.some(
    ({ reason, subject, state }) => reason === "duplicate_charge" && subject === providerPaymentId && state === "open",
  );
  return isFlagged && !purchase.isSecondSale ? { ...purchase, isSecondSale: true } : purchase;
}

/** Version 1.0 does not compare a second payment with the price. */
function withheld(purchase: Purchase, { _id, amountMinor, currency }: Payment): Pick<Payment, "verdict"> {
  const reasons = (purchase.reviews ?? []).filter(({ subject }) => subject === _id).map(({ reason }) => reason);
  const flagged = verdicts.find((one) => reasons.some((reason) => reason === one));
  if (flagged) return { verdict: flagged };
  if (!reasons.includes("duplicate_charge")) return {};
  const mismatch = wrongMoney(purchase, { amount: amountMinor ?? undefined, currency });
  if (mismatch) return { verdict: mismatch };
  return isPaid(purchase) ? { verdict: "accepted" } : {};
}

async function applyPosition(
  deps: SaleDeps,
  session: ClientSession,
  before: Facts,
  { purchase, payments }: Facts,
  eventKey: string | null,
): Promise<Settled> {
  const { db } = deps;
  const now = new Date();
  const was = before.purchase.status;
  const own = payments.filter(({ purchaseId }) => purchaseId?.equals(purchase._id));
  const position = positionOf(purchase, own, now);
  const { couponUse, giver } = await moveRedemption(db, session, before.purchase, {
    isRedeemed: isPaid(before.purchase),
    isKept: purchase.couponUse !== undefined,
    wanted: position.coupon,
  });
  const gives = purchaseFact((other) => withoutCoupon(closed(other, "learner")));
  if (giver) await settle(deps, session, giver._id, gives);
  const circumstances = { now, eventKey, invoices: deps.config.invoices };
  const change = { ...changeTo(purchase, own, position, circumstances), couponUse };
  const changed = payments.filter((payment) => !before.payments.includes(payment));
  const isSame = changed.length === 0 && isDeepStrictEqual(defined({ ...purchase, ...change }), before.purchase);
  if (isSame) return { purchase: before.purchase, payments, was };

  const stored = await storePurchase(db, purchase, change, session);
  for (const payment of changed) await storePayment(db, { ...payment, updatedAt: now }, session);
  await followSale(deps, session, purchase, stored, eventKey);
  return { purchase: stored, payments, was };
}

/** Brings enrollment, figures and events to a sale that begins or ends. @param before the purchase at its former position. */
async function followSale(
  deps: SaleDeps,
  session: ClientSession,
  before: Purchase,
  stored: Purchase,
  eventKey: string | null,
): Promise<void> {
  const { db } = deps;
  const [was, is] = [before.status, stored.status];
  const begins = was !== "completed" && is === "completed";
  const ends = was === "completed" && is !== "completed";
  const isRefunded = was !== "refunded" && is === "refunded";
  const isSold = begins || (!isPaid(before) && isPaid(stored));
  const { courses, facts, hasOtherSales } = begins
    ? await beginSale(db, session, stored)
    : ends
      ? await endSale(db, session, stored)
      : nothing;
  await recordEvents(db, session, [
    ...(isSold ? [completedFact(stored, begins)] : []),
    ...(isRefunded ? [refundedFact(stored, stored.refundedMinor)] : []),
    ...facts,
  ]);
  if (begins) await recordSale(db, session, stored, { sales: 1, students: courses });
  if (ends) await recordSale(db, session, before, { sales: -1, students: courses });
  if (hasOtherSales) await flagSecondSales(deps, session, stored, eventKey);
}

/** Brings the flags of second sales of a course, or of a path, to the sales that hold money now. */
async function flagSecondSales(
  deps: SaleDeps,
  session: ClientSession,
  sold: Purchase,
  eventKey: string | null,
): Promise<void> {
  const { userId } = sold;
  const holdingMoney = { userId, ...ofSame(sold), status: "completed" as const, amount: { $gt: 0 } };
  const sales = await deps.db.Purchase.find(holdingMoney).session(session).lean<Purchase[]>();
  for (const sale of sales) {
    const isSecond = isSecondSale(sale, sales);
    if (isSecond === (withSecondSale(sale).isSecondSale ?? false)) continue;
    const add = purchaseFact((purchase) => besideAnother(purchase, isSecond));
    await settle(deps, session, sale._id, add, { eventKey });
  }
}

const defined = <T extends object>(row: T): Partial<T> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Partial<T>;

/** For a fact about the purchase alone. */
export const purchaseFact =
  (record: (purchase: Purchase) => Purchase): Recorded<Facts> =>
  ({ purchase, payments }) => ({ purchase: record(purchase), payments });
