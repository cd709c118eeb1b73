import type { Types } from "mongoose";
import type { Models } from "../models/index.js";

/** Whether somebody holds an active seat in a course now. Never cached: a purchase counts at once, a refund too. */
export async function isEnrolled(models: Models, userId: string, courseId: string | Types.ObjectId): Promise<boolean> {
  return (await models.Enrollment.exists({ userId, courseId, active: true })) !== null;
}
