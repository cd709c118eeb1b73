import type { ClientSession, mongo, Types } from "mongoose";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import { type Enrollment, type EnrollmentKind, endNoticeAt, isInForce, neverActive } from "./enrollment.js";
import type { Grant } from "./grant.js";

type Pair = Pick<Enrollment, "userId" | "courseId">;

/**
 * The enrollment of a learner in a course, whether or not it is in force. A read of a unique pair filters by the pair
 * alone: for a further field, a planner may use an index that finds very many documents. It is a native query, because
 * nearly every request of a learner sends it and Mongoose takes 1.5 × the CPU (decision 8).
 */
function findByPair<F extends keyof Enrollment>(
  db: Models,
  { userId, courseId }: Pair,
  fields: readonly F[],
  session?: ClientSession,
): Promise<Pick<Enrollment, F> | null> {
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  const options = { projection, ...(session && { session }) };
  return nativeCollection(db.Enrollment).findOne({ userId, courseId }, options);
}

/** The enrollment of a learner who is enrolled now, as far as it decides on what they see. */
export type ActiveEnrollment = Pick<
  Enrollment,
  "userId" | "expiresAt" | "enrolledAt" | "createdAt" | "courseCompletedAt" | "viaPath"
>;

/** The fields that tell an `ActiveEnrollment`. */
export const activeEnrollmentFields = {
  userId: 1,
  active: 1,
  expiresAt: 1,
  enrolledAt: 1,
  createdAt: 1,
  courseCompletedAt: 1,
  viaPath: 1,
} as const;

/** @returns undefined when the learner is not enrolled now. */
export async function findActiveEnrollment(
  db: Models,
  pair: Pair,
  session?: ClientSession,
): Promise<ActiveEnrollment | undefined> {
  const fields = Object.keys(activeEnrollmentFields) as (keyof typeof activeEnrollmentFields)[];
  const found = await findByPair(db, pair, fields, session);
  return found && isInForce(found) ? found : undefined;
}

/** Counters of an enrollment that may not exist yet. */
const purchases = { $ifNull: ["$purchases", 0] };
const grants = { $ifNull: ["$grants", 0] };
const never = (field: string) => ({ $eq: [{ $ifNull: [field, null] }, null] });
/** Whether the date in a field has not come at `now`. */
const notYet = (field: string, now: Date) => ({ $or: [never(field), { $gt: [field, now] }] });
/** Whether an enrollment is in force, as an expression. */
export const inForceAt = (now: Date) => ({ $and: ["$active", notYet("$expiresAt", now)] });
const boughtAt = (now: Date) => ({
  $and: ["$active", { $gt: [purchases, 0] }, notYet("$boughtUntil", now)],
});
/** The later of the date in a field and another one, null being later than any. */
const later = (field: string, until: Date | null) =>
  until === null ? null : { $cond: [never(field), null, { $max: [field, until] }] };

/** When a notice of the end is due. An end that stays keeps its date, or the notice that was made. */
function noticeDueAt(until: Date | null, now: Date) {
  if (until === null) return "$$REMOVE";
  const stays = { $and: [inForceAt(now), { $or: [never("$expiresAt"), { $gte: ["$expiresAt", until] }] }] };
  return { $cond: [stays, "$noticeDueAt", endNoticeAt(until)] };
}

/** The fields of any enrollment after access until `until` was added. */
const extended = (until: Date | null, now: Date): mongo.Document => ({
  active: true,
  expiresAt: { $cond: [inForceAt(now), later("$expiresAt", until), until] },
  enrolledAt: { $cond: [inForceAt(now), "$enrolledAt", now] },
  noticeDueAt: noticeDueAt(until, now),
  revokedAt: null,
  lecturesDone: { $ifNull: ["$lecturesDone", 0] },
  quizAttempts: { $ifNull: ["$quizAttempts", 0] },
  bestQuizPercent: { $ifNull: ["$bestQuizPercent", 0] },
  phase: { $ifNull: ["$phase", "not_started"] },
  lastActiveAt: { $ifNull: ["$lastActiveAt", neverActive] },
  courseCompletedAt: { $ifNull: ["$courseCompletedAt", null] },
  // The release of chapters goes by the first enrollment.
  createdAt: { $ifNull: [{ $min: ["$createdAt", "$enrolledAt"] }, now] },
  updatedAt: now,
});

/** What completed purchases and active grants of a learner give. */
export interface Access extends Pick<Enrollment, "active" | "purchases" | "grants" | "expiresAt" | "boughtUntil"> {
  /** Undefined when nothing gives access. */
  readonly kind: EnrollmentKind | undefined;
  /** Undefined when no purchase gives access. */
  readonly purchasedAt: Date | undefined;
}

