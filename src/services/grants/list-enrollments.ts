import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { findAfter, newestFirst } from "../../db/ordered-list.js";
import { isObjectId } from "../../lib/fields.js";
import { boughtInForce, type Enrollment, type EnrollmentKind } from "../../models/enrollments/enrollment.js";
import { type Grant, grantsOfCourses, isDigest } from "../../models/enrollments/grant.js";
import type { PathEnrollment } from "../../models/paths/path-enrollment.js";
import { inReach, type KeyUse, reachesCourse } from "../../models/users/api-key.js";

export interface EnrollmentFilter {
  /** Lists the enrollments in a path, otherwise those in courses. */
  readonly pathId?: Types.ObjectId | undefined;
  readonly courseId?: string | undefined;
  readonly userId?: string | undefined;
  readonly state?: string | undefined;
  readonly kind?: string | undefined;
  /** Lists only the courses that an API key sees. */
  readonly key?: KeyUse | undefined;
}

/** An enrollment for those who manage grants: a grant or a purchase. */
export interface ListedEnrollment
  extends Pick<Grant, "_id" | "userId" | "email" | "courseId" | "pathId" | "reason" | "expiresAt"> {
  readonly kind: EnrollmentKind;
  readonly state: "active" | "waiting";
  /** Since when. */
  readonly createdAt: Date;
}

type Place = [Date, Types.ObjectId];

/**
 * Active enrollments and waiting grants, newest first. Each state of a grant and each kind of purchase is read in the
 * order of its own index; the first rows of all are then sorted. An unknown value in a filter matches nothing.
 */
export function listEnrollments<Shown>(
  db: Db,
  { pathId, courseId, userId, state, kind, key }: EnrollmentFilter,
  show: (enrollment: ListedEnrollment) => Shown,
) {
  const ofCourses = courseId === undefined ? inReach(key) : { courseId };
  const which = { ...(pathId ? { pathId } : ofCourses), ...(userId === undefined ? {} : { userId }) };
  const grantsOf = pathId ? {} : grantsOfCourses;
  const isPossible = courseId === undefined || (isObjectId(courseId) && reachesCourse(key, courseId));
  const isWanted = (ofState: string, ofKind: string): boolean =>
    isPossible && (state === undefined || state === ofState) && (kind === undefined || kind === ofKind);
  const states = (["active", "waiting"] as const).filter((one) => isWanted(one, "grant"));
  const kinds = (["purchase", "free"] as const).filter((one) => isWanted("active", one));
  return {
    async find(after: Place | undefined, limit: number): Promise<ListedEnrollment[]> {
      const now = new Date();
      const granted = states.map(async (one) => {
        const filter = { ...grantsOf, ...which, state: one, $nor: [{ expiresAt: { $lte: now } }] };
        const found = await newestFirst(db.Grant, { filter }).find(after, limit);
        return found.map(ofGrant);
      });
      const bought = kinds.map(async (one) => {
        const filter = { ...which, ...boughtInForce(now), kind: one };
        const query = { filter, sort: { enrolledAt: -1, _id: -1 }, after, limit } as const;
        const found = pathId ? await findAfter(db.PathEnrollment, query) : await findAfter(db.Enrollment, query);
        return found.map(ofPurchase);
      });
      const rows = (await Promise.all([...granted, ...bought])).flat();
      return rows.sort(byNewest).slice(0, limit);
    },
    keyOf: ({ createdAt, _id }: ListedEnrollment): Place => [createdAt, _id],
    describe: (rows: readonly ListedEnrollment[]) => rows.map(show),
  };
}

/** A grant as it is shown; only an active or waiting grant is. */
export const ofGrant = (grant: Grant): ListedEnrollment => ({
  ...grant,
  kind: "grant",
  state: grant.state === "waiting" ? "waiting" : "active",
  email: grant.email && isDigest(grant.email) ? null : grant.email,
});

/** An enrollment in a course as it is shown. */
export const shownInCourse = (enrollment: ListedEnrollment) => ({
  ...enrollment,
  courseId: String(enrollment.courseId),
});

/** An enrollment in a path as it is shown. */
export const shownInPath = (enrollment: ListedEnrollment) => ({
  ...enrollment,
  courseId: null,
  pathId: String(enrollment.pathId),
});

const ofPurchase = (enrollment: Enrollment | PathEnrollment): ListedEnrollment => ({
  courseId: null,
  ...enrollment,
  state: "active",
  email: null,
  reason: "",
  expiresAt: enrollment.boughtUntil,
  createdAt: enrollment.enrolledAt,
});

function byNewest(a: ListedEnrollment, b: ListedEnrollment): number {
  const byDate = b.createdAt.getTime() - a.createdAt.getTime();
  if (byDate !== 0) return byDate;
  return String(a._id) < String(b._id) ? 1 : -1;
}
