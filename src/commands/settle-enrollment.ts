import { type mongo, Types } from "mongoose";
import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { bare } from "../models/bare.js";
import type { Enrollment } from "../models/enrollment.js";
import type { Purchase } from "../models/purchase.js";
import { ClaimLost, claimAfter, patienceMs, waitBeforeLook } from "./claims.js";

/** One learner and one course. */
export interface Pair {
  readonly userId: string;
  readonly courseId: Types.ObjectId;
}

/** An enrollment in the hands of one caller: nobody else changes or counts it until it is freed or the claim lapses. */
export interface Seat {
  readonly enrollment: Enrollment & { unsettledSince: Date };
  /** The learner was never enrolled here before. */
  readonly fresh: boolean;
  /** Somebody else left it behind: its keys stay where they are. */
  readonly takenOver: boolean;
}

/**
 * Takes the claim on the enrollment of a pair, as soon as nobody else is at it.
 * @param options `taking`: somebody who was never enrolled gets an active seat at once; `lapsed`: claims up to this
 *   moment are taken over.
 * @returns undefined when there is no enrollment and none was made.
 */
export async function holdSeat(
  db: Db,
  { userId, courseId }: Pair,
  { taking, lapsed }: { taking: boolean; lapsed: () => Date },
): Promise<Seat | undefined> {
  const pair = { userId, courseId };
  const giveUpAt = Date.now() + patienceMs;
  let looks = 0;
  do {
    const found = taking ? await takeSeat(db, pair) : await bare(db.Enrollment).findOne(pair);
    if (!found) return undefined;
    if ("fresh" in found) return found;
    const { unsettledSince } = found;
    if (!unsettledSince || unsettledSince <= lapsed()) {
      const held = await claim(db, found);
      if (held) return held;
    } else {
      await waitBeforeLook(looks++);
    }
  } while (Date.now() < giveUpAt);
  throw new Error(`the enrollment of ${userId} in ${courseId} does not come to rest`);
}

/** @returns the new seat, or the enrollment that there is. */
async function takeSeat(db: Db, pair: Pair): Promise<Seat | Enrollment> {
  const now = new Date();
  const enrollment = {
    ...{ _id: new Types.ObjectId(), ...pair, active: true, enrolledAt: now, revokedAt: null },
    ...{ change: 1, countedChange: 0, unsettledSince: now, createdAt: now, updatedAt: now },
  };
  const { userId, courseId, ...inserted } = enrollment;
  const upsert = () =>
    bare(db.Enrollment).findOneAndUpdate(
      { userId, courseId },
      { $setOnInsert: inserted },
      { upsert: true, returnDocument: "before" },
    );
  const known = await upsert().catch((error: unknown) => {
    if (isDuplicateKey(error)) return upsert(); // taken by another call at this moment
    throw error;
  });
  return known ?? { enrollment, fresh: true, takenOver: false };
}

async function claim(db: Db, { _id, unsettledSince }: Enrollment): Promise<Seat | undefined> {
  const enrollment = await bare(db.Enrollment).findOneAndUpdate(
    { _id, unsettledSince: unsettledSince ?? null } as mongo.Filter<Enrollment>,
    { $set: { unsettledSince: claimAfter(unsettledSince) } },
    { returnDocument: "after" },
  );
  if (!enrollment) return undefined;
  return { enrollment: enrollment as Seat["enrollment"], fresh: false, takenOver: unsettledSince !== undefined };
}

/**
 * Brings a held enrollment in line with the purchases of its pair: active exactly while one of them is completed.
 * @returns the seat as it is now, and the completed purchases, first completed first. @throws ClaimLost.
 */
export async function alignSeat(
  db: Db,
  seat: Seat,
): Promise<{ seat: Seat; completed: Pick<Purchase, "_id" | "reviewReason">[] }> {
  const { _id, userId, courseId, active, unsettledSince } = seat.enrollment;
  const completed = await bare(db.Purchase)
    .find<Pick<Purchase, "_id" | "reviewReason">>({ userId, courseId, status: "completed" })
    .project<Pick<Purchase, "_id" | "reviewReason">>({ reviewReason: 1 })
    .sort({ completedAt: 1, _id: 1 })
    .toArray();
  const paid = completed.length > 0;
  if (active === paid) return { seat, completed };
  const now = new Date();
  const enrollment = await bare(db.Enrollment).findOneAndUpdate(
    { _id, unsettledSince },
    {
      $set: paid
        ? { active: true, enrolledAt: now, revokedAt: null, updatedAt: now }
        : { active: false, revokedAt: now, updatedAt: now },
      $inc: { change: 1 },
    },
    { returnDocument: "after" },
  );
  if (!enrollment) throw new ClaimLost(`the enrollment ${_id}`);
  return { seat: { ...seat, enrollment: enrollment as Seat["enrollment"] }, completed };
}

/** Marks the changes of a held enrollment as counted and lets go of it. @returns false when it was taken over. */
export async function freeSeat(db: Db, { enrollment }: Seat): Promise<boolean> {
  const { _id, change, unsettledSince } = enrollment;
  const result = await bare(db.Enrollment).updateOne(
    { _id, unsettledSince },
    { $set: { countedChange: change }, $unset: { unsettledSince: "" } },
  );
  return result.matchedCount > 0;
}

/** Enrollments that somebody left behind. */
export function abandonedSeats(db: Db, lapsed: Date, limit: number): Promise<Enrollment[]> {
  return bare(db.Enrollment)
    .find({ unsettledSince: { $lte: lapsed } })
    .sort({ unsettledSince: 1 })
    .limit(limit)
    .toArray();
}
