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
 * exists. Whoever writes looks once more afterwards, so of any number of simultaneous calls the last writer is right.
 * Counters follow. Safe to repeat at any time.
 * @returns the completed purchases of the pair, first completed first.
 */
export async function settleEnrollment(
  models: Models,
  userId: string,
  courseId: Types.ObjectId,
): Promise<Pick<Purchase, "_id" | "reviewReason">[]> {
  for (let round = 0; round < maxRounds; round += 1) {
    const completed = await models.Purchase.find({ userId, courseId, status: "completed" }, { reviewReason: 1 })
      .sort({ completedAt: 1, _id: 1 })
      .lean();
    const paid = completed.length > 0;
    const enrollment = await models.Enrollment.findOne({ userId, courseId }).lean<Enrollment>();
    if ((enrollment?.active ?? false) === paid) {
      if (enrollment) await countChanges(models, enrollment);
      return completed;
    }
    if (paid) await activate(models, userId, courseId, enrollment);
    else await revoke(models, userId, courseId);
  }
  throw new Error(`the enrollment of ${userId} in ${courseId} does not come to rest`);
}

async function activate(
  models: Models,
  userId: string,
  courseId: Types.ObjectId,
  enrollment: Enrollment | null,
): Promise<void> {
  const enrolledAt = new Date();
  if (enrollment) {
    const again = { $set: { active: true, enrolledAt, revokedAt: null }, $inc: { change: 1 } };
    await models.Enrollment.updateOne({ userId, courseId, active: false }, again);
    return;
  }
  try {
    await models.Enrollment.create({ userId, courseId, active: true, enrolledAt, change: 1 });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

async function revoke(models: Models, userId: string, courseId: Types.ObjectId): Promise<void> {
  const away = { $set: { active: false, revokedAt: new Date() }, $inc: { change: 1 } };
  await models.Enrollment.updateOne({ userId, courseId, active: true }, away);
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
