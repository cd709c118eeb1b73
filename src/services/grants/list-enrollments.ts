import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { findAfter } from "../../db/find-after.js";
import { isObjectId } from "../../lib/fields.js";
import { boughtInForce, type Enrollment, type EnrollmentKind } from "../../models/enrollments/enrollment.js";
import { type Grant, isDigest } from "../../models/enrollments/grant.js";

export interface EnrollmentFilter {
  readonly courseId?: string | undefined;
  readonly userId?: string | undefined;
  readonly state?: string | undefined;
  readonly kind?: string | undefined;
}

/** One enrollment as those who manage grants see it: a grant, or what was bought. */
export interface ListedEnrollment
  extends Pick<Grant, "_id" | "userId" | "email" | "courseId" | "reason" | "expiresAt"> {
  readonly kind: EnrollmentKind;
  readonly state: "active" | "waiting";
  /** Since when. */
  readonly createdAt: Date;
}

type Place = [Date, Types.ObjectId];

/**
 * Active enrollments and waiting grants, newest first. Grants and purchases are in collections of their own: the first
 * rows of each are read and put in order. What a filter does not know matches nothing.
 */
export function listEnrollments(db: Db, filter: EnrollmentFilter) {
  return {
    async find(after: Place | undefined, limit: number): Promise<ListedEnrollment[]> {
      const [granted, bought] = await Promise.all([
        findGranted(db, filter, after, limit),
        findBought(db, filter, after, limit),
      ]);
      return [...granted.map(ofGrant), ...bought.map(ofPurchase)].sort(newestFirst).slice(0, limit);
    },
    keyOf: ({ createdAt, _id }: ListedEnrollment): Place => [createdAt, _id],
    describe: async (rows: readonly ListedEnrollment[]) => [...rows],
  };
}

/** Undefined when no enrollment can fit. */
function ofWhom({ courseId, userId }: EnrollmentFilter) {
  if (courseId !== undefined && !isObjectId(courseId)) return undefined;
  return { ...(courseId === undefined ? {} : { courseId }), ...(userId === undefined ? {} : { userId }) };
}

async function findGranted(db: Db, filter: EnrollmentFilter, after: Place | undefined, limit: number) {
  const { state, kind = "grant" } = filter;
  const which = ofWhom(filter);
  const states = (["active", "waiting"] as const).filter((one) => state === undefined || state === one);
  if (!which || kind !== "grant" || states.length === 0) return [];
  return findAfter(db.Grant, {
    filter: { ...which, state: { $in: states }, $nor: [{ expiresAt: { $lte: new Date() } }] },
    sort: { createdAt: -1, _id: -1 },
    after,
    limit,
  });
}

async function findBought(db: Db, filter: EnrollmentFilter, after: Place | undefined, limit: number) {
  const { state = "active", kind } = filter;
  const which = ofWhom(filter);
  const kinds = (["purchase", "free"] as const).filter((one) => kind === undefined || kind === one);
  if (!which || state !== "active" || kinds.length === 0) return [];
  return findAfter(db.Enrollment, {
    filter: { ...which, ...boughtInForce(), kind: { $in: kinds } },
    sort: { enrolledAt: -1, _id: -1 },
    after,
    limit,
  });
}

/** A grant as it is shown; only an active or waiting one is. */
export const ofGrant = ({
  _id,
  userId,
  email,
  courseId,
  reason,
  expiresAt,
  createdAt,
  state,
}: Grant): ListedEnrollment => ({
  _id,
  kind: "grant",
  state: state === "waiting" ? "waiting" : "active",
  userId,
  email: email && isDigest(email) ? null : email,
  courseId,
  reason,
  expiresAt,
  createdAt,
});

const ofPurchase = ({ _id, kind, userId, courseId, boughtUntil, enrolledAt }: Enrollment): ListedEnrollment => ({
  _id,
  kind,
  state: "active",
  userId,
  email: null,
  courseId,
  reason: "",
  expiresAt: boughtUntil,
  createdAt: enrolledAt,
});

function newestFirst(a: ListedEnrollment, b: ListedEnrollment): number {
  const byDate = b.createdAt.getTime() - a.createdAt.getTime();
  if (byDate !== 0) return byDate;
  return String(a._id) < String(b._id) ? 1 : -1;
}
