import { isDeepStrictEqual } from "node:util";
import type { ClientSession, Types } from "mongoose";
import type { Config } from "../../config.js";
import type { Db } from "../../db/db.js";
import { addRedemptions } from "../../models/payments/coupon.js";
import { findPayment, type Payment, storePayment, verdicts } from "../../models/payments/payment.js";
import { couponUseOf, type Purchase } from "../../models/payments/purchase.js";
import { findPurchase, findPurchaseWithPayments, storePurchase } from "../../models/payments/purchase-queries.js";
import { canRedeem, findSiblingUse } from "../coupons/coupon-use.js";
import { endPurchase, enroll } from "../enrollments/enrollment.js";
import { type NewEvent, recordEvents } from "../events/record-event.js";
import { changeTo } from "./change-purchase.js";
import { settleEvents } from "./events/settle-events.js";
import { closed, mismatchOf, unreported, withoutCoupon } from "./facts.js";
import { isPaidState, type Position, positionOf } from "./position.js";
import { completedFact, recordSale, refundedFact } from "./record-sale.js";

export interface SaleDeps {
  readonly db: Db;
  readonly config: Pick<Config, "invoices">;
}

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
  { _id, courseId }: Pick<Purchase, "_id" | "courseId">,
  record: (purchase: Purchase) => Purchase,
): Promise<Settled | null> {
  return saleTransaction(deps.db, courseId, (session) => settle(deps, session, _id, purchaseFact(record)));
}

/** Thrown by a transaction that has to start again. */
class Contended extends Error {}

/**
 * Runs a transaction about a sale. Transactions of this process about one course run one after another, because all of them
 * write the course.
 * @param findCourse reads the course when it is not known. It is called only after a conflict, because most sales meet none.
 */
export async function saleTransaction<T>(
  db: Db,
  findCourse: Types.ObjectId | (() => Promise<Types.ObjectId | undefined>),
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const inTurn = (courseId: Types.ObjectId) => db.transaction(work, { mutex: `course:${courseId}` });
  const result =
    typeof findCourse === "function" ? await firstAlone(db, work, findCourse, inTurn) : await inTurn(findCourse);
  // An invoice or a credit note may wait for its number, and the provider for a question.
  db.jobWakeups.emit("Purchase");
  return result;
}

async function firstAlone<T>(
  db: Db,
  work: (session: ClientSession) => Promise<T>,
  findCourse: () => Promise<Types.ObjectId | undefined>,
  inTurn: (courseId: Types.ObjectId) => Promise<T>,
): Promise<T> {
  let attempts = 0;
  try {
    return await db.transaction((session) => {
      if (attempts++ > 0) throw new Contended();
      return work(session);
    });
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
  }
  const courseId = await findCourse();
  return courseId ? inTurn(courseId) : db.transaction(work);
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
  const before = { ...found, payments: paymentsOf(found.purchase, found.payments) };
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
  // Before verdicts were stored, a row named the purchase of its last report, or there was none.
  const completed = isJudged ? null : await findPurchase(db, { providerPaymentId: paymentId }, session);
  const ownerId = named ?? completed?._id ?? row?.purchaseId ?? inNotes;
  const recordIn: Recorded<Facts> = async ({ purchase, payments }, inSession) => {
    const known = payments.find(({ _id }) => _id === paymentId) ?? unreported(paymentId);
    const { payment, purchase: next } = await record({ payment: known, purchase }, inSession);
    const others = payments.filter(({ _id }) => _id !== paymentId);
    return { purchase: next ?? purchase, payments: payment === known ? payments : [...others, payment] };
  };
  const settled = ownerId ? await settle(deps, session, ownerId, recordIn, about) : null;
  const payment = settled?.payments.find(({ _id }) => _id === paymentId);
  if (settled) return { ...settled, payment: payment ?? unreported(paymentId) };
  const known = row ?? (named && (await findPayment(db, paymentId, session))) ?? unreported(paymentId);
  const { payment: alone } = await record({ payment: known, purchase: null }, session);
  // Written also when nothing is new, so that it conflicts with a proof that finds the purchase meanwhile.
  await storePayment(db, { ...alone, updatedAt: new Date() }, session);
  if (alone !== known && !alone.verdict) await settleEvents(db, session, null, [alone]);
  return { payment: alone, purchase: null, was: undefined };
}

/**
 * Completes rows of the version before, which stores no verdicts and may still run: the purchase and its flags tell the verdict.
 * The payment that completed the purchase may have no row, or one with its refunds alone.
 */
function paymentsOf(purchase: Purchase, rows: readonly Payment[]): readonly Payment[] {
  const { _id: purchaseId, status, isErased, providerPaymentId, formerPaymentIds = [], signatureOnly } = purchase;
  const hasNoRow = providerPaymentId !== undefined && !rows.some(({ _id }) => _id === providerPaymentId);
  return [...rows, ...(hasNoRow ? [unreported(providerPaymentId)] : [])].map((payment) => {
    const { _id, verdict, captured, signed } = payment;
    const isProven = captured || signed === true;
    if (_id === providerPaymentId || (!verdict && formerPaymentIds.includes(_id))) {
      if (verdict === "accepted") return payment;
      const proof = isProven ? {} : signatureOnly ? { signed: true } : { captured: true };
      return { ...payment, ...proof, purchaseId, ...completed(purchase, payment) };
    }
    // An accepted payment completes an unpaid purchase, so the version before has withdrawn it.
    const isOutdated = verdict === "accepted" && !isPaidState(status) && !isErased;
    if ((verdict && !isOutdated) || !isProven || !payment.purchaseId?.equals(purchaseId)) return payment;
    const { verdict: _outdated, ...unjudged } = payment;
    return { ...unjudged, ...withheld(purchase, payment) };
  });
}