/**
 * Counts one more completed purchase. A new enrollment gets the id `newId`. The purchase of an erased user gives no access.
 * @param added what the purchase gives alone. Where the learner has others, `storeAccess` says what they give together.
 * @returns the enrollment as it was before.
 */
export function addPurchase(
  db: Models,
  pair: Pair,
  added: Access & { newId: Types.ObjectId; isErased: boolean; viaPath: boolean },
  session: ClientSession,
): Promise<Enrollment | null> {
  const { newId, isErased, viaPath, boughtUntil, kind, purchasedAt } = added;
  const fields = {
    _id: { $ifNull: ["$_id", newId] },
    ...extended(boughtUntil, new Date()),
    ...(isErased && { active: { $ifNull: ["$active", false] } }),
    purchases: { $add: [purchases, 1] },
    ...(viaPath && { viaPath }),
    boughtUntil,
    kind,
    purchasedAt,
    grants,
  };
  return changeEnrollment(db, pair, fields, { session, upsert: true });
}

/** Adds each grant to the enrollment of its learner. */
export async function addGrants(
  db: Models,
  grants: readonly (Pair & Pick<Grant, "expiresAt" | "pathGrantId">)[],
  session: ClientSession,
): Promise<void> {
  const now = new Date();
  const updates = grants.map(({ userId, courseId, expiresAt, pathGrantId }) => ({
    updateOne: {
      filter: { userId, courseId },
      update: [{ $set: { ...granted(expiresAt, now), ...(pathGrantId && { viaPath: true }) } }],
      upsert: true,
      setDefaultsOnInsert: false,
    },
  }));
  await db.Enrollment.bulkWrite(updates, { session, timestamps: false });
}

function granted(until: Date | null, now: Date): mongo.Document {
  const access = extended(until, now);
  return {
    ...access,
    purchases,
    boughtUntil: { $ifNull: ["$boughtUntil", null] },
    grants: { $add: [grants, 1] },
    kind: { $cond: [boughtAt(now), "$kind", "grant"] },
    purchasedAt: { $cond: [boughtAt(now), "$purchasedAt", access.enrolledAt] },
  };
}

/** Takes one completed purchase out; the last one ends the enrollment unless there is a grant. @returns as `addPurchase`. */
export function removePurchase(db: Models, pair: Pair, session: ClientSession): Promise<Enrollment | null> {
  const now = new Date();
  const isLast = { $and: [{ $lte: ["$purchases", 1] }, { $lte: ["$grants", 0] }] };
  const fields = {
    purchases: { $max: [0, { $subtract: ["$purchases", 1] }] },
    active: { $cond: [isLast, false, "$active"] },
    revokedAt: { $cond: [isLast, now, "$revokedAt"] },
    boughtUntil: { $cond: [{ $lte: ["$purchases", 1] }, null, "$boughtUntil"] },
    updatedAt: now,
  };
  return changeEnrollment(db, pair, fields, { session });
}

/** Stores what purchases and grants give; a kind that is undefined stays. @returns the enrollment as it was before. */
export function storeAccess(
  db: Models,
  pair: Pair,
  { kind, purchasedAt, ...recounted }: Access,
  session: ClientSession,
): Promise<Enrollment | null> {
  const now = new Date();
  const { active, expiresAt } = recounted;
  const stays = { $eq: ["$expiresAt", expiresAt] };
  const fields = {
    ...recounted,
    noticeDueAt: active && expiresAt ? { $cond: [stays, "$noticeDueAt", endNoticeAt(expiresAt)] } : "$$REMOVE",
    kind: kind ?? "$kind",
    revokedAt: active ? "$revokedAt" : { $cond: ["$active", now, "$revokedAt"] },
    purchasedAt: purchasedAt ?? "$enrolledAt",
    updatedAt: now,
  };
  return changeEnrollment(db, pair, fields, { session });
}

/**
 * Changes the fields of an enrollment to the results of expressions. It is a native query, because payments and completed
 * lectures send it and Mongoose takes almost 2 × the CPU of a write (decision 8).
 * @returns the enrollment as it was before.
 */
export function changeEnrollment(
  db: Models,
  { userId, courseId }: Pair,
  fields: mongo.Document,
  options: { session: ClientSession; upsert?: boolean; projection?: mongo.Document },
): Promise<Enrollment | null> {
  const update = [{ $set: fields }];
  return nativeCollection(db.Enrollment).findOneAndUpdate({ userId, courseId }, update, {
    ...options,
    returnDocument: "before",
  });
}
