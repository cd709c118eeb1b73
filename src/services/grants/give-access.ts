import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { CourseGrant, Grant } from "../../models/enrollments/grant.js";
import type { Path } from "../../models/paths/path.js";
import { type CountedEnrollment, countedFields, enrollByGrants } from "../enrollments/enrollment.js";
import { holdPath } from "../enrollments/hold-path.js";
import { type NewEvent, recordEvents } from "../events/record-event.js";
import { amongPairs } from "../learners/lecture-counts.js";

type ActiveGrant = Grant & { userId: string };

/** What grants of paths give, by path: the courses of this moment. A path that was deleted is not among them. */
export async function findPathTerms(
  db: Db,
  session: ClientSession,
  grants: readonly Grant[],
): Promise<Map<string, Required<Pick<Grant, "courses" | "inOrder">>>> {
  const pathIds = grants.flatMap(({ pathId }) => pathId ?? []);
  if (pathIds.length === 0) return new Map();
  const paths = await db.Path.find({ _id: { $in: pathIds } }, { courseIds: 1, inOrder: 1 })
    .session(session)
    .lean<Pick<Path, "_id" | "courseIds" | "inOrder">[]>();
  return new Map(paths.map(({ _id, courseIds: courses, inOrder }) => [String(_id), { courses, inOrder }]));
}

/** The grants of courses that an active grant consists of: itself, or new ones of the courses of its path. */
export function partsOf(grant: ActiveGrant): CourseGrant[] {
  const { pathId: _path, courses = [], inOrder: _inOrder, courseId, ...fields } = grant;
  if (courseId) return [{ ...fields, courseId }];
  return courses.map((ofPath) => {
    return { ...fields, _id: new Types.ObjectId(), courseId: ofPath, pathGrantId: grant._id };
  });
}

/** Reads the enrollments of grants that the courses count already. Their time may be over. */
export async function findCounted(
  db: Db,
  session: ClientSession,
  parts: readonly CourseGrant[],
): Promise<CountedEnrollment[]> {
  // Not filtered by `active`: some databases would then leave the index of the unique pair.
  const found = db.Enrollment.find(amongPairs(parts), countedFields).session(session);
  return (await found.lean<CountedEnrollment[]>()).filter(({ active }) => active);
}

/**
 * Gives learners the courses and paths of active grants. Call it last in a transaction.
 * @param parts all their parts. @param counted the result of `findCounted`.
 */
export async function giveAccess(
  db: Db,
  session: ClientSession,
  grants: readonly ActiveGrant[],
  parts: readonly CourseGrant[],
  counted: readonly CountedEnrollment[],
): Promise<void> {
  const ofPaths = parts.filter(({ pathGrantId }) => pathGrantId);
  if (ofPaths.length > 0) await db.Grant.insertMany(ofPaths, { session, timestamps: false });
  await enrollByGrants(db, session, parts, counted);
  const facts: NewEvent[] = [];
  for (const { userId, pathId } of grants) if (pathId) facts.push(...(await holdPath(db, session, { userId, pathId })));
  await recordEvents(db, session, facts);
}
