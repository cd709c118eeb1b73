import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { type Enrollment, isInForce } from "../../models/enrollments/enrollment.js";
import type { CourseGrant } from "../../models/enrollments/grant.js";
import type { EventData } from "../../models/events/event-types.js";
import type { NewEvent } from "../events/record-event.js";
import { amongPairs, pairKey } from "../learners/lecture-counts.js";
import { isPseudonym } from "../privacy/pseudonym.js";

type EndReason = EventData<"enrollment.ended">["reason"];

/** What changed for a learner: the caller records the facts together with others of its transaction. */
export interface EnrollmentEnd {
  /** Whether the learner has lost the access. */
  readonly ended: boolean;
  readonly facts: readonly NewEvent[];
}

export const notEnded: EnrollmentEnd = { ended: false, facts: [] };

/** The ids of an erased user are in no event. The erasure has reported the end of the access. */
export const activatedFacts = (data: EventData<"enrollment.activated">): NewEvent[] =>
  isPseudonym(data.userId) ? [] : [{ type: "enrollment.activated", data }];

/** Reports that a grant has given a learner access. Who has granted it is not told of it. */
export const grantedFacts = ({ _id, userId, courseId, grantedBy: actorId }: CourseGrant): NewEvent[] =>
  activatedFacts({ enrollmentId: _id, userId, courseId, kind: "grant" }).map((fact) => ({ ...fact, actorId }));

type EndedEnrollment = Pick<Enrollment, "_id" | "userId" | "courseId" | "kind">;

/**
 * Reports that a learner has lost the access. The event names the id that the lists of enrollments show.
 * @param grantId the grant that gave the access, when no purchase did.
 */
export function enrollmentEnd(
  { _id, userId, courseId, kind }: EndedEnrollment,
  reason: EndReason,
  grantId: Types.ObjectId | undefined,
): EnrollmentEnd {
  const enrollmentId = kind === "grant" && grantId ? grantId : _id;
  const data = { enrollmentId, userId, courseId, kind, reason };
  return { ended: true, facts: isPseudonym(userId) ? [] : [{ type: "enrollment.ended", data }] };
}

/** Reports enrollments whose time is over. Call it before their grants are ended. */
export async function expiredFacts(
  db: Db,
  session: ClientSession,
  expired: readonly EndedEnrollment[],
): Promise<NewEvent[]> {
  const granted = expired.filter(({ kind }) => kind === "grant");
  const grants = new Map<string, Types.ObjectId>();
  if (granted.length > 0) {
    const over = { ...amongPairs(granted), state: "active" as const, expiresAt: { $lte: new Date() } };
    const found = await db.Grant.find(over, { userId: 1, courseId: 1 })
      .session(session)
      .lean<Pick<CourseGrant, "_id" | "courseId" | "userId">[]>();
    for (const grant of found) grants.set(pairKey(grant), grant._id);
  }
  return expired.flatMap((each) => enrollmentEnd(each, "expired", grants.get(pairKey(each))).facts);
}

/** Picks the enrollments whose time is over, although the job has not ended them yet. */
export const overdue = <T extends Pick<Enrollment, "active" | "expiresAt">>(enrollments: readonly T[]): T[] =>
  enrollments.filter((each) => each.active && !isInForce(each));