function completed({ reviews = [] }: Purchase, { _id }: Payment): Pick<Payment, "verdict" | "isSecondSale"> {
  const isSecondSale = reviews.some(
    ({ reason, subject, state, by }) => reason === "duplicate_charge" && subject === _id && (state === "open" || by),
  );
  return { verdict: "accepted", ...(isSecondSale && { isSecondSale }) };
}

/** A second payment was not compared with the price in that version. */
function withheld(purchase: Purchase, { _id, amountMinor, currency }: Payment): Pick<Payment, "verdict"> {
  const reasons = (purchase.reviews ?? []).filter(({ subject }) => subject === _id).map(({ reason }) => reason);
  const flagged = verdicts.find((one) => reasons.some((reason) => reason === one));
  if (flagged) return { verdict: flagged };
  if (!reasons.includes("duplicate_charge")) return {};
  const mismatch = mismatchOf(purchase, { amount: amountMinor ?? undefined, currency });
  if (mismatch) return { verdict: mismatch };
  return isPaidState(purchase.status) ? { verdict: "accepted" } : {};
}

async function applyPosition(
  deps: SaleDeps,
  session: ClientSession,
  before: Facts,
  { purchase, payments: reported }: Facts,
  eventKey: string | null,
): Promise<Settled> {
  const { db } = deps;
  const now = new Date();
  const was = before.purchase.status;
  let payments = reported;
  const own = () => payments.filter(({ purchaseId }) => purchaseId?.equals(purchase._id));
  let position = positionOf(purchase, own(), now);
  const isNewlyPaid = !isPaidState(was) && isPaidState(position.status);
  const begins = was !== "completed" && position.status === "completed";
  const ends = was === "completed" && position.status !== "completed";
  const events: NewEvent[] = [];
  let students = 0;
  if (begins) {
    const enrolled = await enroll(db, session, isNewlyPaid ? { ...purchase, completedAt: now } : purchase);
    const { isSecondSale } = enrolled;
    if (isSecondSale) {
      payments = payments.map((payment) =>
        payment._id === position.payment?._id ? { ...payment, isSecondSale } : payment,
      );
      position = positionOf(purchase, own(), now);
    }
    events.push(...enrolled.facts);
    students = enrolled.counted ? 0 : 1;
  }
  const couponUse = await settleCoupon(deps, session, before.purchase, purchase, position);
  const circumstances = { now, eventKey, invoices: deps.config.invoices };
  const change = { ...changeTo(purchase, own(), position, circumstances), couponUse };
  const changed = payments.filter((payment) => !before.payments.includes(payment));
  const isSame = changed.length === 0 && isDeepStrictEqual(defined({ ...purchase, ...change }), before.purchase);
  if (isSame) return { purchase: before.purchase, payments, was };

  const stored = await storePurchase(db, purchase, change, session);
  for (const payment of changed) await storePayment(db, { ...payment, updatedAt: now }, session);
  if (position.status === "refunded" && was !== "refunded") {
    events.push(refundedFact(purchase, position.refundedMinor));
  }
  if (ends) {
    const reason = position.status === "refunded" ? "refund" : "revoked";
    const { ended, facts } = await endPurchase(db, session, purchase, reason);
    events.push(...facts);
    students = ended ? -1 : 0;
  }
  const completed = isNewlyPaid || begins ? [completedFact(stored, begins)] : [];
  await recordEvents(db, session, [...completed, ...events]);
  if (begins) await recordSale(db, session, stored, { sales: 1, students });
  if (ends) await recordSale(db, session, purchase, { sales: -1, students });
  const isMoved = position.status !== was || stored.providerPaymentId !== before.purchase.providerPaymentId;
  // A payment that is new has no events in review.
  const known = payments.filter(({ _id }) => before.payments.some((payment) => payment._id === _id));
  if (isMoved || changed.length > 0) await settleEvents(db, session, stored, known);
  return { purchase: stored, payments, was };
}

const defined = <T extends object>(row: T): Partial<T> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Partial<T>;

/**
 * Brings the counters of the coupon to the position. A purchase that completes without a reservation takes the one of the
 * learner's other unpaid purchase of the course, which then fails. If no redemption is left, it completes without one, so
 * that the limits of the coupon hold.
 * @returns the key of the redemption that the purchase holds from now on.
 */
async function settleCoupon(
  deps: SaleDeps,
  session: ClientSession,
  before: Purchase,
  purchase: Purchase,
  { coupon: wanted }: Position,
): Promise<string | undefined> {
  const { db } = deps;
  const { coupon, couponUse: held } = before;
  if (!coupon) return undefined;
  const wasRedeemed = isPaidState(before.status);
  if (wanted === "redeemed" && !wasRedeemed) {
    if (held !== undefined) {
      await addRedemptions(db, coupon.couponId, { reserved: -1, redeemed: 1 }, session);
      return held;
    }
    const sibling = await findSiblingUse(db, session, before);
    if (sibling)
      await settle(
        deps,
        session,
        sibling._id,
        purchaseFact((one) => withoutCoupon(closed(one, "learner"))),
      );
    else if (!(await canRedeem(db, session, before))) return undefined;
    await addRedemptions(db, coupon.couponId, { redeemed: 1 }, session);
    return couponUseOf(before.userId, coupon.code);
  }
  if (held === undefined || (wanted !== "none" && purchase.couponUse !== undefined)) return held;
  await addRedemptions(db, coupon.couponId, wasRedeemed ? { redeemed: -1 } : { reserved: -1 }, session);
  return undefined;
}

/** For a fact about the purchase alone. */
export const purchaseFact =
  (record: (purchase: Purchase) => Purchase): Recorded<Facts> =>
  ({ purchase, payments }) => ({ purchase: record(purchase), payments });
