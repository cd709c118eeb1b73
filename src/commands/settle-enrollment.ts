import type { Types } from "mongoose";
import type { Enrollment } from "../models/enrollment.js";
import type { Models } from "../models/index.js";
import type { Purchase } from "../models/purchase.js";
import { changeCatalog } from "./catalog-revision.js";
import { countOnce, isDuplicateKey } from "./count-once.js";

/** Bound of the loop below; each round that repeats lost a race against another change of the same pair. */
const maxRounds = 50;

/**
 * Brings one learner's enrollment in line with their purchases: active exactly while a completed purchase of the pair
 * exists. Whoever writes looks at the purchases afterwards, so of any number of simultaneous calls the last writer is
 * right. Counters follow. Safe to repeat at any time.
 * @param options `completing`: the caller has just completed a purchase, so the seat is taken before the look.
 * @returns the completed purchases of the pair, first completed first.
 */
export async function settleEnrollment(
  models: Models,
  userId: string,
  courseId: Types.ObjectId,
  { completing }: { completing: boolean },
): Promise<Pick<Purchase, "_id" | "reviewReason">[]> {
  const pair = { userId, courseId };
  let enrollment = completing ? await activate(models, pair) : await read(models, pair);
  for (let round = 0; round < maxRounds; round += 1) {
    const completed = await models.Purchase.find({ ...pair, status: "completed" }, { reviewReason: 1 })
      .sort({ completedAt: 1, _id: 1 })
      .lean();
    const paid = completed.length > 0;
    if ((enrollment?.active ?? false) === paid) {
      if (enrollment) await countChanges(models, enrollment);
      return completed;
    }
    enrollment = paid ? await activate(models, pair) : await revoke(models, pair);
  }
  throw new Error(`the enrollment of ${userId} in ${courseId} does not come to rest`);
}

interface Pair {
  readonly userId: string;
  readonly courseId: Types.ObjectId;
}

const read = (models: Models, pair: Pair) => models.Enrollment.findOne(pair).lean<Enrollment>();

/** @returns the enrollment, active unless somebody revoked it at this moment. */
async function activate(models: Models, pair: Pair): Promise<Enrollment | null> {
  const enrolledAt = new Date();
  const seat = await models.Enrollment.findOneAndUpdate(
    pair,
    { $setOnInsert: { active: true, enrolledAt, change: 1 } },
    { upsert: true, returnDocument: "after", timestamps: { createdAt: true, updatedAt: false } },
  )
    .lean<Enrollment>()
    .catch((error: unknown) => {
      if (isDuplicateKey(error)) return read(models, pair); // taken by another call at this moment
      throw error;
    });
  if (seat?.active) return seat;
  const again = { $set: { active: true, enrolledAt, revokedAt: null }, $inc: { change: 1 } };
  return change(models, pair, false, again);
}

function revoke(models: Models, pair: Pair): Promise<Enrollment | null> {
  return change(models, pair, true, { $set: { active: false, revokedAt: new Date() }, $inc: { change: 1 } });
}

async function change(models: Models, pair: Pair, active: boolean, update: object): Promise<Enrollment | null> {
  const changed = await models.Enrollment.findOneAndUpdate({ ...pair, active }, update, {
    returnDocument: "after",
  }).lean<Enrollment>();
  return changed ?? read(models, pair);
}

/** Odd changes activate, even ones revoke: so each change is worth +1 or −1, whoever counts it and when. */
async function countChanges(models: Models, { _id, courseId, change, countedChange }: Enrollment): Promise<void> {
  for (let next = countedChange + 1; next <= change; next += 1) {
    const delta = next % 2 === 1 ? 1 : -1;
    const key = `${_id}:${next}`;
    await changeCatalog(models, () =>
      countOnce(models.Course, { _id: courseId }, key, { $inc: { totalEnrolledStudents: delta } }),
    );
    const inPlatform = { $inc: { enrollments: delta } };
    await countOnce(models.PlatformTotals, { _id: "platform" }, key, inPlatform, { upsert: true });
    await models.Enrollment.updateOne({ _id }, { $max: { countedChange: next } }, { timestamps: false });
  }
}
