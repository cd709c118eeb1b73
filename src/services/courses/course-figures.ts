import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { addCourseFigures, type Figures } from "../../models/courses/course-queries.js";

export type { Figures };

/**
 * Moves figures of a course, and tells the catalog. Many transactions write the same course, so this should be the last
 * write of each: what comes before it need not be repeated as often.
 */
export function moveFigures(
  db: Db,
  session: ClientSession,
  courseId: Types.ObjectId,
  by: Partial<Figures>,
): Promise<void> {
  return addCourseFigures(db, courseId, by, session);
}
