import type { mongo } from "mongoose";
import { bare, majority } from "../models/bare.js";
import type { Models } from "../models/index.js";
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
const running = new WeakMap<Models, Map<string, Promise<Purchase>>>();

/**
 * Makes a purchase that completed or was refunded show in the enrollment, in its duplicates and in the totals, then
 * marks it applied. One caller at a time; the others wait. A crash leaves it to the next call, or to the sweep.
 * @returns the purchase as it is then: a refund that was waiting for it may have moved it on.
 */
export function applyPurchase(models: Models, purchase: Purchase, options: ApplyOptions = {}): Promise<Purchase> {
  if (purchase.applied) return Promise.resolve(purchase);
  const runs = running.get(models) ?? new Map<string, Promise<Purchase>>();
  running.set(models, runs);
  const name = `${purchase._id} ${purchase.status}`;
  // Whose own write it was holds the claim: a run that was there before waits for just that.
  const known = options.mine ? undefined : runs.get(name);
  if (known) return known;
  const run = bringToEnd(models, purchase, options).finally(() => {
    if (runs.get(name) === run) runs.delete(name);
  });
  runs.set(name, run);
  return run;
}

async function bringToEnd(models: Models, purchase: Purchase, { mine, asOf }: ApplyOptions): Promise<Purchase> {
  const lapsed = () => lapsedBy(asOf);
  const giveUpAt = Date.now() + patienceMs;
  const attempt = (held: Sale | undefined) =>
    held &&
    apply(models, held, lapsed).catch((error: unknown) => {
      if (!(error instanceof ClaimLost)) throw error;
    });
  const takeOverFrom = async (found: Purchase) => attempt(await takeOver(models, found, lapsed()));
  let done = mine ? await attempt({ purchase, takenOver: false }) : undefined;
  for (let looks = 0; !done; looks += 1) {
    const found = looks === 0 && !mine ? purchase : await models.Purchase.findById(purchase._id).lean<Purchase>();
    if (!found || found.applied) return found ?? purchase;
    if (Date.now() > giveUpAt) throw new Error(`the purchase ${purchase._id} is being applied all the time`);
    if (!isClaimed(found, lapsed())) {
      // Whose own write it was has a place already.
      done = await (mine ? takeOverFrom(found) : atTheDesk(models, () => takeOverFrom(found)));
    }
    if (!done) await waitBeforeLook(looks);
  }
  return done;
}

const isClaimed = ({ movedAt }: Purchase, lapsed: Date): boolean => movedAt !== undefined && movedAt > lapsed;

/** Takes a purchase over whose claim has lapsed; undefined while somebody is at it. */
async function takeOver(models: Models, purchase: Purchase, lapsed: Date): Promise<Sale | undefined> {
  const { _id, status, movedAt } = purchase;
  if (isClaimed(purchase, lapsed)) return undefined;
  const claim = claimAfter(movedAt);
  const unclaimed = { _id, status, applied: false, movedAt: movedAt ?? null } as mongo.Filter<Purchase>;
  const taken = await bare(models.Purchase).updateOne(unclaimed, { $set: { movedAt: claim } });
  return taken.matchedCount > 0 ? { purchase: { ...purchase, movedAt: claim }, takenOver: true } : undefined;
}

/** Every step may be repeated by whoever takes over. @throws ClaimLost. */
async function apply(models: Models, { purchase: found, takenOver }: Sale, lapsed: () => Date): Promise<Purchase> {
  const purchase = (await refundIfPaidBack(models, found)) ?? found;
  const { courseId, status } = purchase;
  let seat = await holdSeat(models, purchase, { taking: status === "completed", lapsed });
  if (seat && !seat.fresh) seat = await alignAndFlag(models, seat);
  const sale = { purchase, takenOver };
  await moveTotals(models, movesOf({ courseId, sale, seat }));
  if (status === "refunded") await settleRefundEvents(models, purchase);
  // A fresh seat was taken without a look at the purchases: while it is held, this is the look.
  if (!(await markApplied(models, purchase))) throw new ClaimLost(`the purchase ${purchase._id}`);
  const freed = seat !== undefined && (await freeSeat(models, seat));
  const undisturbed = { sale: takenOver ? undefined : sale, seat: freed && !seat?.takenOver ? seat : undefined };
  await forgetMoves(models, movesOf({ courseId, ...undisturbed }));
  return { ...purchase, applied: true };
}

/** Brings an enrollment that somebody left behind in line with its purchases, and the totals with it. */
export async function settleSeat(models: Models, pair: Pair, asOf?: Date): Promise<void> {
  const held = await holdSeat(models, pair, { taking: false, lapsed: () => lapsedBy(asOf) });
  if (!held) return;
  const seat = await alignAndFlag(models, held);
  const moves = movesOf({ courseId: pair.courseId, seat });
  await moveTotals(models, moves);
  if ((await freeSeat(models, seat)) && !seat.takenOver) await forgetMoves(models, moves);
}

async function markApplied(models: Models, { _id, status, movedAt }: Purchase): Promise<boolean> {
  const marked = await bare(models.Purchase).updateOne(
    { _id, status, applied: false, movedAt: movedAt ?? null } as mongo.Filter<Purchase>,
    { $set: { applied: true }, $unset: { movedAt: "" } },
    majority,
  );
  return marked.matchedCount > 0;
}

/** Of several completed purchases of a pair all but the first were paid for nothing. */
async function alignAndFlag(models: Models, held: Seat): Promise<Seat> {
  const { seat, completed } = await alignSeat(models, held);
  for (const { _id, reviewReason } of completed.slice(1)) {
    if (reviewReason !== null) continue;
    await models.Purchase.updateOne({ _id, reviewReason: null }, { $set: { reviewReason: "duplicate_charge" } });
  }
  return seat;
}

/** Refunds that came before their capture, or one by one, ask nobody to look any more. */
async function settleRefundEvents(models: Models, { providerPaymentId }: Purchase): Promise<void> {
  await models.PaymentEvent.updateMany(
    { paymentId: providerPaymentId ?? "", event: "refund.processed", state: "review" },
    { $set: { state: "processed", outcome: "refunded", reviewReason: null } },
  );
}
