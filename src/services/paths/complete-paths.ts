import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { distinct } from "../../lib/distinct.js";
import { inForce, isAhead } from "../../models/enrollments/enrollment.js";
import { openCertificate } from "../certificates/issue-certificate.js";
import { findPathHoldings, type PathHolding } from "../enrollments/path-holdings.js";
import type { NewEvent } from "../events/record-event.js";

/** Whether a holding gives access to one of its courses at least. */
export const isHeld = ({ courses }: PathHolding, now = new Date()): boolean =>
  courses.some(({ until }) => isAhead(until, now));

/** Finds the courses that a learner has completed, and when. */
export async function findCompletedCourses(
  db: Db,
  userId: string,
  courseIds: readonly Types.ObjectId[],
  session: ClientSession | null = null,
): Promise<Map<string, Date>> {
  const completed = { userId, courseId: { $in: distinct(courseIds) }, completed: true };
  const found = await db.CourseProgress.find(completed, { courseId: 1, completedAt: 1, updatedAt: 1 })
    .session(session)
    .lean();
  // Version 1.0 has stored progresses without the date.
  return new Map(found.map((row) => [String(row.courseId), row.completedAt ?? row.updatedAt]));
}

/**
 * Completes each path, held now, of which a learner has completed all courses of one holding. Each is completed once, with
 * its certificate. Call it in the transaction that completes a course or gives the path, after it has written these.
 * @param holdings of these paths. @returns the facts that the caller records.
 */
export async function completePaths(
  db: Db,
  session: ClientSession,
  userId: string,
  holdings: readonly PathHolding[],
): Promise<NewEvent[]> {
  const now = new Date();
  const held = holdings.filter((holding) => isHeld(holding, now));
  if (held.length === 0) return [];
  const open = { userId, ...inForce(now), completedAt: null };
  const pathIds = distinct(held.map(({ pathId }) => pathId));
  // Two transactions that each complete a course of the path conflict here, so that the second one sees the first.
  const touched = { $currentDate: { updatedAt: true } } as const;
  const options = { session, timestamps: false };
  const { matchedCount } = await db.PathEnrollment.updateMany({ ...open, pathId: { $in: pathIds } }, touched, options);
  if (matchedCount === 0) return [];
  const courseIds = held.flatMap(({ courses }) => courses.map(({ courseId }) => courseId));
  const completed = await findCompletedCourses(db, userId, courseIds, session);
  const done = held.filter(({ courses }) => courses.every(({ courseId }) => completed.has(String(courseId))));
  const facts: NewEvent[] = [];
  for (const pathId of distinct(done.map((holding) => holding.pathId))) {
    const latch = { $set: { completedAt: now } };
    const { modifiedCount } = await db.PathEnrollment.updateOne({ ...open, pathId }, latch, { session });
    const path = modifiedCount > 0 && (await db.Path.findById(pathId, { title: 1 }).session(session).lean());
    if (!path) continue;
    const completion = { userId, courseId: null, pathId, courseTitle: path.title, completionDate: now };
    await openCertificate(db, session, completion);
    facts.push({ type: "path.completed", data: { pathId, userId } });
  }
  if (facts.length > 0) session.once("ended", () => db.jobWakeups.emit("Certificate"));
  return facts;
}

/** Completes the paths of which a course was the last one. The course is completed in the same transaction. */
export async function completePathsWith(
  db: Db,
  session: ClientSession,
  { userId, courseId }: { readonly userId: string; readonly courseId: Types.ObjectId },
): Promise<NewEvent[]> {
  return completePaths(db, session, userId, await findPathHoldings(db, userId, { courseId }, session));
}
