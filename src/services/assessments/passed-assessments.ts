import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { findStandings, isPassed } from "../../models/assessments/attempt-queries.js";
import type { RequiredAssessment } from "../../models/courses/course-queries.js";

/** Whether a learner has passed some assessments. It reads nothing when there are none. */
export async function hasPassedAll(
  db: Db,
  userId: string,
  required: readonly RequiredAssessment[],
  session: ClientSession | null = null,
): Promise<boolean> {
  if (required.length === 0) return true;
  const ids = required.map(({ assessmentId }) => assessmentId);
  const standings = await findStandings(db, userId, ids, session);
  return required.every(({ assessmentId, passPercent }) => isPassed(standings.get(String(assessmentId)), passPercent));
}
