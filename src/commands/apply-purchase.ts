import type { mongo } from "mongoose";
import type { Db } from "../db/db.js";
import { bare, majority } from "../models/bare.js";
import type { Purchase } from "../models/purchase.js";
import { atTheDesk } from "./apply-desk.js";
import { ClaimLost, claimAfter, lapsedBy, patienceMs, waitBeforeLook } from "./claims.js";
import { refundIfPaidBack } from "./refund-purchase.js";
import { forgetMoves, movesOf, moveTotals, type Sale } from "./sale-totals.js";
import { alignSeat, freeSeat, holdSeat, type Pair, type Seat } from "./settle-enrollment.js";

export interface ApplyOptions {
  /** The caller's own write completed or refunded the purchase just now, in a place at the desk. */
  readonly mine?: boolean;
  /** Claims that lapse by then are taken over; now unless told. */
  readonly asOf?: Date;
}

/** Runs under way on one server, by purchase and state: deliveries of one event that come at once share one. */
const running = new WeakMap<Db, Map<string, Promise<Purchase>>>();

/**
 * Makes a purchase that completed or was refunded show in the enrollment, in its duplicates and in the totals, then
 * marks it applied. One caller at a time; the others wait. A crash leaves it to the next call, or to the sweep.
 * @returns the purchase as it is then: a refund that was waiting for it may have moved it on.
 */
export function applyPurchase(db: Db, purchase: Purchase, options: ApplyOptions = {}): Promise<Purchase> {
  if (purchase.applied) return Promise.resolve(purchase);
  const runs = running.get(db) ?? new Map<string, Promise<Purchase>>();
  running.set(db, runs);
  const name = `${purchase._id} ${purchase.status}`;
  // Whose own write it was holds the claim: a run that was there before waits for just that.
  const known = options.mine ? undefined : runs.get(name);
  if (known) return known;
  const run = bringToEnd(db, purchase, options).finally(() => {
    if (runs.get(name) === run) runs.delete(name);
  });
  runs.set(name, run);
  return run;
}

async function bringToEnd(db: Db, purchase: Purchase, { mine, asOf }: ApplyOptions): Promise<Purchase> {
  const lapsed = () => lapsedBy(asOf);
  const giveUpAt = Date.now() + patienceMs;
  const attempt = (held: Sale | undefined) =>
    held &&
    apply(db, held, lapsed).catch((error: unknown) => {
      if (!(error instanceof ClaimLost)) throw error;
    });
  const takeOverFrom = async (found: Purchase) => attempt(await takeOver(db, found, lapsed()));
  let done = mine ? await attempt({ purchase, takenOver: false }) : undefined;
  for (let looks = 0; !done; looks += 1) {
    const found = looks === 0 && !mine ? purchase : await db.Purchase.findById(purchase._id).lean<Purchase>();
    if (!found || found.applied) return found ?? purchase;
    if (Date.now() > giveUpAt) throw new Error(`the purchase ${purchase._id} is being applied all the time`);
    if (!isClaimed(found, lapsed())) {
      // Whose own write it was has a place already.
      done = await (mine ? takeOverFrom(found) : atTheDesk(db, () => takeOverFrom(found)));
    }
    if (!done) await waitBeforeLook(looks);
  }
  return done;
}

const isClaimed = ({ movedAt }: Purchase, lapsed: Date): boolean => movedAt !== undefined && movedAt > lapsed;

/** Takes a purchase over whose claim has lapsed; undefined while somebody is at it. */
async function takeOver(db: Db, purchase: Purchase, lapsed: Date): Promise<Sale | undefined> {
  const { _id, status, movedAt } = purchase;
  if (isClaimed(purchase, lapsed)) return undefined;
  const claim = claimAfter(movedAt);
  const unclaimed = { _id, status, applied: false, movedAt: movedAt ?? null } as mongo.Filter<Purchase>;
  const taken = await bare(db.Purchase).updateOne(unclaimed, { $set: { movedAt: claim } });
  return taken.matchedCount > 0 ? { purchase: { ...purchase, movedAt: claim }, takenOver: true } : undefined;
}

/** Every step may be repeated by whoever takes over. @throws ClaimLost. */
async function apply(db: Db, { purchase: found, takenOver }: Sale, lapsed: () => Date): Promise<Purchase> {
  const purchase = (await refundIfPaidBack(db, found)) ?? found;
  const { courseId, status } = purchase;
  let seat = await holdSeat(db, purchase, { taking: status === "completed", lapsed });
  if (seat && !seat.fresh) seat = await alignAndFlag(db, seat);
  const sale = { purchase, takenOver };
  await moveTotals(db, movesOf({ courseId, sale, seat }));
  if (status === "refunded") await settleRefundEvents(db, purchase);
  // A fresh seat was taken without a look at the purchases: while it is held, this is the look.
  if (!(await markApplied(db, purchase))) throw new ClaimLost(`the purchase ${purchase._id}`);
  const freed = seat !== undefined && (await freeSeat(db, seat));
  const undisturbed = { sale: takenOver ? undefined : sale, seat: freed && !seat?.takenOver ? seat : undefined };
  await forgetMoves(db, movesOf({ courseId, ...undisturbed }));
  return { ...purchase, applied: true };
}

/** Brings an enrollment that somebody left behind in line with its purchases, and the totals with it. */
export async function settleSeat(db: Db, pair: Pair, asOf?: Date): Promise<void> {
  const held = await holdSeat(db, pair, { taking: false, lapsed: () => lapsedBy(asOf) });
  if (!held) return;
  const seat = await alignAndFlag(db, held);
  const moves = movesOf({ courseId: pair.courseId, seat });
  await moveTotals(db, moves);
  if ((await freeSeat(db, seat)) && !seat.takenOver) await forgetMoves(db, moves);
}

async function markApplied(db: Db, { _id, status, movedAt }: Purchase): Promise<boolean> {
  const marked = await bare(db.Purchase).updateOne(
    { _id, status, applied: false, movedAt: movedAt ?? null } as mongo.Filter<Purchase>,
    { $set: { applied: true }, $unset: { movedAt: "" } },
    majority,
  );
  return marked.matchedCount > 0;
}

/** Of several completed purchases of a pair all but the first were paid for nothing. */
async function alignAndFlag(db: Db, held: Seat): Promise<Seat> {
  const { seat, completed } = await alignSeat(db, held);
  for (const { _id, reviewReason } of completed.slice(1)) {
    if (reviewReason !== null) continue;
    await db.Purchase.updateOne({ _id, reviewReason: null }, { $set: { reviewReason: "duplicate_charge" } });
  }
  return seat;
}

/** Refunds that came before their capture, or one by one, ask nobody to look any more. */
async function settleRefundEvents(db: Db, { providerPaymentId }: Purchase): Promise<void> {
  await db.PaymentEvent.updateMany(
    { paymentId: providerPaymentId ?? "", event: "refund.processed", state: "review" },
    { $set: { state: "processed", outcome: "refunded", reviewReason: null } },
  );
}
