import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { mergeInOrder, readInOrder } from "../../db/read-in-order.js";
import { isObjectId } from "../../lib/fields.js";
import {
  boughtInForce,
  type Enrollment,
  type EnrollmentKind,
  enrollmentKinds,
} from "../../models/enrollments/enrollment.js";
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
 * Active enrollments and waiting grants, newest first. Bought and granted ones are in collections of their own: each is
 * read by an index in that order, and the reads are merged. What a filter does not know matches nothing.
 */
export function listEnrollments(db: Db, filter: EnrollmentFilter) {
  return {
    read: (after: Place | undefined, size: number) => mergeInOrder(readsOf(db, filter, after, size), newestFirst, size),
    keyOf: ({ createdAt, _id }: ListedEnrollment): Place => [createdAt, _id],
    describe: async (rows: readonly ListedEnrollment[]) => [...rows],
  };
}

function readsOf(
  db: Db,
  { courseId, userId, state, kind }: EnrollmentFilter,
  after: Place | undefined,
  size: number,
): AsyncGenerator<ListedEnrollment[]>[] {
  if (courseId !== undefined && !isObjectId(courseId)) return [];
  const which = {
    ...(courseId === undefined ? {} : { courseId: new Types.ObjectId(courseId) }),
    ...(userId === undefined ? {} : { userId }),
  };
  const states = (["active", "waiting"] as const).filter((one) => state === undefined || state === one);
  const kinds = enrollmentKinds.filter((one) => kind === undefined || kind === one);
  const now = new Date();
  const reads: AsyncGenerator<ListedEnrollment[]>[] = [];
  if (kinds.includes("grant")) {
    for (const one of states) {
      const granted = { ...which, state: one, $nor: [{ expiresAt: { $lte: now } }] };
      const sort = { createdAt: -1, _id: -1 } as const;
      reads.push(shown(readInOrder<Grant, Grant>(db.Grant, { filter: granted, sort, after, size }), ofGrant));
    }
  }
  if (states.includes("active")) {
    const stored = kinds.flatMap((one) => (one === "purchase" ? [null, one] : one === "free" ? [one] : []));
    for (const one of stored) {
      const bought = { ...which, ...boughtInForce(now), kind: one };
      const sort = { enrolledAt: -1, _id: -1 } as const;
      reads.push(
        shown(readInOrder<Enrollment, Enrollment>(db.Enrollment, { filter: bought, sort, after, size }), ofPurchase),
      );
    }
  }
  return reads;
}

async function* shown<Row>(
  batches: AsyncGenerator<Row[]>,
  show: (row: Row) => ListedEnrollment,
): AsyncGenerator<ListedEnrollment[]> {
  for await (const rows of batches) yield rows.map(show);
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
  ...{
    _id,
    kind: "grant",
    state: state === "waiting" ? "waiting" : "active",
    userId,
    email: email && isDigest(email) ? null : email,
  },
  ...{ courseId, reason, expiresAt, createdAt },
});

const ofPurchase = ({ _id, kind, userId, courseId, boughtUntil, enrolledAt }: Enrollment): ListedEnrollment => ({
  ...{ _id, kind: kind ?? "purchase", state: "active", userId, email: null },
  ...{ courseId, reason: "", expiresAt: boughtUntil ?? null, createdAt: enrolledAt },
});

function newestFirst(a: ListedEnrollment, b: ListedEnrollment): number {
  const byDate = b.createdAt.getTime() - a.createdAt.getTime();
  if (byDate !== 0) return byDate;
  return String(a._id) < String(b._id) ? 1 : -1;
}
