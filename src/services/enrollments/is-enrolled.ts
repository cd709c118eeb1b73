import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { findEnrollmentEnd } from "../../models/enrollments/enrollment-queries.js";

/** Whether a learner is enrolled in a course now. Never cached: a purchase, a refund and an expiry count at once. */
export async function isEnrolled(db: Db, userId: string, courseId: string | Types.ObjectId): Promise<boolean> {
  return (await findEnrollmentEnd(db, { userId, courseId: new Types.ObjectId(courseId) })) !== undefined;
}
