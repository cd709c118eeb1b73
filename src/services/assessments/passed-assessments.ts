import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Assessment } from "../../models/assessments/assessment.js";
import { findStandings, isPassed } from "../../models/assessments/attempt-queries.js";
import type { CourseLectures } from "../../models/courses/course-queries.js";
import { hasQuestions } from "./assessment-questions.js";

/**
 * Whether a learner has passed the assessments that a course requires. An assessment whose questions are all gone is not
 * required. It reads nothing when there are none.
 */
export async function hasPassedAll(
  db: Db,
  userId: string,
  { required, educatorId }: Pick<CourseLectures, "required" | "educatorId">,
  session: ClientSession | null = null,
): Promise<boolean> {
  if (required.length === 0) return true;
  const ids = required.map(({ assessmentId }) => assessmentId);
  const standings = await findStandings(db, userId, ids, session);
  for (const { assessmentId, passPercent } of required) {
    if (isPassed(standings.get(String(assessmentId)), passPercent)) continue;
    const assessment = await db.Assessment.findById(assessmentId).session(session).lean<Assessment>();
    if (assessment && (await hasQuestions(db, assessment, educatorId, session))) return false;
  }
  return true;
}
